package dev.runnerset.controller.features.rerun;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.RepositoryName;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.WorkflowJob;
import dev.runnerset.actions.WorkflowRun;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * One run at GitHub, played second by second. The runner {@code r1} had its job a, another runner
 * its job b; a failed, and b succeeded. A new attempt lasts a minute and succeeds.
 */
final class PlayedRun {
  /** When the runner {@code r1} ended. */
  static final Instant LOST_AT = Instant.parse("2026-11-01T10:00:00Z");

  private static final RepositoryName REPOSITORY = new RepositoryName("my-org", "app");
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final long LASTS = 60;

  /** The seconds at which the run was read, and at which a rerun was asked for. */
  final List<Long> reads = new ArrayList<>();

  final List<Long> posts = new ArrayList<>();

  /** Of each new attempt, the jobs that it runs: all that failed, the job a alone, or the other. */
  final List<String> reruns = new ArrayList<>();

  /** How often the jobs were listed. */
  int jobLists;

  private final LongSupplier second;
  private final List<String> faults = new ArrayList<>();
  private boolean otherFailed;
  private boolean wasRefused;
  private long overAt;

  PlayedRun(LongSupplier second) {
    this.second = second;
  }

  /** When the first attempt is over. */
  void overAt(long value) {
    overAt = value;
  }

  /** The calls that go wrong once the run is over, and how: {@code read limited, post lost}. */
  void faults(String words) {
    faults.addAll(List.of(words.split(", ")));
    otherFailed = faults.remove("failure");
  }

  /** The service; only its calls about runs are played. */
  ActionsService service() {
    return (ActionsService)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ActionsService.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "workflowRun" -> read();
                  case "workflowJobs" -> jobs();
                  case "rerunFailedJobs" -> rerun("all");
                  case "rerunJob" -> rerun("job");
                  case "mayRerun" -> Optional.of(true);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private boolean isOver() {
    return second.getAsLong() >= overAt;
  }

  private int attempt() {
    return reruns.size() + 1;
  }

  private Optional<WorkflowRun> read() {
    reads.add(second.getAsLong());
    var fault = isOver() || wasRefused ? fault(wasRefused ? "check" : "read") : "";
    wasRefused = false;
    if (fault.equals("gone")) {
      return Optional.empty();
    }
    fail(fault);
    var conclusion = reruns.contains("all") || reruns.contains("job") ? "success" : "failure";
    return Optional.of(
        new WorkflowRun(REPOSITORY, attempt(), isOver(), isOver() ? conclusion : ""));
  }

  private Optional<List<WorkflowJob>> jobs() {
    jobLists++;
    var fault = fault("list");
    if (fault.equals("overtaken")) {
      begin("all");
    } else {
      fail(fault);
    }
    var jobs = new ArrayList<WorkflowJob>();
    jobs.add(job("a", 1, "r1", "failure"));
    jobs.add(job("b", 1, "x", otherFailed ? "failure" : "success"));
    for (int i = 0; i < reruns.size(); i++) {
      var name = reruns.get(i).equals("other") ? "b" : "a";
      jobs.add(job(name, i + 2, "y", i + 2 < attempt() || isOver() ? "success" : ""));
    }
    return Optional.of(jobs);
  }

  private static WorkflowJob job(String name, int attempt, String runner, String conclusion) {
    var id = new RunnerId(runner.hashCode());
    return new WorkflowJob(
        runner.hashCode(),
        name,
        attempt,
        new WorkflowJob.Runner(id, runner),
        conclusion,
        LOST_AT.plusSeconds(10));
  }

  private Optional<Object> rerun(String jobs) {
    posts.add(second.getAsLong());
    var fault = fault("post");
    switch (fault) {
      case "overtaken" -> begin("all");
      case "overtaken_by_other" -> begin("other");
      case "overtaken_and_over" -> {
        begin("all");
        overAt = second.getAsLong();
      }
      case "lost" -> begin(jobs);
      default -> {}
    }
    wasRefused = fault.startsWith("overtaken") || fault.equals("refused");
    fail(fault);
    begin(jobs);
    return Optional.empty();
  }

  private void begin(String jobs) {
    reruns.add(jobs);
    overAt = second.getAsLong() + LASTS;
  }

  /** What is wrong with this call; empty if nothing is. */
  private String fault(String call) {
    var hit = faults.stream().filter(fault -> fault.startsWith(call + " ")).findFirst();
    hit.ifPresent(faults::remove);
    return hit.map(fault -> fault.substring(call.length() + 1)).orElse("");
  }

  private void fail(String fault) {
    if (fault.isEmpty()) {
      return;
    }
    var details = new ServiceError.Details("CALL", 0, "", fault, "", "");
    throw new ServiceException(
        switch (fault) {
          case "limited" -> new ServiceError.RateLimited(details, LIMIT);
          case "not_sent" -> new ServiceError.NotSent(details, Duration.ofSeconds(1));
          case "lost", "broken" -> new ServiceError.Unavailable(details, null);
          default -> new ServiceError.Forbidden(details);
        });
  }
}
