package dev.runnerset.simulator.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs that are started by hand, lists of runs, and registrations that end (protocol 3.19). */
final class DispatchTest {
  private static final String DISPATCHES = "workflows/jobs.yml/dispatches";
  private static final String THREE =
      """
      {"ref": "main", "inputs": {"runs-on": "x", "count": "3", "seconds": "60", "title": "trial"}}
      """;
  private static final String RUNNERS = "/api/v3/orgs/o/actions/runners/";
  private final RunPlay play = new RunPlay();

  DispatchTest() {
    play.control.runs().workflow("o/r", "jobs.yml");
  }

  private static JsonNode body(Reply reply) {
    return Json.parse(reply.body());
  }

  private static String said(Reply reply) {
    return (reply.status() + " " + body(reply).path("message").asText()).strip();
  }

  private JsonNode runs(String query) {
    return body(play.call("GET", "runs" + query)).get("workflow_runs");
  }

  @Test
  void aDispatchQueuesTheJobsThatItAsksFor() {
    var reply = play.call("POST", DISPATCHES, THREE);
    assertThat(reply.status()).isEqualTo(204);
    assertThat(reply.body()).isEmpty();
    var run = runs("").get(0);
    assertThat(run.get("display_title").asText()).isEqualTo("trial");
    assertThat(run.get("event").asText()).isEqualTo("workflow_dispatch");
    assertThat(run.get("path").asText()).isEqualTo(".github/workflows/jobs.yml");
    assertThat(run.get("name").asText()).isEqualTo("jobs");
    var jobs = body(play.call("GET", "runs/" + run.get("id").asLong() + "/jobs")).get("jobs");
    assertThat(jobs.findValuesAsText("name")).containsExactly("job (1)", "job (2)", "job (3)");
    assertThat(jobs.get(0).get("workflow_name").asText()).isEqualTo("jobs");
    assertThat(play.job("job (2)").request.duration()).isEqualTo(Duration.ofMinutes(1));
    assertThat(play.job("job (2)").request.labels()).containsExactly("x");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "jobs.yml  | {'ref':'main','inputs':{'runs-on':'x'}}               | 204",
        "jobs.yml  | {'ref':'refs/heads/main','inputs':{'runs-on':'x'}}    | 204",
        "other.yml | {'ref':'main','inputs':{'runs-on':'x'}}               | 404 Not Found",
        "jobs.yml  | {'ref':'gone','inputs':{'runs-on':'x'}}               | 422 No ref found for: gone",
        "jobs.yml  | {'inputs':{'runs-on':'x'}}                            | 422 Invalid request.",
        "jobs.yml  | {'ref':'main','inputs':{'runs-on':'x','y':'1'}}       | 422 Unexpected inputs provided: [\"y\"]",
        "jobs.yml  | {'ref':'main'}                                        | 422 Required input 'runs-on' not provided",
        "jobs.yml  | {'ref':'main','inputs':{'runs-on':'x','count':'0'}}   | 422 count and seconds",
        "jobs.yml  | {'ref':'main','inputs':{'runs-on':'x','seconds':'a'}} | 422 count and seconds",
        "jobs.yml  |                                                       | 422 Invalid request."
      })
  void whatCannotBeDispatchedIsRefused(String file, String body, String answer) {
    var sent = body == null ? "" : body.replace('\'', '"');
    var reply = play.call("POST", "workflows/" + file + "/dispatches", sent);
    assertThat(said(reply)).startsWith(answer);
    assertThat(runs("")).hasSize(reply.status() == 204 ? 1 : 0);
  }

  @ParameterizedTest
  @CsvSource({
    "none, GET, runs, 403",
    "none, POST, workflows/jobs.yml/dispatches, 403",
    "read, GET, runs, 200",
    "read, POST, workflows/jobs.yml/dispatches, 403",
    "read, POST, runs/17000000001/cancel, 403",
    "write, POST, workflows/jobs.yml/dispatches, 204",
    "write, POST, runs/17000000001/cancel, 202",
    "write, POST, runs/1/cancel, 404"
  })
  void anAppNeedsItsPermission(String permission, String method, String what, int status) {
    play.call("POST", DISPATCHES, THREE);
    play.all("app " + permission);
    assertThat(play.call(method, what, THREE).status()).isEqualTo(status);
  }

  @Test
  void anotherRepositoryIsNotFound() {
    assertThat(play.call("GET", "/api/v3/repos/o/s/actions/runs").status()).isEqualTo(404);
    assertThat(play.call("POST", "/api/v3/repos/p/q/actions/" + DISPATCHES, THREE).status())
        .isEqualTo(404);
  }

  @Test
  void aRunIsCancelledOnce() {
    play.call("POST", DISPATCHES, THREE);
    var cancel = "runs/" + runs("").get(0).get("id").asLong() + "/cancel";
    assertThat(said(play.call("POST", cancel))).isEqualTo("202");
    assertThat(runs("").get(0).get("conclusion").asText()).isEqualTo("cancelled");
    assertThat(said(play.call("POST", cancel))).isEqualTo("409 " + RunsApi.ENDED);
  }

  @ParameterizedTest
  @CsvSource({
    "'', b a pushed",
    "?event=workflow_dispatch, b a",
    "?event=push, pushed",
    "?status=completed, pushed",
    "?status=cancelled, pushed",
    "?status=queued, b a",
    "?created=%3E%3D2026-01-01T00:00:10Z, b",
    "?created=%3C%3D2026-01-01T00:00:09Z, a pushed",
    "?created=2026-01-01T00:00:10Z..2026-01-01T00:00:10Z, b",
    "?created=%3E%3D2026-01-01, b a pushed",
    "?created=%3C%3D2025-12-31, ''",
    "?per_page=1&page=2, a"
  })
  void theNewestRunComesFirst(String query, String titles) {
    play.all("run z cancel");
    dispatch("a");
    play.pass(Duration.ofSeconds(10));
    dispatch("b");
    var found =
        StreamSupport.stream(runs(query).spliterator(), false)
            .map(run -> run.get("display_title").asText().replace("ci", "pushed"))
            .toList();
    assertThat(String.join(" ", found)).isEqualTo(titles);
  }

  private void dispatch(String title) {
    play.call("POST", DISPATCHES, THREE.replace("trial", title));
  }

  @Test
  void aListThatNobodyCanReadIsRefusedAndAPageNamesTheOthers() {
    assertThat(play.call("GET", "runs?created=today").status()).isEqualTo(422);
    dispatch("a");
    dispatch("b");
    assertThat(play.call("GET", "runs?per_page=1&event=workflow_dispatch").headers().get("Link"))
        .contains("event=workflow_dispatch&page=2&per_page=1>; rel=\"next\"");
  }

  @ParameterizedTest
  @CsvSource({
    "admin:org, 204",
    "repo, 403",
  })
  void anIdleRegistrationIsDeletedByWhoMay(String scope, int status) {
    var now = play.clock.instant();
    var runner = play.service.runners.register("idle", play.set, 0, false, now);
    play.all("scope " + scope);
    assertThat(play.call("DELETE", RUNNERS + runner.id).status()).isEqualTo(status);
    assertThat(play.control.runners()).hasSize(status == 204 ? 0 : 1);
  }

  @Test
  void aRunnerWithAJobIsNotDeleted() {
    play.all("run a take");
    int id = play.control.runners().getFirst().id();
    assertThat(said(play.call("DELETE", RUNNERS + id)))
        .isEqualTo("422 Bad request - Runner \"runner-a\" is still running a job");
    assertThat(play.call("DELETE", RUNNERS + 99_999).status()).isEqualTo(404);
    assertThat(play.call("DELETE", "/api/v3/repos/o/r/actions/runners/" + id).status())
        .as("of another scope")
        .isEqualTo(404);
  }
}
