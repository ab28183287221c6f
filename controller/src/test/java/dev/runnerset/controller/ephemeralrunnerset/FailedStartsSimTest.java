package dev.runnerset.controller.ephemeralrunnerset;

import static dev.runnerset.controller.removal.Runners.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.passes.Steps;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What the runners of one set cost the service while none of them can start (RN10), in virtual
 * time: the API server answers their pods with 503, so that each start is given up.
 */
class FailedStartsSimTest implements ReplicasPass.Actions {
  private static final int WANTED = 19;

  /** One JIT config; then the finalizer removes the registration, and looks for its name. */
  private static final int CALLS_TO_START = 1;

  private static final int CALLS_TO_REMOVE = 2;

  private final EphemeralRunnerSet set =
      Serialization.unmarshal(
          """
          metadata: {name: ci, namespace: ns, uid: uid-of-set, generation: 1}
          spec: {replicas: %d, revision: rev, runnerScaleSetId: 9}
          """
              .formatted(WANTED),
          EphemeralRunnerSet.class);
  private final SetMemory memory = Gathering.memory();
  private final ReplicasPass pass =
      new ReplicasPass(Gathering.withoutExits(), PlannerRows.features(), this);
  private final Map<String, EphemeralRunner> runnerByName = new HashMap<>();
  private final TreeMap<Instant, Runnable> events = new TreeMap<>();
  private Instant now = T0;
  private boolean podsAreMade;
  private int live;
  private int made;
  private int calls;

  private void in(int millis, Runnable what) {
    events.merge(
        now.plusMillis(millis),
        what,
        (a, b) ->
            () -> {
              a.run();
              b.run();
            });
  }

  private void run(Duration time) {
    var end = now.plus(time);
    in(0, () -> {});
    while (!events.isEmpty() && !events.firstKey().isAfter(end)) {
      var event = events.pollFirstEntry();
      now = event.getKey();
      event.getValue().run();
      pass();
    }
    now = end;
  }

  private void pass() {
    var steps = new Steps();
    var plan =
        pass.run(set, Gathering.changes(memory, runnerByName.values()), 0, memory, steps, now)
            .plan();
    steps.end();
    live = plan.counts().live();
    plan.requeue().toOptional().ifPresent(at -> events.putIfAbsent(at, () -> {}));
  }

  @Override
  public void create(EphemeralRunnerSet of, Provisioning wanted, SetMemory known) {
    for (int i = 0; i < wanted.count(); i++) {
      make("r" + made++);
    }
  }

  @Override
  public void deleteFinished(List<RunnerView> finished, SetMemory known) {
    // those that failed go by themselves
  }

  @Override
  public void remove(RemovalPlan plan, SetMoment moment, SetMemory known) {
    throw new AssertionError("none is too many");
  }

  private void make(String name) {
    calls += CALLS_TO_START;
    status(name, "{}");
    in(300 + made % 7, () -> starts(name));
  }

  private void starts(String name) {
    if (podsAreMade) {
      status(name, "{phase: Pending, podName: %s}".formatted(name));
      return;
    }
    status(
        name,
        "{phase: Failed, completionTime: \"%s\", failure: {reason: StartUnknown}}".formatted(now));
    calls += CALLS_TO_REMOVE;
    in(200, () -> runnerByName.remove(name));
  }

  private void status(String name, String status) {
    runnerByName.put(
        name,
        Serialization.unmarshal(
            """
            metadata:
              {name: %s, namespace: ns, uid: uid-%s, creationTimestamp: "%s",
               ownerReferences: [{apiVersion: runnerset.dev/v1alpha1,
                 kind: EphemeralRunnerSet, name: ci, uid: uid-of-set, controller: true}]}
            spec: {runnerScaleSetId: 9, revision: rev}
            status: %s
            """
                .formatted(name, name, now, status),
            EphemeralRunner.class));
  }

  @Test
  void inTheFirstMinutesAFewRunnersTryForAll() {
    run(Duration.ofMinutes(1));
    assertThat(calls).as("calls in the first minute").isLessThanOrEqualTo(3 * (WANTED + 5 * 4));
    run(Duration.ofMinutes(9));
    assertThat(calls).as("calls in ten minutes").isLessThanOrEqualTo(3 * (WANTED + 9 * 4));
    assertThat(memory.creation().backoff().failures()).as("it goes on trying").isGreaterThan(7);
  }

  @Test
  void theFirstPodOpensTheWayForAll() {
    run(Duration.ofMinutes(3));
    podsAreMade = true;
    var opensAt = memory.creation().backoff().notBefore();
    run(Duration.between(now, opensAt.plusSeconds(1)));
    assertThat(live).isEqualTo(WANTED);
  }

  @Test
  void aHealthySetMakesAllAtOnce() {
    podsAreMade = true;
    run(Duration.ofMillis(1));
    assertThat(made).isEqualTo(WANTED);
  }
}
