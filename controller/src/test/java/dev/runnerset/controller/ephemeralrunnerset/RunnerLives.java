package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.RunnerJob;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.RunnerTimeline;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The lives of many runners, as the changes of their resources in virtual time. */
final class RunnerLives {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final int A_SECOND = 20;
  private static final Duration JOB = Duration.ofSeconds(60);

  private final TreeMap<Instant, Runnable> events = new TreeMap<>();
  private final Map<String, EphemeralRunner> runnerByName = new HashMap<>();
  private final String setUid;
  private int changes;

  RunnerLives(int runners, int quietChanges, String setUid) {
    this.setUid = setUid;
    for (int i = 0; i < runners; i++) {
      life("linux-%010d".formatted(i), START.plusMillis(1000L * i / A_SECOND), i, quietChanges);
    }
  }

  /** Goes on to the next moment at which something happens; empty at the end. */
  Optional<Instant> next() {
    var event = events.pollFirstEntry();
    if (event == null) {
      return Optional.empty();
    }
    event.getValue().run();
    return Optional.of(event.getKey());
  }

  void lookAt(Instant time) {
    events.putIfAbsent(time, () -> {});
  }

  Set<EphemeralRunner> runners() {
    return Set.copyOf(runnerByName.values());
  }

  int changes() {
    return changes;
  }

  /** As the product's budget has it (BG1): three changes between birth and end. */
  private void life(String name, Instant created, int number, int quietChanges) {
    at(created, () -> runnerByName.put(name, runner(name, created)));
    var started = created.plusMillis(1_500);
    var busy = started.plusMillis(700);
    var ended = busy.plus(JOB);
    at(started, () -> status(name, running(name, number, started)));
    for (int i = 0; i <= quietChanges; i++) {
      var job = job(number, busy, i == 0 ? null : "step " + i, null);
      at(
          busy.plus(JOB.multipliedBy(i).dividedBy(quietChanges + 1)),
          () -> status(name, busy(name, number, started, job, null)));
    }
    var done = job(number, busy, null, (long) number);
    at(ended, () -> status(name, busy(name, number, started, done, "succeeded")));
    at(ended.plusMillis(800), () -> runnerByName.remove(name));
  }

  private void at(Instant time, Runnable change) {
    events.merge(
        time,
        () -> {
          change.run();
          changes++;
        },
        (a, b) ->
            () -> {
              a.run();
              b.run();
            });
  }

  private EphemeralRunner runner(String name, Instant created) {
    return Serialization.unmarshal(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: EphemeralRunner
        metadata:
          {name: %s, namespace: default, uid: uid-%s, creationTimestamp: "%s",
           annotations: {runnerset.dev/provisioned-for: Demand},
           ownerReferences: [{apiVersion: runnerset.dev/v1alpha1, kind: EphemeralRunnerSet,
             name: linux, uid: %s, controller: true}]}
        spec: {revision: 709f33bb0a, runnerScaleSetId: 1}
        """
            .formatted(name, name, created.truncatedTo(ChronoUnit.SECONDS), setUid),
        EphemeralRunner.class);
  }

  private void status(String name, EphemeralRunnerStatus status) {
    var before = Objects.requireNonNull(runnerByName.get(name));
    var after = new EphemeralRunner();
    after.setMetadata(before.getMetadata());
    after.setSpec(before.getSpec());
    after.setStatus(status);
    runnerByName.put(name, after);
  }

  private static EphemeralRunnerStatus running(String name, int number, Instant at) {
    return status(name, number, at, null, null, null);
  }

  private static EphemeralRunnerStatus busy(
      String name, int number, Instant at, RunnerJob job, @Nullable String result) {
    return status(name, number, at, "01234567-89ab-cdef-0123-%012d".formatted(number), job, result);
  }

  private static RunnerJob job(
      int number, Instant at, @Nullable String step, @Nullable Long completedIn) {
    return new RunnerJob(
        "my-org/my-repository",
        "my-org/my-repository/.github/workflows/ci.yaml@refs/heads/main",
        100_000L + number,
        step,
        "push",
        at,
        completedIn);
  }

  private static EphemeralRunnerStatus status(
      String name,
      int number,
      Instant at,
      @Nullable String jobId,
      @Nullable RunnerJob job,
      @Nullable String result) {
    return EphemeralRunnerStatus.builder()
        .phase(RunnerPhase.RUNNING)
        .conditions(
            Stream.of("Scheduled", "Started", "RegistrationMade")
                .map(type -> condition(type, at))
                .toList())
        .runnerId((long) number)
        .runnerName(name)
        .podName(name)
        .nodeName("ip-10-0-0-1.eu-central-1.compute.internal")
        .requestId(jobId == null ? null : number + 1L)
        .jobId(jobId)
        .job(job)
        .jobResult(result)
        .idleSince(at)
        .timeline(new RunnerTimeline(at, at, at, null, null, null))
        .build();
  }

  private static Condition condition(String type, Instant at) {
    return new ConditionBuilder()
        .withType(type)
        .withStatus("True")
        .withReason(type)
        .withMessage("")
        .withLastTransitionTime(at.toString())
        .build();
  }
}
