package dev.runnerset.controller.features.leftovers;

import dev.runnerset.base.Detail;
import dev.runnerset.controller.audit.AuditedSets;
import dev.runnerset.controller.metrics.LeftOver;
import dev.runnerset.controller.metrics.LeftOver.Result;
import dev.runnerset.kube.Preconditions;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds pods whose runner is gone, and removes them: first the registration that the pod names,
 * then the pod and the secret (RN20). A pod stays while the service says that it has a job, and
 * while it may run with a registration that nobody knows. The caller keeps it to one thread.
 */
final class PodSweep {
  private static final Logger LOG = LoggerFactory.getLogger(PodSweep.class);

  /** After the service said that the runner of a pod has a job, until it is asked again. */
  @Detail private static final Duration AFTER_REFUSAL = Duration.ofMinutes(5);

  /** After a removal that failed or could not begin, until the next one. */
  @Detail private static final Duration NEXT_TRY = Duration.ofMinutes(2);

  /** Nothing but its own end changes it. */
  @Detail private static final Duration WHILE_FOREIGN = Duration.ofHours(1);

  private static final int MOST_IN_A_SWEEP = 20;

  private final AuditedSets sets;
  private final Supplier<Stream<Pod>> pods;
  private final LeftOvers leftOvers;
  private final Clock clock;
  private final Map<String, Instant> dueByUid = new HashMap<>();

  PodSweep(AuditedSets sets, Supplier<Stream<Pod>> pods, LeftOvers leftOvers, Clock clock) {
    this.sets = sets;
    this.pods = pods;
    this.leftOvers = leftOvers;
    this.clock = clock;
  }

  /** Goes through the pods of the cache. Blocks for its requests; there are none without a find. */
  void sweep() {
    var now = clock.instant();
    var found =
        pods.get()
            .map(OrphanPod::of)
            .flatMap(Optional::stream)
            .filter(pod -> pod.isWithout(sets.runner(pod.namespace(), pod.runner())))
            .toList();
    dueByUid.keySet().retainAll(found.stream().map(OrphanPod::uid).collect(Collectors.toSet()));
    found.forEach(pod -> dueByUid.putIfAbsent(pod.uid(), now.plus(LeftOverTimes.STANDS_FOR)));
    found.stream()
        .filter(pod -> !now.isBefore(dueByUid.getOrDefault(pod.uid(), Instant.MAX)))
        .limit(MOST_IN_A_SWEEP)
        .forEach(pod -> dueByUid.put(pod.uid(), clock.instant().plus(tryRemove(pod))));
  }

  /** How long to leave the pod alone now. */
  private Duration tryRemove(OrphanPod pod) {
    try {
      // INVARIANT (I1): the server, not a cache, says that there is no such runner
      return pod.isWithout(leftOvers.runner(pod.namespace(), pod.runner()))
          ? remove(pod)
          : LeftOverTimes.STANDS_FOR;
    } catch (KubernetesClientException e) {
      LOG.atWarn()
          .addKeyValue("namespace", pod.namespace())
          .addKeyValue("pod", pod.name())
          .addKeyValue("error", e.getMessage())
          .log("a pod without a runner could not be removed; the sweep tries again");
      return NEXT_TRY;
    }
  }

  private Duration remove(OrphanPod pod) {
    var set = sets.one(pod.namespace(), pod.set());
    var became =
        set.isEmpty()
            ? Optional.of(Result.FOREIGN) // nobody knows credentials to ask with
            : sets.removeRegistration(set.get(), pod.runner(), pod.runnerId());
    if (became.isEmpty()) {
      return NEXT_TRY; // other removals are under way, or the refusals are spent
    }
    return switch (became.get()) {
      case REMOVED ->
          delete(
              pod,
              new Preconditions(pod.uid(), null),
              "the pod ran without a runner; its registration and the pod are removed");
      case GONE, FOREIGN ->
          pod.state() != OrphanPod.State.MAY_HAVE_A_JOB
              ? delete(
                  pod,
                  withoutJob(pod),
                  set.isEmpty()
                      ? "it does not run, and its set is gone"
                      : "the pod was left without a runner and a registration, and does not run;"
                          + " it is"
                          + " removed")
              : stays(
                  pod,
                  Result.FOREIGN,
                  set.isEmpty()
                      ? "it runs, its runner and its set are gone, and there is no way to ask"
                          + " whether it has a job"
                      : "the pod runs without a runner, and its registration is not one of this"
                          + " set: it may have a job, and there is no way to ask; delete the pod"
                          + " if it has none",
                  WHILE_FOREIGN);
      case BUSY ->
          stays(
              pod,
              Result.BUSY,
              "the pod runs without a runner, and the service says that it has a job; it stays until"
                  + " that is over",
              AFTER_REFUSAL);
      case FAILED ->
          stays(
              pod,
              Result.FAILED,
              "the pod runs without a runner, and the service cannot be asked; it is tried again",
              NEXT_TRY);
    };
  }

  /** What must hold of a pod without a job for it to be deleted: it has not started meanwhile. */
  static Preconditions withoutJob(OrphanPod pod) {
    return new Preconditions(
        pod.uid(), pod.state() == OrphanPod.State.UNSTARTED ? pod.seen() : null);
  }

  private Duration delete(OrphanPod pod, Preconditions wanted, String why) {
    if (leftOvers.delete(pod, wanted)) {
      report(pod, Result.REMOVED, why);
    }
    leftOvers.deleteSecret(pod.namespace(), pod.set(), pod.runner());
    return NEXT_TRY;
  }

  private Duration stays(OrphanPod pod, Result result, String why, Duration until) {
    report(pod, result, why);
    return until;
  }

  private void report(OrphanPod pod, Result result, String why) {
    leftOvers.report(pod.namespace(), pod.set(), pod.name(), LeftOver.POD, result, why);
  }
}
