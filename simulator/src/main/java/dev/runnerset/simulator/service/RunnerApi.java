package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What a runner speaks to be given a job: OAuth, session, message (protocol 8.2, protocol 8.3). */
final class RunnerApi {
  private static final Duration ACCESS_TOKEN = Duration.ofHours(1);
  private final ServiceState state;
  private final RunnerRegistry runners;
  private final JobFlow flow;
  private final JitKeys keys;

  RunnerApi(ServiceState state, RunnerRegistry runners, JobFlow flow, JitKeys keys) {
    this.state = state;
    this.runners = runners;
    this.flow = flow;
    this.keys = keys;
  }

  Reply token(Request request) {
    var assertion = request.form().getOrDefault("client_assertion", "");
    var client = Jwt.claims(assertion).path("iss").asText();
    var key =
        state.enter(now -> {
          var runner = runners.byClient(client);
          if (runner.isEmpty()) {
            runners.retired(client).ifPresent(name -> usedTwice(name, now));
          }
          return runner.map(r -> r.key);
        });
    if (key.isEmpty() || !keys.signed(assertion, key.get())) {
      return Reply.json(
          400,
          Json.object()
              .put("error", "invalid_client")
              .put("error_description", "Registration " + client + " was not found."));
    }
    return state.enter(now ->
        runners
            .byClient(client)
            .map(runner ->
                Reply.json(
                    200,
                    Json.object()
                        .put("access_token", runners.issueToken(runner))
                        .put("expires_in", ACCESS_TOKEN.toSeconds())
                        .put("token_type", "Bearer")))
            .orElseGet(() -> Reply.json(400, Json.object().put("error", "invalid_client"))));
  }

  private void usedTwice(String name, Instant now) {
    state.violations.add(
        now,
        Violation.Kind.JIT_USED_TWICE,
        name,
        "a second runner started with its JIT configuration");
  }

  Reply createSession(Request request) {
    var owner = Json.field(request.json(), "ownerName").asText();
    var version = request.json().path("agent").path("version").asText(ReleasedVersions.USUAL);
    return withRunner(
        request,
        (runner, now) -> {
          if (runner.sessions > 0) {
            usedTwice(runner.name, now);
          }
          if (runner.sessionId != null) {
            return error(409, "RunnerSessionConflict", "The runner already has a session.");
          }
          var id = state.ids.get().toString();
          runner.sessionId = id;
          runner.sessions++;
          runner.version = version;
          runner.lastContact = now;
          runners.move(runner, Runner.State.IDLE);
          watch(runner, now);
          var node = Json.object().put("sessionId", id).put("ownerName", owner);
          node.putObject("agent").put("id", runner.id).put("name", runner.name);
          return Reply.json(200, node);
        });
  }

  /** The end of a runner; its job, if it has one, fails once the service has noticed. */
  Reply deleteSession(Request request) {
    return withRunner(
        request,
        (runner, now) -> {
          runner.sessionId = null;
          var job = runner.job;
          if (job != null && runner.state == Runner.State.BUSY) {
            var noticed = now.plus(state.options.timings().orderlyEnd());
            state.agenda.at(noticed, due -> failWithoutRunner(job, runner, due));
            return Reply.empty(200);
          }
          if (runner.state == Runner.State.LINGERING) {
            return Reply.empty(200);
          }
          goOffline(runner, now);
          return Reply.empty(200);
        });
  }

  private void failWithoutRunner(Job job, Runner runner, Instant now) {
    if (runner.job == job && job.state == Job.State.RUNNING && runner.sessionId == null) {
      flow.kill(job, runner, "failed", "its runner ended its session", now);
    }
  }

  private void goOffline(Runner runner, Instant now) {
    var job = runner.job;
    if (job != null && runner.state == Runner.State.OFFERED) {
      flow.withdraw(job, runner, now);
    }
    runners.move(runner, Runner.State.OFFLINE);
    runner.look();
    flow.handOut(runner.set, now);
  }

  /** Looks after the lease: a runner without contact is offline. */
  private void watch(Runner runner, Instant now) {
    state.agenda.at(
        now.plus(Timings.RUNNER_LEASE),
        due -> {
          if (runner.state != Runner.State.IDLE && runner.state != Runner.State.OFFERED) {
            return;
          }
          var last = runner.polls > 0 ? due : runner.lastContact;
          if (last.plus(Timings.RUNNER_LEASE).isAfter(due)) {
            watch(runner, last);
          } else {
            goOffline(runner, due);
          }
        });
  }

  Reply poll(Request request) {
    var found =
        state.enter(now -> {
          var runner = runner(request);
          runner.ifPresent(r -> r.polls++);
          return runner;
        });
    if (found.isEmpty()) {
      return notFound();
    }
    var runner = found.get();
    var session = request.parameter("sessionId").orElse("");
    try {
      return Parking.until(
          request.gone(),
          Timings.RUNNER_POLL,
          () -> state.enter(now -> look(runner, session, now)));
    } finally {
      state.enter(now -> {
        runner.polls--;
        runner.lastContact = now;
        if (runner.polls == 0) {
          runner.set.parked.remove(runner);
        }
        return true;
      });
    }
  }

  private Parking.Look look(Runner runner, String session, Instant now) {
    if (runner.state == Runner.State.GONE) {
      return new Parking.Look.Answer(notFound());
    }
    if (!session.equals(runner.sessionId)) {
      return new Parking.Look.Answer(error(404, "RunnerSessionInvalid", "No such session."));
    }
    runner.lastContact = now;
    if (runner.state == Runner.State.OFFLINE) {
      runners.move(runner, Runner.State.IDLE);
      watch(runner, now);
    }
    flow.offerTo(runner, now);
    var job = runner.job;
    if (job != null && runner.state == Runner.State.OFFERED) {
      return new Parking.Look.Answer(Reply.json(200, message(job)));
    }
    if (runner.state == Runner.State.IDLE) {
      runner.set.parked.add(runner);
    }
    runner.rearm();
    return new Parking.Look.Wait(runner.wake, Duration.ofDays(1));
  }

  private ObjectNode message(Job job) {
    var body =
        Json.object()
            .put("id", job.id.toString())
            .put("runner_request_id", RunServiceApi.requestId(job))
            .put("should_acknowledge", true)
            .put("run_service_url", state.root() + "/run")
            .put("billing_owner_id", "O_1");
    return Json.object()
        .put("messageId", job.number)
        .put("messageType", "RunnerJobRequest")
        .put("body", Json.text(body));
  }

  Reply acknowledge(Request request) {
    return withRunner(request, (runner, now) -> Reply.empty(200));
  }

  private interface RunnerBody {
    Reply reply(Runner runner, Instant now);
  }

  private Reply withRunner(Request request, RunnerBody body) {
    return state.enter(
        now -> runner(request).map(r -> body.reply(r, now)).orElseGet(RunnerApi::notFound));
  }

  private Optional<Runner> runner(Request request) {
    return request.credential("Bearer").flatMap(runners::byToken);
  }

  private static Reply notFound() {
    return error(404, "RunnerNotFound", "The runner registration was deleted.");
  }

  private static Reply error(int status, String kind, String message) {
    return Reply.json(
        status,
        Json.object()
            .put("source", "actions-broker-listener")
            .put("errorKind", kind)
            .put("statusCode", status)
            .put("errorMessage", message));
  }
}
