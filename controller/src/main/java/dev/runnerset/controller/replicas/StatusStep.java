package dev.runnerset.controller.replicas;

import dev.runnerset.crd.EphemeralRunnerSet;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Writes what the ers reconciler has to say, at most once a second, and only differences. */
final class StatusStep {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  private final KubeApi kube;

  StatusStep(KubeApi kube) {
    this.kube = kube;
  }

  /** Writes, or says from when on it may; null when nothing is left to be written. */
  @Nullable Instant write(
      EphemeralRunnerSet set,
      SetMemory memory,
      ReplicasInput input,
      ReplicasPlan plan,
      Instant now) {
    var status = RunnerGathering.status(set);
    var generation = set.getMetadata().getGeneration();
    var conditions =
        FailingCondition.of(
            status.conditions(),
            memory.creationBackoff(),
            input.creationHeld() && set.getMetadata().getDeletionTimestamp() == null,
            memory.lastFailure(),
            generation,
            now);
    var patch = SetStatusPatch.between(status, generation, plan.counts(), conditions);
    if (patch.isEmpty()) {
      return null;
    }
    if (!memory.mayWriteStatus(now, now.plus(INTERVAL))) {
      return memory.statusNotBefore();
    }
    kube.mergeStatus(EphemeralRunnerSet.class, Resource.of(set), patch.get());
    return null;
  }
}
