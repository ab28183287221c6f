package dev.runnerset.controller.replicas;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.controller.references.ChildFields;
import dev.runnerset.controller.references.EmbeddedStatus;
import dev.runnerset.crd.EphemeralRunnerSet;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes what the ers reconciler has to say: one patch at most once a second, only differences. */
final class StatusStep {
  static final Duration INTERVAL = Duration.ofSeconds(1);

  /** A long list is sent as a whole, so it is sent less often (docs/adr/0011). */
  private static final int CHILDREN_A_SECOND = 250;

  private final KubeApi kube;
  private final EmbeddedStatus embedded;

  StatusStep(KubeApi kube, EmbeddedStatus embedded) {
    this.kube = kube;
    this.embedded = embedded;
  }

  /** Writes what may be written now; when to come again for the rest, or null. Blocks for it. */
  @Nullable Instant write(
      EphemeralRunnerSet set,
      ObservedRunners observed,
      SetMemory memory,
      ReplicasInput input,
      ReplicasPlan plan,
      Instant now) {
    if (now.isBefore(memory.statusNotBefore())) {
      return memory.statusNotBefore(); // not even compared: that costs more than a look later
    }
    var status = RunnerGathering.status(set);
    var generation = set.getMetadata().getGeneration();
    var children = ChildFields.of(status, observed.byUid().values(), embedded, generation, now);
    var conditions = conditions(set, observed, memory, input, children, now);
    var rollout =
        RolloutProgress.of(set.getSpec().revision(), input.runners(), input.demandMessageId(), now);
    var patch =
        SetStatusPatch.between(status, generation, plan.counts(), rollout, conditions)
            .orElseGet(JsonNodeFactory.instance::objectNode);
    boolean due = !now.isBefore(memory.childrenNotBefore());
    if (due) {
      patch.setAll(children.patch());
    }
    if (!patch.isEmpty()) {
      memory.statusWritten(now.plus(INTERVAL));
      if (due && !children.patch().isEmpty()) {
        memory.childrenWritten(now.plus(pause(observed.byUid().size())));
      }
      kube.mergeStatus(EphemeralRunnerSet.class, Resource.of(set), patch);
    }
    return due || children.patch().isEmpty() ? null : memory.childrenNotBefore();
  }

  /** Between two writes of so many children. */
  static Duration pause(int children) {
    return INTERVAL.multipliedBy(1 + Math.min(children, MOST_COUNTED) / CHILDREN_A_SECOND);
  }

  private static final int MOST_COUNTED = 1000;

  private static List<Condition> conditions(
      EphemeralRunnerSet set,
      ObservedRunners observed,
      SetMemory memory,
      ReplicasInput input,
      ChildFields children,
      Instant now) {
    var before = RunnerGathering.status(set).conditions();
    var generation = set.getMetadata().getGeneration();
    var pending = PendingCondition.of(before, observed, generation, now);
    var failing =
        FailingCondition.of(
            before,
            memory.creationBackoff(),
            input.creationHeld() && set.getMetadata().getDeletionTimestamp() == null,
            memory.lastFailure(),
            generation,
            now);
    return Stream.of(failing.stream(), pending.stream(), Stream.of(children.truncated()))
        .flatMap(all -> all)
        .toList();
  }
}
