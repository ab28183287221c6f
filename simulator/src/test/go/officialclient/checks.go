package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/actions/scaleset"
	"github.com/actions/scaleset/listener"
)

func checks() []check {
	return slices.Concat(access(), answers(), scaleSets(), runners(), sessions(), messages(), acquiring(), listening())
}

func access() []check {
	none := func(ctx context.Context, c *scaleset.Client) error {
		_, err := c.GetRunnerScaleSet(ctx, 1, "none")
		return err
	}
	return []check{
		{"access: a token of an organization", func(ctx context.Context) { ok(none(ctx, client())) }},
		{"access: a token of a repository", func(ctx context.Context) { ok(none(ctx, must(configured("/acme/app", *pat)))) }},
		{"access: a token of an enterprise", func(ctx context.Context) { ok(none(ctx, must(configured("/enterprises/acme", *pat)))) }},
		{"access: a wrong token", func(ctx context.Context) {
			says(none(ctx, must(configured("/acme", "wrong"))), "401 Unauthorized", "Bad credentials")
		}},
		{"access: an owner that is not there", func(ctx context.Context) {
			says(none(ctx, must(configured("/nobody", *pat))), "404 Not Found")
		}},
		{"access: an app", func(ctx context.Context) { ok(none(ctx, app("app-1", 7, string(must(os.ReadFile(*appKey)))))) }},
		{"access: an unknown app", func(ctx context.Context) {
			says(none(ctx, app("app-2", 7, string(must(os.ReadFile(*appKey))))), "401 Unauthorized")
		}},
		{"access: an app with the key of another", func(ctx context.Context) {
			says(none(ctx, app("app-1", 7, otherKey())), "401 Unauthorized", "could not be decoded")
		}},
		{"access: an unknown installation", func(ctx context.Context) {
			says(none(ctx, app("app-1", 8, string(must(os.ReadFile(*appKey))))), "404 Not Found")
		}},
		{"access: a registration refused once is sent again", func(ctx context.Context) {
			fault("runnerRegistration", 403, 1, "")
			ok(none(ctx, patient()))
		}},
		{"access: a registration refused always says so", func(ctx context.Context) {
			fault("runnerRegistration", 401, -1, "")
			says(none(ctx, patient()), "401 Unauthorized")
		}},
		{"access: the admin token is kept", func(ctx context.Context) {
			before := calls("runnerRegistration")
			c := client()
			ok(none(ctx, c))
			ok(none(ctx, c))
			same("registrations", calls("runnerRegistration")-before, 1)
		}},
		{"access: an admin token with less than a minute is renewed", func(ctx context.Context) {
			var headers []http.Header
			c := shortLived(true, spied(&headers))
			ok(none(ctx, c))
			ok(none(ctx, c))
			same("requests", len(headers), 6)
		}},
		{"access: a certificate that is not trusted", func(ctx context.Context) {
			says(none(ctx, shortLived(false)), "certificate signed by unknown authority")
		}},
		{"access: the user agent is one JSON object", func(ctx context.Context) {
			var headers []http.Header
			ok(none(ctx, client(spied(&headers))))
			same("requests", len(headers), 3)
			says(errors.New(headers[2].Get("User-Agent")), `"system":"stranger"`, `"scale_set_id":7`, `"kind":"scaleset"`)
		}},
	}
}

func answers() []check {
	get := func(ctx context.Context, c *scaleset.Client) error {
		_, err := c.GetRunnerScaleSetByID(ctx, 1_000_000)
		return err
	}
	return []check{
		{"answers: an error has a request id", func(ctx context.Context) { says(get(ctx, client()), "github_request_id=") }},
		{"answers: an activity id by flavour", func(ctx context.Context) {
			same("activity id", strings.Contains(get(ctx, client()).Error(), "activity_id="), *legacy)
		}},
		{"answers: a status has its reason", func(ctx context.Context) { says(get(ctx, client()), `status="404 Not Found"`) }},
		{"answers: an exception has its type", func(ctx context.Context) {
			says(get(ctx, client()), "GitHub.Actions.Runtime.WebApi.RunnerScaleSetNotFoundException", "No runner scale set found with identifier 1000000.")
		}},
		{"answers: plain text", func(ctx context.Context) {
			fault("getScaleSet", 400, 1, `,"body":"TEXT"`)
			says(get(ctx, client()), "400 Bad Request", "fault 400")
		}},
		{"answers: an empty body", func(ctx context.Context) {
			fault("getScaleSet", 400, 1, `,"body":"EMPTY"`)
			says(get(ctx, client()), "unknown error")
		}},
		{"answers: a nested exception", func(ctx context.Context) {
			fault("getScaleSet", 400, 1, `,"body":"NESTED","typeName":"a.B"`)
			says(get(ctx, client()), "400 Bad Request")
		}},
		{"answers: no content type", func(ctx context.Context) {
			fault("getScaleSet", 400, 1, `,"body":"NO_CONTENT_TYPE","typeName":"a.B"`)
			says(get(ctx, client()), "a.B")
		}},
		{"answers: garbage", func(ctx context.Context) {
			fault("getScaleSet", 200, 1, `,"body":"GARBAGE"`)
			says(get(ctx, client()), "failed to decode")
		}},
		{"answers: an endless body", func(ctx context.Context) {
			fault("getScaleSet", 200, 1, `,"body":"ENDLESS"`)
			says(get(ctx, client(scaleset.WithTimeout(500*time.Millisecond))), "failed to read the response body")
		}},
		{"answers: none at all", func(ctx context.Context) {
			fault("getScaleSet", 504, 1, `,"body":"NEVER"`)
			says(get(ctx, client(scaleset.WithTimeout(500*time.Millisecond))), "Client.Timeout")
		}},
		{"answers: a 503 is sent again", func(ctx context.Context) {
			fault("runnerGroups", 503, 1, "")
			must(patient().GetRunnerGroupByName(ctx, "default"))
		}},
		{"answers: a 429 is sent again after its time", func(ctx context.Context) {
			fault("runnerGroups", 429, 1, `,"retryAfter":2`)
			began := time.Now()
			must(patient().GetRunnerGroupByName(ctx, "default"))
			same("waited", time.Since(began) >= 2*time.Second, true)
		}},
		{"answers: a reset is sent again", func(ctx context.Context) {
			fault("runnerGroups", 0, 1, `,"dropped":true`)
			must(patient().GetRunnerGroupByName(ctx, "default"))
		}},
		{"answers: a byte order mark", func(ctx context.Context) {
			control("PUT", "faults", `{"byteOrderMark":true}`)
			must(client().GetRunnerGroupByName(ctx, "default"))
		}},
		{"answers: HEAD has no body and a date", func(ctx context.Context) {
			for range 2 {
				response := must(http.Head(*root + "/nowhere"))
				ok(response.Body.Close())
				same("status", response.Status, "404 Not Found")
				must(http.ParseTime(response.Header.Get("Date")))
			}
		}},
	}
}

func scaleSets() []check {
	set := func(name string, group int) *scaleset.RunnerScaleSet {
		return &scaleset.RunnerScaleSet{Name: name, RunnerGroupID: group}
	}
	return []check{
		{"groups: the default one", func(ctx context.Context) {
			group := must(client().GetRunnerGroupByName(ctx, scaleset.DefaultRunnerGroup))
			same("id", group.ID, 1)
			same("default", group.IsDefault, true)
		}},
		{"groups: another one", func(ctx context.Context) {
			group := must(client().GetRunnerGroupByName(ctx, "big"))
			same("id", group.ID, 2)
			same("default", group.IsDefault, false)
		}},
		{"groups: an unknown one", func(ctx context.Context) {
			_, err := client().GetRunnerGroupByName(ctx, "none")
			says(err, "no runner group found")
		}},
		{"groups: a repository has the default one only", func(ctx context.Context) {
			c := must(configured("/acme/app", *pat))
			must(c.GetRunnerGroupByName(ctx, "default"))
			_, err := c.GetRunnerGroupByName(ctx, "big")
			says(err, "no runner group found")
			_, err = c.CreateRunnerScaleSet(ctx, set(fresh("set"), 2))
			says(err, "RunnerGroupNotFoundException")
		}},
		{"sets: created", func(ctx context.Context) {
			made := newSet(ctx, client())
			same("id", made.ID > 0, true)
			same("group", made.RunnerGroupName, "Default")
			same("made now", time.Since(made.CreatedOn) < time.Minute, true)
			same("labels", fmt.Sprint(made.Labels), fmt.Sprintf("[{System %s}]", made.Name))
			says(errors.New(made.RunnerJitConfigURL), "/generatejitconfig")
			same("jobs", *made.Statistics, scaleset.RunnerScaleSetStatistic{})
		}},
		{"sets: labels and their types", func(ctx context.Context) {
			wanted := set(fresh("set"), 1)
			wanted.Labels = []scaleset.Label{{Name: "linux"}, {Name: "gpu", Type: "User"}}
			made := must(client().CreateRunnerScaleSet(ctx, wanted))
			same("labels", fmt.Sprint(made.Labels), "[{System linux} {User gpu}]")
		}},
		{"sets: disableUpdate stays", func(ctx context.Context) {
			c := client()
			wanted := set(fresh("set"), 1)
			wanted.RunnerSetting.DisableUpdate = true
			made := must(c.CreateRunnerScaleSet(ctx, wanted))
			same("created", made.RunnerSetting.DisableUpdate, true)
			changed := must(c.UpdateRunnerScaleSet(ctx, made.ID, &scaleset.RunnerScaleSet{RunnerGroupID: 2}))
			same("changed", changed.RunnerSetting.DisableUpdate, true)
		}},
		{"sets: a name that is taken", func(ctx context.Context) {
			c := client()
			made := newSet(ctx, c)
			_, err := c.CreateRunnerScaleSet(ctx, set(strings.ToUpper(made.Name), 1))
			says(err, "400 Bad Request", "RunnerScaleSetExistsException")
		}},
		{"sets: the same name in another group", func(ctx context.Context) {
			c := client()
			made := newSet(ctx, c)
			same("group", must(c.CreateRunnerScaleSet(ctx, set(made.Name, 2))).RunnerGroupName, "big")
		}},
		{"sets: an unknown group", func(ctx context.Context) {
			_, err := client().CreateRunnerScaleSet(ctx, set(fresh("set"), 99))
			says(err, "RunnerGroupNotFoundException")
		}},
		{"sets: found by name", func(ctx context.Context) {
			c := client()
			made := newSet(ctx, c)
			same("id", must(c.GetRunnerScaleSet(ctx, 1, made.Name)).ID, made.ID)
		}},
		{"sets: found by a name with a space", func(ctx context.Context) {
			c := client()
			made := must(c.CreateRunnerScaleSet(ctx, set(fresh("set é/"), 1)))
			same("id", must(c.GetRunnerScaleSet(ctx, 1, made.Name)).ID, made.ID)
		}},
		{"sets: not found in another group", func(ctx context.Context) {
			c := client()
			same("set", must(c.GetRunnerScaleSet(ctx, 2, newSet(ctx, c).Name)), nil)
		}},
		{"sets: found by id", func(ctx context.Context) {
			c := client()
			made := newSet(ctx, c)
			same("name", must(c.GetRunnerScaleSetByID(ctx, made.ID)).Name, made.Name)
		}},
		{"sets: those of others are not seen", func(ctx context.Context) {
			_, err := must(configured("/acme/app", *pat)).GetRunnerScaleSetByID(ctx, newSet(ctx, client()).ID)
			says(err, "RunnerScaleSetNotFoundException")
		}},
		{"sets: renamed", func(ctx context.Context) {
			c := client()
			name := fresh("renamed")
			changed := must(c.UpdateRunnerScaleSet(ctx, newSet(ctx, c).ID, &scaleset.RunnerScaleSet{Name: name}))
			same("name", changed.Name, name)
		}},
		{"sets: renamed to a name that is taken", func(ctx context.Context) {
			c := client()
			_, err := c.UpdateRunnerScaleSet(ctx, newSet(ctx, c).ID, &scaleset.RunnerScaleSet{Name: newSet(ctx, c).Name})
			says(err, "400 Bad Request", "RunnerScaleSetExistsException")
		}},
		{"sets: moved to another group", func(ctx context.Context) {
			c := client()
			made := newSet(ctx, c)
			changed := must(c.UpdateRunnerScaleSet(ctx, made.ID, &scaleset.RunnerScaleSet{RunnerGroupID: 2}))
			same("group", changed.RunnerGroupName, "big")
			same("name", changed.Name, made.Name)
		}},
		{"sets: deleted", func(ctx context.Context) {
			c := client()
			made := newSet(ctx, c)
			ok(c.DeleteRunnerScaleSet(ctx, made.ID))
			same("set", must(c.GetRunnerScaleSet(ctx, 1, made.Name)), nil)
			says(c.DeleteRunnerScaleSet(ctx, made.ID), "404 Not Found", "RunnerScaleSetNotFoundException")
		}},
		{"sets: not deleted while a job runs", func(ctx context.Context) {
			c := client()
			made := newSet(ctx, c)
			_, r, service, plan := running(ctx, c, made)
			says(c.DeleteRunnerScaleSet(ctx, made.ID), "400 Bad Request")
			r.complete(ctx, service, plan)
			ok(c.DeleteRunnerScaleSet(ctx, made.ID))
		}},
	}
}

// A runner of the set that runs a job, and the session that got it.
func running(ctx context.Context, c *scaleset.Client, set *scaleset.RunnerScaleSet) (*scaleset.MessageSessionClient, *runner, string, map[string]any) {
	submit(1, set.Name)
	s := open(ctx, c, set)
	if *legacy {
		acquire(ctx, s, 1)
	} else {
		next(ctx, s, 0, 1)
	}
	r := connect(ctx, jit(ctx, c, set).EncodedJITConfig)
	service, plan := r.take(ctx)
	return s, r, service, plan
}

func runners() []check {
	work := func(ctx context.Context, folder string) string {
		c := client()
		setting := &scaleset.RunnerScaleSetJitRunnerSetting{Name: fresh("runner"), WorkFolder: folder}
		config := must(c.GenerateJitRunnerConfig(ctx, setting, newSet(ctx, c).ID))
		return files(config.EncodedJITConfig)[".runner"]["WorkFolder"].(string)
	}
	return []check{
		{"jit: three files", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			config := jit(ctx, c, set)
			same("set", config.Runner.RunnerScaleSetID, set.ID)
			content := files(config.EncodedJITConfig)
			same("files", len(content), 3)
			same("name", content[".runner"]["AgentName"].(string), config.Runner.Name)
		}},
		{"jit: the work folder", func(ctx context.Context) { same("folder", work(ctx, "_elsewhere"), "_elsewhere") }},
		{"jit: no work folder", func(ctx context.Context) { same("folder", work(ctx, ""), "_work") }},
		{"jit: a name that is taken", func(ctx context.Context) {
			c := client()
			taken := jit(ctx, c, newSet(ctx, c)).Runner.Name
			_, err := c.GenerateJitRunnerConfig(ctx, &scaleset.RunnerScaleSetJitRunnerSetting{Name: taken}, newSet(ctx, c).ID)
			says(err, "409 Conflict")
			same("exists", errors.Is(err, scaleset.RunnerExistsError), true)
		}},
		{"jit: an unknown set", func(ctx context.Context) {
			_, err := client().GenerateJitRunnerConfig(ctx, &scaleset.RunnerScaleSetJitRunnerSetting{Name: "r"}, 1_000_000)
			says(err, "404 Not Found", "RunnerScaleSetNotFoundException")
		}},
		{"jit: a lost answer is a taken name", func(ctx context.Context) {
			c := patient()
			set := newSet(ctx, c)
			fault("generatejitconfig", 0, 1, `,"afterEffect":true,"dropped":true`)
			_, err := c.GenerateJitRunnerConfig(ctx, &scaleset.RunnerScaleSetJitRunnerSetting{Name: fresh("runner")}, set.ID)
			same("exists", errors.Is(err, scaleset.RunnerExistsError), true)
		}},
		{"runners: by id", func(ctx context.Context) {
			c := client()
			made := jit(ctx, c, newSet(ctx, c)).Runner
			same("runner", *must(c.GetRunner(ctx, made.ID)), *made)
		}},
		{"runners: by name, in any case", func(ctx context.Context) {
			c := client()
			made := jit(ctx, c, newSet(ctx, c)).Runner
			same("runner", *must(c.GetRunnerByName(ctx, strings.ToUpper(made.Name))), *made)
		}},
		{"runners: an unknown id", func(ctx context.Context) {
			_, err := client().GetRunner(ctx, 1_000_000)
			says(err, "404 Not Found")
			same("not found", errors.Is(err, scaleset.RunnerNotFoundError), true)
		}},
		{"runners: an unknown name", func(ctx context.Context) {
			same("runner", must(client().GetRunnerByName(ctx, "none")), nil)
		}},
		{"runners: removed before it connects", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			made := jit(ctx, c, set).Runner
			ok(c.RemoveRunner(ctx, int64(made.ID)))
			same("runner", must(c.GetRunnerByName(ctx, made.Name)), nil)
			must(c.GenerateJitRunnerConfig(ctx, &scaleset.RunnerScaleSetJitRunnerSetting{Name: made.Name}, set.ID))
		}},
		{"runners: removed while idle", func(ctx context.Context) {
			c := client()
			config := jit(ctx, c, newSet(ctx, c))
			connect(ctx, config.EncodedJITConfig)
			ok(c.RemoveRunner(ctx, int64(config.Runner.ID)))
		}},
		{"runners: an unknown one is removed", func(ctx context.Context) { ok(client().RemoveRunner(ctx, 1_000_000)) }},
		{"runners: not removed while busy", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			_, r, service, plan := running(ctx, c, set)
			id := must(c.GetRunnerScaleSetByID(ctx, set.ID))
			same("busy", id.Statistics.TotalBusyRunners, 1)
			busy := must(c.GetRunnerByName(ctx, fmt.Sprintf("runner-%d", named.Load())))
			err := c.RemoveRunner(ctx, int64(busy.ID))
			says(err, "400 Bad Request")
			same("still running", errors.Is(err, scaleset.JobStillRunningError), true)
			r.complete(ctx, service, plan)
			_, err = c.GetRunner(ctx, busy.ID)
			same("gone with its job", errors.Is(err, scaleset.RunnerNotFoundError), true)
		}},
	}
}

func sessions() []check {
	ended := byFlavour([]string{"404 Not Found", "RunnerAdminException"}, []string{"400 Bad Request", "RunnerScaleSetSessionExpiredException", "is not valid"})
	return []check{
		{"sessions: opened", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			session := open(ctx, c, set).Session()
			same("owner", session.OwnerName, "me")
			same("set", session.RunnerScaleSet.ID, set.ID)
			same("token", len(strings.Split(session.MessageQueueAccessToken, ".")), 3)
			same("jobs", *session.Statistics, scaleset.RunnerScaleSetStatistic{})
		}},
		{"sessions: the URL of the queue", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			session := open(ctx, c, set).Session()
			u := must(url.Parse(session.MessageQueueURL))
			if !*legacy {
				same("path", u.Path, "/scalesets/message")
				return
			}
			says(errors.New(u.Path), "/_services/pipelines/", fmt.Sprintf("/_apis/runtime/runnerscalesets/%d/messages", set.ID))
			same("session", u.Query().Get("sessionId"), session.SessionID.String())
		}},
		{"sessions: a second one conflicts, of the same owner too", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			open(ctx, c, set)
			_, err := c.MessageSessionClient(ctx, set.ID, "me")
			says(err, "409 Conflict", "RunnerScaleSetSessionConflictException", "already has an active session")
			same("owner", strings.Contains(err.Error(), "for owner me"), *legacy)
		}},
		{"sessions: free after the end", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			ok(open(ctx, c, set).Close(ctx))
			open(ctx, c, set)
		}},
		{"sessions: of an unknown set", func(ctx context.Context) {
			_, err := client().MessageSessionClient(ctx, 1_000_000, "me")
			says(err, "404 Not Found", "RunnerScaleSetNotFoundException")
		}},
		{"sessions: a dead one is not ended again", func(ctx context.Context) {
			c := client()
			s := open(ctx, c, newSet(ctx, c))
			ok(s.Close(ctx))
			says(s.Close(ctx), ended...)
		}},
		{"sessions: a dead one has no messages and is not refreshed", func(ctx context.Context) {
			c := client()
			s := open(ctx, c, newSet(ctx, c))
			ok(s.Close(ctx))
			_, err := s.GetMessage(ctx, 0, 1)
			says(err, append(ended, "failed to refresh message session")...)
		}},
		{"sessions: the set is deleted under it", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			s := open(ctx, c, set)
			ok(c.DeleteRunnerScaleSet(ctx, set.ID))
			_, err := s.GetMessage(ctx, 0, 1)
			says(err, "404 Not Found", "RunnerScaleSetNotFoundException")
		}},
		{"sessions: no URL of a queue", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			control("PUT", "faults", `{"odd":{"emptyQueueUrl":1}}`)
			same("url", open(ctx, c, set).Session().MessageQueueURL, "")
		}},
	}
}

func messages() []check {
	return []check{
		{"messages: none within the time of a poll", func(ctx context.Context) {
			c := client()
			same("message", next(ctx, open(ctx, c, newSet(ctx, c)), 0, 1), nil)
		}},
		{"messages: ids by flavour, and they rise", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			s := open(ctx, c, set)
			submit(1, set.Name)
			one := next(ctx, s, 0, 5)
			submit(1, set.Name)
			two := next(ctx, s, one.MessageID, 5)
			same("rises", two.MessageID > one.MessageID, true)
			same("large", one.MessageID > 100_000_000, !*legacy)
		}},
		{"messages: what is not deleted comes again", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			s := open(ctx, c, set)
			submit(1, set.Name)
			id := next(ctx, s, 0, 1).MessageID
			same("again", next(ctx, s, 0, 1).MessageID, id)
			same("after it", next(ctx, s, id, 1), nil)
			ok(s.DeleteMessage(ctx, id))
			same("deleted", next(ctx, s, 0, 1), nil)
		}},
		{"messages: they outlive their session", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			s := open(ctx, c, set)
			submit(1, set.Name)
			id := next(ctx, s, 0, 1).MessageID
			ok(s.Close(ctx))
			same("id", next(ctx, open(ctx, c, set), 0, 1).MessageID, id)
		}},
		{"messages: one that is gone is deleted", func(ctx context.Context) {
			c := client()
			ok(open(ctx, c, newSet(ctx, c)).DeleteMessage(ctx, 4711))
		}},
		{"messages: a poll wakes up for a job", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			s := open(ctx, c, set)
			time.AfterFunc(200*time.Millisecond, func() { submit(1, set.Name) })
			for range 3 {
				if message := next(ctx, s, 0, 1); message != nil {
					return
				}
			}
			fail("no message")
		}},
		{"messages: of a job", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			s := open(ctx, c, set)
			id := submit(1, set.Name)[0]
			job := first(next(ctx, s, 0, 1))
			same("id", job.JobID, id)
			same("request id", job.RunnerRequestID > 0, *legacy)
			same("owner", job.OwnerName, "acme")
			same("labels", strings.Join(job.RequestLabels, " "), set.Name)
			same("queued", job.QueueTime.IsZero(), false)
			same("assigned", job.ScaleSetAssignTime.IsZero(), *legacy)
			same("finished", job.FinishTime.IsZero(), true)
		}},
		{"messages: where an offer is acquired", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			s := open(ctx, c, set)
			submit(1, set.Name)
			message := next(ctx, s, 0, 1)
			if !*legacy {
				same("offers", len(message.JobAvailableMessages), 0)
				return
			}
			says(errors.New(message.JobAvailableMessages[0].AcquireJobURL), fmt.Sprintf("/%d/acquirejobs", set.ID))
		}},
		{"messages: fifty events and no more", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			s := open(ctx, c, set)
			submit(60, set.Name)
			one := next(ctx, s, 0, 100)
			same("first", events(one), 50)
			same("second", events(next(ctx, s, one.MessageID, 100)), 10)
		}},
		{"messages: the capacity limits a broker only", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			s := open(ctx, c, set)
			submit(4, set.Name)
			same("events", events(next(ctx, s, 0, 3)), byFlavour(3, 4))
		}},
		{"messages: a negative capacity", func(ctx context.Context) {
			c := client()
			_, err := open(ctx, c, newSet(ctx, c)).GetMessage(ctx, 0, -1)
			says(err, "400 Bad Request", "X-ScaleSetMaxCapacity")
		}},
		{"messages: statistics at delivery", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			s := open(ctx, c, set)
			submit(4, set.Name)
			statistics := *next(ctx, s, 0, 3).Statistics
			same("jobs", statistics, byFlavour(
				scaleset.RunnerScaleSetStatistic{TotalAvailableJobs: 1, TotalAssignedJobs: 3},
				scaleset.RunnerScaleSetStatistic{TotalAvailableJobs: 4}))
		}},
		{"messages: a job of a runner", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			s, r, service, plan := running(ctx, c, set)
			r.complete(ctx, service, plan)
			message := next(ctx, s, 0, 1)
			for message != nil && len(message.JobCompletedMessages) == 0 {
				message = next(ctx, s, message.MessageID, 1)
			}
			if message == nil {
				fail("no JobCompleted")
			}
			done := message.JobCompletedMessages[0]
			same("result", done.Result, "succeeded")
			same("runner", strings.HasPrefix(done.RunnerName, "runner-"), true)
			same("runner id", done.RunnerID > 0, true)
			same("finished", done.FinishTime.IsZero(), false)
		}},
		{"messages: a cancelled job had no runner", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			s := open(ctx, c, set)
			id := submit(1, set.Name)[0]
			acquire(ctx, s, 1)
			message := next(ctx, s, 0, 1)
			control("DELETE", "jobs/"+id, "")
			message = next(ctx, s, message.MessageID, 1)
			same("result", message.JobCompletedMessages[0].Result, "canceled")
			same("runner id", message.JobCompletedMessages[0].RunnerID, 0)
			same("runner's time", message.JobCompletedMessages[0].RunnerAssignTime.IsZero(), true)
		}},
		{"messages: a token that is over is refreshed for a poll", func(ctx context.Context) {
			c := client()
			s := open(ctx, c, newSet(ctx, c))
			before := s.Session().MessageQueueAccessToken
			fault("getMessage", 401, 1, "")
			same("message", next(ctx, s, 0, 1), nil)
			same("token", s.Session().MessageQueueAccessToken == before, false)
		}},
		{"messages: and to delete one", func(ctx context.Context) {
			c := client()
			s := open(ctx, c, newSet(ctx, c))
			fault("deleteMessage", 401, 1, "")
			ok(s.DeleteMessage(ctx, 1))
		}},
		{"messages: one that is refused always is over", func(ctx context.Context) {
			c := client()
			s := open(ctx, c, newSet(ctx, c))
			fault("getMessage", 401, -1, "")
			_, err := s.GetMessage(ctx, 0, 1)
			same("expired", errors.Is(err, scaleset.MessageQueueTokenExpiredError), true)
		}},
		{"messages: a token ends by its own time", func(ctx context.Context) {
			c := shortLived(true)
			s := open(ctx, c, newSet(ctx, c))
			before := s.Session().MessageQueueAccessToken
			time.Sleep(2100 * time.Millisecond)
			next(ctx, s, 0, 1)
			same("token", s.Session().MessageQueueAccessToken == before, false)
		}},
	}
}

func acquiring() []check {
	if !*legacy {
		return []check{{"acquire: a broker's router knows no such path", func(ctx context.Context) {
			c := client()
			s := open(ctx, c, newSet(ctx, c))
			for _, ids := range [][]int64{{1}, {}} {
				_, err := s.AcquireJobs(ctx, ids)
				says(err, "404 Not Found", "404 page not found")
			}
		}}}
	}
	// Jobs that two sets may run, and what each of them was offered.
	offered := func(ctx context.Context, count int) (one, two *scaleset.MessageSessionClient, ids []int64) {
		c := client()
		label := fresh("shared")
		one, two = open(ctx, c, newSet(ctx, c, label)), open(ctx, c, newSet(ctx, c, label))
		submit(count, label)
		for _, job := range next(ctx, one, 0, 1).JobAvailableMessages {
			ids = append(ids, job.RunnerRequestID)
		}
		same("offers", len(ids), count)
		same("offers to the other one", len(next(ctx, two, 0, 1).JobAvailableMessages), count)
		return
	}
	won := func(ctx context.Context, s *scaleset.MessageSessionClient, ids []int64) string {
		return fmt.Sprint(must(s.AcquireJobs(ctx, ids)))
	}
	return []check{
		{"acquire: won", func(ctx context.Context) {
			one, _, ids := offered(ctx, 2)
			same("won", won(ctx, one, ids), fmt.Sprint(ids))
		}},
		{"acquire: a part is won", func(ctx context.Context) {
			one, two, ids := offered(ctx, 3)
			same("won", won(ctx, two, ids[1:2]), fmt.Sprint(ids[1:2]))
			same("won", won(ctx, one, ids), fmt.Sprint([]int64{ids[0], ids[2]}))
		}},
		{"acquire: none is won", func(ctx context.Context) {
			one, two, ids := offered(ctx, 1)
			won(ctx, two, ids)
			same("won", won(ctx, one, ids), "[]")
		}},
		{"acquire: nothing is won twice", func(ctx context.Context) {
			one, _, ids := offered(ctx, 1)
			won(ctx, one, ids)
			same("won", won(ctx, one, ids), "[]")
		}},
		{"acquire: nothing is asked for", func(ctx context.Context) {
			one, _, _ := offered(ctx, 1)
			same("won", won(ctx, one, []int64{}), "[]")
			same("won", won(ctx, one, nil), "[]")
		}},
		{"acquire: ids that are not there", func(ctx context.Context) {
			one, _, _ := offered(ctx, 1)
			same("won", won(ctx, one, []int64{0, -1, 1 << 40}), "[]")
		}},
		{"acquire: what was won is assigned", func(ctx context.Context) {
			one, two, ids := offered(ctx, 1)
			won(ctx, one, ids)
			ok(one.DeleteMessage(ctx, must(one.GetMessage(ctx, 0, 1)).MessageID))
			message := next(ctx, one, 0, 1)
			same("assigned", len(message.JobAssignedMessages), 1)
			same("job", message.JobAssignedMessages[0].RunnerRequestID, ids[0])
			same("statistics", *message.Statistics, scaleset.RunnerScaleSetStatistic{TotalAssignedJobs: 1})
			ok(two.DeleteMessage(ctx, must(two.GetMessage(ctx, 0, 1)).MessageID))
			same("nothing for the other one", next(ctx, two, 0, 1), nil)
		}},
		{"acquire: a token that is over is refreshed", func(ctx context.Context) {
			one, _, ids := offered(ctx, 1)
			fault("acquirejobs", 401, 1, "")
			same("won", won(ctx, one, ids), fmt.Sprint(ids))
		}},
		{"acquire: one that is refused always is over", func(ctx context.Context) {
			one, _, ids := offered(ctx, 1)
			fault("acquirejobs", 401, -1, "")
			_, err := one.AcquireJobs(ctx, ids)
			same("expired", errors.Is(err, scaleset.MessageQueueTokenExpiredError), true)
		}},
		{"acquire: in a session that ended", func(ctx context.Context) {
			one, _, ids := offered(ctx, 1)
			ok(one.Close(ctx))
			_, err := one.AcquireJobs(ctx, ids)
			says(err, "400 Bad Request", "RunnerScaleSetSessionExpiredException")
		}},
		{"acquire: others are quicker", func(ctx context.Context) {
			one, _, ids := offered(ctx, 2)
			control("PUT", "faults", `{"legacy":{"won":0}}`)
			same("won", won(ctx, one, ids), "[]")
		}},
	}
}

// Starts a played runner for each one that is wanted.
type scaler struct {
	client             *scaleset.Client
	set                int
	max                int
	mu                 sync.Mutex
	alive              int
	started, completed []string
	results            map[string]int
	stop               func()
	wanted             int
	failure            any
}

func (s *scaler) HandleJobStarted(_ context.Context, job *scaleset.JobStarted) error {
	s.started = append(s.started, job.RunnerName)
	return nil
}

func (s *scaler) HandleJobCompleted(_ context.Context, job *scaleset.JobCompleted) error {
	s.completed = append(s.completed, job.RunnerName)
	s.results[job.Result]++
	if len(s.completed) == s.wanted {
		s.stop()
	}
	return nil
}

func (s *scaler) HandleDesiredRunnerCount(ctx context.Context, count int) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.alive < min(count, s.max) {
		s.alive++
		config, err := s.client.GenerateJitRunnerConfig(ctx, &scaleset.RunnerScaleSetJitRunnerSetting{Name: fresh("runner")}, s.set)
		if err != nil {
			return 0, err
		}
		go s.run(ctx, config.EncodedJITConfig)
	}
	return s.alive, nil
}

func (s *scaler) run(ctx context.Context, config string) {
	defer func() {
		problem := recover()
		s.mu.Lock()
		defer s.mu.Unlock()
		s.alive--
		if problem != nil {
			s.failure = problem
		}
	}()
	r := connect(ctx, config)
	service, plan := r.take(ctx)
	r.complete(ctx, service, plan)
}

func listening() []check {
	return []check{
		{"listener: a burst of jobs", func(ctx context.Context) {
			c := client()
			set := newSet(ctx, c)
			session := open(ctx, c, set)
			l := must(listener.New(session, listener.Config{ScaleSetID: set.ID, MaxRunners: 10}))
			submit(30, set.Name)
			running, stop := context.WithCancel(ctx)
			s := &scaler{client: c, set: set.ID, max: 10, results: map[string]int{}, wanted: 30, stop: stop}
			if err := l.Run(running, s); !errors.Is(err, context.Canceled) {
				fail("%v", err)
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			same("problem of a runner", s.failure, nil)
			same("started", len(s.started), 30)
			same("succeeded", s.results["succeeded"], 30)
			slices.Sort(s.started)
			slices.Sort(s.completed)
			same("runners", fmt.Sprint(s.started), fmt.Sprint(s.completed))
			statistics := must(c.GetRunnerScaleSetByID(ctx, set.ID)).Statistics
			same("jobs left", statistics.TotalAssignedJobs+statistics.TotalAvailableJobs, 0)
			ok(session.Close(ctx))
		}},
	}
}
