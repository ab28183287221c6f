// Runs the official client and its listener against a simulated Actions service, and prints one
// line of JSON for each check: {"name", "ok", "detail"}.
package main

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"github.com/actions/scaleset"
)

var (
	root   = flag.String("url", "", "the simulated service")
	short  = flag.String("short", "", "another one, with HTTPS, whose tokens live for 2 s (queue) and 30 s (admin)")
	ca     = flag.String("ca", "", "file with what its certificate is trusted by")
	legacy = flag.Bool("legacy", false, "it plays the legacy flavour")
	pat    = flag.String("token", "", "a token that it accepts")
	appKey = flag.String("app-key", "", "file with the key of the app 'app-1', whose installation is 7")
	only   = flag.String("only", "", "run the checks whose name contains this")
)

// What a check does; it fails with an error, or by calling fail.
type check struct {
	name string
	run  func(ctx context.Context)
}

type failure string

func main() {
	flag.Parse()
	out := json.NewEncoder(os.Stdout)
	for _, c := range checks() {
		if strings.Contains(c.name, *only) {
			detail := outcome(c)
			out.Encode(map[string]any{"name": c.name, "ok": detail == "", "detail": detail})
		}
	}
}

func outcome(c check) (detail string) {
	defer func() {
		if e := recover(); e != nil {
			detail = fmt.Sprint(e)
		}
		control("PUT", "faults", `{}`)
	}()
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	c.run(ctx)
	return ""
}

func fail(format string, args ...any) { panic(failure(fmt.Sprintf(format, args...))) }

func must[T any](value T, err error) T {
	ok(err)
	return value
}

func ok(err error) {
	if err != nil {
		fail("%v", err)
	}
}

func same[T comparable](what string, got, wanted T) {
	if got != wanted {
		fail("%s: %v, not %v", what, got, wanted)
	}
}

// The error is there, and its text has all of this.
func says(err error, texts ...string) {
	if err == nil {
		fail("no error, but wanted %q", texts)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			fail("%v: does not say %q", err, text)
		}
	}
}

func byFlavour[T any](ofBroker, ofLegacy T) T {
	if *legacy {
		return ofLegacy
	}
	return ofBroker
}

// The control interface of the simulated service.
func control(method, path, body string) map[string]any {
	request := must(http.NewRequest(method, *root+"/_control/"+path, strings.NewReader(body)))
	response := must(http.DefaultClient.Do(request))
	defer response.Body.Close()
	text := must(io.ReadAll(response.Body))
	if response.StatusCode >= 300 {
		fail("%s %s: %s %s", method, path, response.Status, text)
	}
	answer := map[string]any{}
	if len(text) > 0 {
		ok(json.Unmarshal(text, &answer))
	}
	return answer
}

// The next times calls of that name answer so; more is further fields of the fault.
func fault(call string, status, times int, more string) {
	control("PUT", "faults", fmt.Sprintf(`{"http":[{"endpoint":%q,"status":%d,"times":%d%s}]}`, call, status, times, more))
}

func calls(name string) int {
	count, _ := control("GET", "counters", "")["calls"].(map[string]any)[name].(float64)
	return int(count)
}

func submit(count int, label string) []string {
	body := fmt.Sprintf(`{"count":%d,"labels":[%q],"durationSeconds":0.1}`, count, label)
	var ids []string
	for _, id := range control("POST", "jobs", body)["jobIds"].([]any) {
		ids = append(ids, id.(string))
	}
	return ids
}

var info = scaleset.SystemInfo{System: "stranger", Version: "1.2.3", CommitSHA: "abc", ScaleSetID: 7, Subsystem: "checks"}

func configured(path, token string, options ...scaleset.HTTPOption) (*scaleset.Client, error) {
	return scaleset.NewClientWithPersonalAccessToken(scaleset.NewClientWithPersonalAccessTokenConfig{
		GitHubConfigURL: *root + path, PersonalAccessToken: token, SystemInfo: info,
	}, append([]scaleset.HTTPOption{scaleset.WithRetryMax(0)}, options...)...)
}

func client(options ...scaleset.HTTPOption) *scaleset.Client {
	return must(configured("/acme", *pat, options...))
}

// A client of the service with HTTPS and short lives.
func shortLived(trusted bool, options ...scaleset.HTTPOption) *scaleset.Client {
	pool := x509.NewCertPool()
	if trusted {
		pool.AppendCertsFromPEM(must(os.ReadFile(*ca)))
	}
	return must(scaleset.NewClientWithPersonalAccessToken(scaleset.NewClientWithPersonalAccessTokenConfig{
		GitHubConfigURL: *short + "/acme", PersonalAccessToken: *pat, SystemInfo: info,
	}, append(options, scaleset.WithRetryMax(0), scaleset.WithRootCAs(pool))...))
}

// A client that tries a call again after a second.
func patient() *scaleset.Client { return client(scaleset.WithRetryMax(1)) }

func app(id string, installation int64, key string) *scaleset.Client {
	return must(scaleset.NewClientWithGitHubApp(scaleset.ClientWithGitHubAppConfig{
		GitHubConfigURL: *root + "/acme", SystemInfo: info,
		GitHubAppAuth: scaleset.GitHubAppAuth{ClientID: id, InstallationID: installation, PrivateKey: key},
	}, scaleset.WithRetryMax(0)))
}

var named atomic.Int64

func fresh(prefix string) string { return fmt.Sprintf("%s-%d", prefix, named.Add(1)) }

func newSet(ctx context.Context, c *scaleset.Client, labels ...string) *scaleset.RunnerScaleSet {
	wanted := &scaleset.RunnerScaleSet{Name: fresh("set"), RunnerGroupID: 1}
	for _, label := range labels {
		wanted.Labels = append(wanted.Labels, scaleset.Label{Name: label})
	}
	return must(c.CreateRunnerScaleSet(ctx, wanted))
}

func jit(ctx context.Context, c *scaleset.Client, set *scaleset.RunnerScaleSet) *scaleset.RunnerScaleSetJitRunnerConfig {
	return must(c.GenerateJitRunnerConfig(ctx, &scaleset.RunnerScaleSetJitRunnerSetting{Name: fresh("runner")}, set.ID))
}

func open(ctx context.Context, c *scaleset.Client, set *scaleset.RunnerScaleSet) *scaleset.MessageSessionClient {
	return must(c.MessageSessionClient(ctx, set.ID, "me"))
}

// The next message with events, or nil when a poll ends without; others are acknowledged.
func next(ctx context.Context, s *scaleset.MessageSessionClient, after, capacity int) *scaleset.RunnerScaleSetMessage {
	for {
		message := must(s.GetMessage(ctx, after, capacity))
		if message == nil || events(message) > 0 {
			return message
		}
		after = message.MessageID
		ok(s.DeleteMessage(ctx, message.MessageID))
	}
}

func events(m *scaleset.RunnerScaleSetMessage) int {
	return len(m.JobAvailableMessages) + len(m.JobAssignedMessages) + len(m.JobStartedMessages) + len(m.JobCompletedMessages)
}

// What the first event of a job says: JobAssigned of a broker, JobAvailable of a legacy service.
func first(m *scaleset.RunnerScaleSetMessage) scaleset.JobMessageBase {
	if m == nil {
		fail("no message")
	}
	if *legacy {
		if len(m.JobAvailableMessages) == 0 {
			fail("no JobAvailable")
		}
		return m.JobAvailableMessages[0].JobMessageBase
	}
	if len(m.JobAssignedMessages) == 0 {
		fail("no JobAssigned")
	}
	return m.JobAssignedMessages[0].JobMessageBase
}

// Acquires so many offered jobs, which only a legacy service needs.
func acquire(ctx context.Context, s *scaleset.MessageSessionClient, count int) {
	for won := 0; *legacy && won < count; {
		message := next(ctx, s, 0, 10)
		if message == nil {
			fail("no offer")
		}
		ok(s.DeleteMessage(ctx, message.MessageID))
		var ids []int64
		for _, job := range message.JobAvailableMessages {
			ids = append(ids, job.RunnerRequestID)
		}
		won += len(must(s.AcquireJobs(ctx, ids)))
	}
}

// Remembers what a client sends.
func spied(headers *[]http.Header) scaleset.HTTPOption {
	return scaleset.WithProxy(func(r *http.Request) (*url.URL, error) {
		*headers = append(*headers, r.Header.Clone())
		return nil, nil
	})
}

// The key of nobody, in PEM.
func otherKey() string {
	key := must(rsa.GenerateKey(rand.Reader, 2048))
	block := &pem.Block{Type: "PRIVATE KEY", Bytes: must(x509.MarshalPKCS8PrivateKey(key))}
	return string(pem.EncodeToMemory(block))
}
