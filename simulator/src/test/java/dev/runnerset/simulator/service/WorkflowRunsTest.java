package dev.runnerset.simulator.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the REST API says of runs, and which reruns it refuses (protocol 3.17, 3.18). */
final class WorkflowRunsTest {
  private static final String RUNNING = "403 " + Reruns.RUNNING;
  private static final String NEVER = "403 " + Reruns.NEVER;
  private static final String OLD = "403 " + Reruns.OLD;
  private static final String FORMER = "403 " + Reruns.FORMER_ATTEMPT;
  private static final String NOT_GRANTED = "403 " + RestAccess.NOT_GRANTED;
  private static final String NONE = "404 Not Found";

  /** A run whose job b has failed. */
  private static final String FAILED = "run a,b! take end a end b ";

  static Stream<RunPlay.Row> rows() {
    return Stream.of(
        new RunPlay.Row(
            "a run waits for its jobs", "run a,b get jobs", "queued 1 | a1:queued b1:queued"),
        new RunPlay.Row("it is in progress with the first", "run a,b take get", "in_progress 1"),
        new RunPlay.Row("it is while one job is left", "run a,b take end a get", "in_progress 1"),
        new RunPlay.Row(
            "it completes with its last job",
            "run a,b take end a end b get jobs",
            "completed success 1 | a1:success b1:success"),
        new RunPlay.Row("it fails with one job", FAILED + "get", "completed failure 1"),
        new RunPlay.Row(
            "a person cancels it",
            "run a,b! take end b cancel get jobs",
            "completed cancelled 1 | a1:cancelled b1:failure"),
        new RunPlay.Row(
            "it may complete later than its jobs",
            "run a! lag 5 take end a get rerun pass 5 get",
            "in_progress 1 | " + RUNNING + " | completed failure 1"),
        new RunPlay.Row("the same answer again", FAILED + "get same", "completed failure 1 | 304"),
        new RunPlay.Row(
            "another answer", FAILED + "get person same", "completed failure 1 | queued 2"),
        new RunPlay.Row(
            "the failed jobs run again, the others stand as they ended",
            FAILED + "rerun get jobs",
            "201 | queued 2 | a1:success b2:queued"),
        new RunPlay.Row(
            "all attempts are listed",
            FAILED + "rerun every",
            "201 | a1:success b1:failure b2:queued"),
        new RunPlay.Row(
            "a new attempt runs as any other",
            FAILED + "rerun take get end b get",
            "201 | in_progress 2 | completed failure 2"),
        new RunPlay.Row(
            "the cancelled jobs run again, too",
            "run a,b take end a cancel rerun jobs",
            "201 | a1:success b2:queued"),
        new RunPlay.Row(
            "one job runs again alone", FAILED + "again a jobs", "201 | a2:queued b1:failure"),
        new RunPlay.Row(
            "each attempt has its own result",
            FAILED + "rerun take end b every",
            "201 | a1:success b1:failure b2:failure"),
        new RunPlay.Row("of two reruns one is granted", FAILED + "rerun rerun", "201 | " + RUNNING),
        new RunPlay.Row("a person was first", FAILED + "person rerun", RUNNING),
        new RunPlay.Row("a run that runs is refused", "run a,b! take end b rerun", RUNNING),
        new RunPlay.Row("and one that waits", "run a rerun again a", RUNNING + " | " + RUNNING),
        new RunPlay.Row("nothing failed", "run a take end a rerun", NEVER),
        new RunPlay.Row("30 days old", FAILED + "age 30 rerun", "201"),
        new RunPlay.Row(
            "31 days old",
            FAILED + "age 31 rerun again a get",
            OLD + " | " + OLD + " | completed failure 1"),
        new RunPlay.Row(
            "its workflow is deleted",
            FAILED + "unfiled rerun get",
            NEVER + " | completed failure 1"),
        new RunPlay.Row(
            "the run is deleted",
            FAILED + "delete rerun get jobs",
            NONE + " | " + NONE + " | " + NONE),
        new RunPlay.Row(
            "its repository is deleted", FAILED + "drop rerun get", NONE + " | " + NONE),
        new RunPlay.Row(
            "its repository has moved",
            FAILED + "move p/q get rerun",
            "301 Moved Permanently | 307 Temporary Redirect"),
        new RunPlay.Row(
            "a wrong token",
            FAILED + "token no get rerun",
            "401 Bad credentials | 401 Bad credentials"),
        new RunPlay.Row(
            "a token without the scope", FAILED + "scope admin:org get rerun", NONE + " | " + NONE),
        new RunPlay.Row(
            "an app without the permission",
            FAILED + "app none get rerun",
            NOT_GRANTED + " | " + NOT_GRANTED),
        new RunPlay.Row(
            "an app that reads",
            FAILED + "app read get rerun again a",
            "completed failure 1 | " + NOT_GRANTED + " | " + NOT_GRANTED),
        new RunPlay.Row(
            "an app that writes", FAILED + "app write get rerun", "completed failure 1 | 201"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void answers(RunPlay.Row row) {
    assertThat(new RunPlay().all(row.steps())).isEqualTo(row.answers());
  }

  @Test
  void aJobOfAFormerAttemptIsNotRunAgain() {
    var play = new RunPlay();
    play.all("run a! take end a");
    long first = play.job("a").restId;
    play.all("rerun take end a");
    var refused = play.call("POST", "jobs/" + first + "/rerun");
    assertThat(refused.status() + " " + message(refused)).isEqualTo(FORMER);
  }

  private static String message(Reply reply) {
    return Json.parse(reply.body()).path("message").asText();
  }

  /** The path with the repository's number answers, whatever it is called. */
  @ParameterizedTest
  @CsvSource({
    "GET, runs/RUN, 200",
    "GET, runs/RUN/jobs?page=1, 200",
    "POST, runs/RUN/rerun-failed-jobs, 201",
    "POST, jobs/JOB/rerun, 201"
  })
  void aMovedRepositoryIsFoundWhereItsFormerNameLeads(String method, String path, int status) {
    var play = new RunPlay();
    play.all(FAILED + "move p/q");
    var run = play.control.runs().all().getFirst();
    var asked = path.replace("RUN", "" + run.id()).replace("JOB", "" + play.job("b").restId);
    var redirect = play.call(method, asked);
    var location = redirect.headers().get("Location");
    assertThat(location).contains("/api/v3/repositories/").endsWith("/actions/" + asked);
    assertThat(play.call(method, location).status()).isEqualTo(status);
  }

  @Test
  void jobsComeInPages() {
    var play = new RunPlay();
    var request = JobRequest.of(70, "x", Duration.ofMinutes(1)).withDisplayName("test");
    long run = play.control.runs().queue("o/r", List.of(request));
    var path = "runs/" + run + "/jobs?per_page=30&page=";
    var second = play.call("GET", path + 2);
    var body = Json.parse(second.body());
    assertThat(body.get("total_count").asInt()).isEqualTo(70);
    assertThat(body.at("/jobs/0/name").asText()).isEqualTo("test (31)");
    assertThat(body.at("/jobs/0/id").canConvertToInt()).as("longer than an int").isFalse();
    assertThat(second.headers().get("Link"))
        .containsSubsequence(
            "page=1&per_page=30>; rel=\"prev\"",
            "page=3&per_page=30>; rel=\"next\"",
            "page=3&per_page=30>; rel=\"last\"");
    assertThat(Json.parse(play.call("GET", path + 3).body()).get("jobs")).hasSize(10);
    assertThat(play.call("GET", path + 3).headers().get("Link")).doesNotContain("next");
    var usual = play.call("GET", "runs/" + run + "/jobs");
    assertThat(Json.parse(usual.body()).get("jobs")).hasSize(30);
  }

  @Test
  void callsAreCountedAgainstTheLimitButNot304() {
    var play = new RunPlay();
    play.all(FAILED);
    play.control.faults(FaultPlan.NONE.withRestPerHour(3));
    var path = "runs/" + play.control.runs().all().getFirst().id();
    var first = play.call("GET", path).headers();
    assertThat(first)
        .containsEntry("X-RateLimit-Limit", "3")
        .containsEntry("X-RateLimit-Remaining", "2")
        .containsEntry("X-RateLimit-Resource", "core")
        .containsEntry(
            "X-RateLimit-Reset", "" + play.clock.instant().plusSeconds(3600).getEpochSecond())
        .containsEntry("X-OAuth-Scopes", "admin:org, repo");
    assertThat(play.all("get same same get get"))
        .startsWith(
            "completed failure 1 | 304 | 304 | completed failure 1 | 403 API rate limit exceeded");
    play.pass(Duration.ofHours(1));
    assertThat(play.all("get")).isEqualTo("completed failure 1");
    assertThat(play.control.counters()).containsEntry("workflowRun.304", 2L);
  }

  @ParameterizedTest
  @CsvSource({
    "403, PRIMARY_LIMIT, 900, API rate limit exceeded, X-RateLimit-Remaining, 0",
    "429, PRIMARY_LIMIT, 900, API rate limit exceeded, X-RateLimit-Reset, 1767226500",
    "403, SECONDARY_LIMIT, 45, secondary rate limit, Retry-After, 45",
    "429, SECONDARY_LIMIT, , secondary rate limit, Retry-After, 60",
    "403, SAML, , SAML enforcement, X-GitHub-SSO, required",
    "403, IP_ALLOW_LIST, , IP allow list, Retry-After, "
  })
  void refusalsCanBePlanned(
      int status, HttpFault.Body body, Long seconds, String says, String header, String value) {
    var play = new RunPlay();
    var fault = HttpFault.answer("rerunFailedJobs", status, 1).withBody(body);
    var after = seconds == null ? null : Duration.ofSeconds(seconds);
    play.control.faults(FaultPlan.NONE.withHttp(fault.withRetryAfter(after)));
    play.all(FAILED);
    long run = play.control.runs().all().getFirst().id();
    var refused = play.call("POST", "runs/" + run + "/rerun-failed-jobs");
    assertThat(refused.status()).isEqualTo(status);
    assertThat(message(refused)).contains(says);
    assertThat(refused.headers().get(header)).isEqualTo(value);
    assertThat(play.all("rerun")).as("without effect").isEqualTo("201");
  }

  /** A token has what the app may do when it is issued. */
  @Test
  void anInstallationTokenSaysWhatItIsGoodFor() {
    var play = new RunPlay();
    play.control.runs().appRepositories(Set.of("o/other"));
    assertThat(play.all(FAILED + "app write get")).isEqualTo(NONE);
    play.control.runs().appRepositories(Set.of("o/r"));
    assertThat(play.all("app write get")).isEqualTo("completed failure 1");
    play.control.runs().appPermissions(Map.of());
    assertThat(play.all("rerun")).isEqualTo("201");
  }
}
