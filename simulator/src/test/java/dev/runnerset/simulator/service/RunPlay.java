package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.testsupport.TestClock;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * One run of the repository {@code o/r}, played in words. What answers is joined by bars.
 *
 * <ul>
 *   <li>{@code run a,b!} queues it with these jobs; one with a mark fails by itself
 *   <li>{@code take} gives every assigned job a runner, {@code end a} ends a job as it is to end,
 *       {@code stop a} ends the session of its runner without a word about the job, {@code pass 20}
 *       lets seconds pass, {@code renew a} renews a job
 *   <li>{@code cancel}, {@code person}: a person cancels the run, runs its failed jobs again
 *   <li>{@code age 31} (days), {@code delete}, {@code unfiled} (its workflow is deleted), {@code
 *       move p/q}, {@code drop} (its repository is deleted), {@code lag 5} (seconds)
 *   <li>{@code app read} from now on an app calls with that permission for actions, or {@code
 *       none}; {@code scope x} the user's token has that scope; {@code token x} it is another one
 *   <li>{@code get} asks for the run: status, conclusion, attempt; {@code same} asks again with the
 *       last ETag; {@code jobs} and {@code every} list its jobs of the latest and of all attempts
 *   <li>{@code rerun}, {@code again a} ask for its failed jobs, for one job
 * </ul>
 */
final class RunPlay {
  /** What the steps of a play answer, by a rule of the service. */
  record Row(String rule, String steps, String answers) {
    @Override
    public String toString() {
      return rule;
    }
  }

  static final String PATH = "/api/v3/repos/o/r/actions/";
  final TestClock clock = new TestClock();
  final Service service;
  final Control control;
  final ScaleSet set;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private long run;
  private String tag = "";

  RunPlay() {
    var options = Options.accepting("pat").withOwners(Set.of("o", "p"));
    var next = new long[1];
    service = new Service(options, clock, () -> new UUID(0, ++next[0]));
    control = new Control(service);
    int id = control.createForeignScaleSet("o", "x");
    control.holdSession(id, "me");
    set = service.state.sets.get(id);
    set.capacity = 100;
    headers.put("authorization", "Bearer pat");
  }

  String all(String steps) {
    var words = new ArrayList<>(List.of(steps.split(" ")));
    var answers = new ArrayList<String>();
    while (!words.isEmpty()) {
      step(words).ifPresent(answers::add);
    }
    return String.join(" | ", answers);
  }

  private Optional<String> step(List<String> words) {
    switch (words.removeFirst()) {
      case "run" -> run = control.runs().queue("o/r", requests(words.removeFirst()));
      case "take" -> take();
      case "end" -> end(words.removeFirst());
      case "stop" -> stop(words.removeFirst());
      case "pass" -> pass(Duration.ofSeconds(Long.parseLong(words.removeFirst())));
      case "renew" ->
          job(words.removeFirst()).lockedUntil =
              clock.instant().plus(service.state.options.timings().runLease());
      case "lag" -> {
        var lag = Duration.ofSeconds(Long.parseLong(words.removeFirst()));
        control.faults(FaultPlan.NONE.withRunLag(lag));
      }
      case "app" -> app(words.removeFirst());
      case "scope" -> control.runs().tokenScopes(Set.of(words.removeFirst()));
      case "token" -> headers.put("authorization", "Bearer " + words.removeFirst());
      case String person when act(person, words) -> {}
      case "get" -> {
        return Optional.of(get());
      }
      case "same" -> {
        headers.put("if-none-match", tag);
        var answer = get();
        headers.remove("if-none-match");
        return Optional.of(answer);
      }
      case "jobs" -> {
        return Optional.of(jobs(""));
      }
      case "every" -> {
        return Optional.of(jobs("?filter=all"));
      }
      case "rerun" -> {
        return Optional.of(asked(call("POST", "runs/" + run + "/rerun-failed-jobs")));
      }
      case "again" -> {
        long id = job(words.removeFirst()).restId;
        return Optional.of(asked(call("POST", "jobs/" + id + "/rerun")));
      }
      case String other -> throw new IllegalArgumentException(other);
    }
    return Optional.empty();
  }

  /** What a person does; false if the word is none of these. */
  private boolean act(String word, List<String> words) {
    var runs = control.runs();
    switch (word) {
      case "cancel" -> runs.cancel(run);
      case "person" -> runs.rerunFailedJobs(run);
      case "age" -> runs.age(run, Duration.ofDays(Long.parseLong(words.removeFirst())));
      case "delete" -> runs.delete(run);
      case "unfiled" -> runs.deleteWorkflow(run);
      case "move" -> runs.moveRepository("o/r", words.removeFirst());
      case "drop" -> runs.deleteRepository("o/r");
      default -> {
        return false;
      }
    }
    return true;
  }

  private static List<JobRequest> requests(String names) {
    return Stream.of(names.split(","))
        .map(name ->
            JobRequest.of(1, "x", Duration.ofMinutes(1))
                .withDisplayName(name.replace("!", ""))
                .withResult(name.endsWith("!") ? "failed" : "succeeded"))
        .toList();
  }

  private void take() {
    while (!set.toRun.isEmpty()) {
      var now = clock.instant();
      var name = "runner-" + set.toRun.iterator().next().request.displayName();
      var runner = service.runners.register(name, set, 0, false, now);
      runner.sessionId = "session";
      service.runners.move(runner, Runner.State.IDLE);
      service.flow.offerTo(runner, now);
      service.flow.start(runner.job, runner, now);
    }
  }

  private void end(String name) {
    var job = job(name);
    service.flow.complete(job, job.runner, job.request.result(), clock.instant());
  }

  private void stop(String name) {
    var token = service.runners.issueToken(job(name).runner);
    service.answer(
        PlayedRequest.of(
            "DELETE", "/broker/session", Map.of("authorization", "Bearer " + token), ""));
  }

  void pass(Duration time) {
    clock.advance(time);
    control.tick();
  }

  /** An app calls from now on. */
  private void app(String permission) {
    control
        .runs()
        .appPermissions(permission.equals("none") ? Map.of() : Map.of("actions", permission));
    try {
      var key = KeyPairGenerator.getInstance("EC").generateKeyPair().getPublic();
      var now = clock.instant();
      var answer = service.rest.issue(new App("7", 1, key), now, now.plus(Duration.ofDays(60)));
      headers.put("authorization", "Bearer " + Json.parse(answer.body()).get("token").asText());
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  Reply call(String method, String what) {
    return call(method, what, "");
  }

  /** A call at a path of the repository, or at a whole one. */
  Reply call(String method, String what, String body) {
    var whole = what.startsWith("http") || what.startsWith("/");
    return service.answer(PlayedRequest.of(method, whole ? what : PATH + what, headers, body));
  }

  /** The latest job of that name. */
  Job job(String name) {
    return service.state.jobs.values().stream()
        .filter(job -> job.request.displayName().equals(name))
        .reduce((first, second) -> second)
        .orElseThrow();
  }

  private String get() {
    var reply = call("GET", "runs/" + run);
    tag = reply.headers().getOrDefault("ETag", "");
    if (reply.status() != 200) {
      return asked(reply);
    }
    var node = Json.parse(reply.body());
    return node.get("status").asText()
        + (node.get("conclusion").isNull() ? "" : " " + node.get("conclusion").asText())
        + " "
        + node.get("run_attempt").asInt();
  }

  private String jobs(String query) {
    var reply = call("GET", "runs/" + run + "/jobs" + query);
    return reply.status() == 200
        ? StreamSupport.stream(Json.parse(reply.body()).get("jobs").spliterator(), false)
            .map(RunPlay::word)
            .collect(Collectors.joining(" "))
        : asked(reply);
  }

  private static String word(JsonNode job) {
    var conclusion = job.get("conclusion");
    return job.get("name").asText()
        + job.get("run_attempt").asInt()
        + ":"
        + (conclusion.isNull() ? job.get("status") : conclusion).asText();
  }

  /** The status, and the message of a refusal. */
  private static String asked(Reply reply) {
    var message = Json.parse(reply.body()).path("message").asText();
    return (reply.status() + " " + message).strip();
  }
}
