package dev.runnerset.controller.replicas;

import dev.runnerset.crd.EphemeralRunner;
import dev.runnerset.crd.EphemeralRunnerStatus;
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

/** The lives of many runners, as the changes of their resources in virtual time. */
final class RunnerLives {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final int A_SECOND = 20;
  private static final Duration JOB = Duration.ofSeconds(30);

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

  /** As the product's budget has it (design section 6): three changes between birth and end. */
  private void life(String name, Instant created, int number, int quietChanges) {
    at(created, () -> runnerByName.put(name, runner(name, created)));
    var started = created.plusMillis(1_500);
    var busy = started.plusMillis(700);
    var ended = busy.plus(JOB);
    at(started, () -> status(name, running(name, number, started)));
    at(busy, () -> status(name, running(name, number, started) + job(number, busy, "")));
    for (int i = 1; i <= quietChanges; i++) {
      var quiet = busy.plus(JOB.multipliedBy(i).dividedBy(quietChanges + 1));
      var note = "displayName: step " + i + ", ";
      at(quiet, () -> status(name, running(name, number, started) + job(number, busy, note)));
    }
    at(
        ended,
        () ->
            status(
                name,
                running(name, number, started)
                    + job(number, busy, "completedIn: " + number + ", ")
                    + "\njobResult: succeeded"));
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

  private void status(String name, String yaml) {
    var before = Objects.requireNonNull(runnerByName.get(name));
    var after = Serialization.clone(before);
    after.setStatus(Serialization.unmarshal(yaml, EphemeralRunnerStatus.class));
    runnerByName.put(name, after);
  }

  private static String running(String name, int number, Instant at) {
    return """
    phase: Running
    runnerId: %d
    runnerName: %s
    podName: %s
    nodeName: ip-10-0-0-1.eu-central-1.compute.internal
    idleSince: "%s"
    conditions:
    - {type: Scheduled, status: "True", reason: Scheduled, message: "", lastTransitionTime: "%s"}
    - {type: Started, status: "True", reason: Started, message: "", lastTransitionTime: "%s"}
    - {type: Registered, status: "True", reason: Registered, message: "", lastTransitionTime: "%s"}
    timeline: {created: "%s", scheduled: "%s", imagesPulled: "%s", started: "%s"}
    """
        .formatted(number, name, name, at, at, at, at, at, at, at, at);
  }

  private static String job(int number, Instant at, String more) {
    return """
    requestId: %d
    jobId: 01234567-89ab-cdef-0123-%012d
    job: {%srepository: my-org/my-repository, workflowRef: my-org/my-repository/.github/workflows/ci.yaml@refs/heads/main,
      workflowRunId: %d, eventName: push, startedAt: "%s"}
    """
        .formatted(number + 1, number, more, 100_000 + number, at)
        .stripTrailing();
  }
}
