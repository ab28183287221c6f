package dev.runnerset.controller.sweep;

import dev.runnerset.controller.metrics.LeftOver;
import dev.runnerset.controller.metrics.LeftOver.Result;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.kube.Preconditions;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for pods whose runner is gone, and removes them: first the registration that the pod names,
 * then the pod and the secret (RN20). A pod stays while the service says that it has a job, and
 * while it may run with a registration that nobody knows. The caller keeps it to one thread.
 */
final class PodSweep {
  private static final Logger LOG = LoggerFactory.getLogger(PodSweep.class);

  /** The garbage collector, and the deletion of a runner, take less. */
  static final Duration STANDS_FOR = Duration.ofMinutes(2);

  private static final Duration AFTER_REFUSAL = Duration.ofMinutes(5);
  private static final Duration AFTER_FAILURE = Duration.ofMinutes(2);

  /** Nothing but its own end changes it. */
  private static final Duration WHILE_FOREIGN = Duration.ofHours(1);

  private static final int MOST_IN_A_SWEEP = 20;

  private final SetsToSweep sets;
  private final Supplier<Stream<Pod>> pods;
  private final LeftOverObjects objects;
  private final LeftOverEvents events;
  private final Clock clock;
  private final Map<String, Instant> dueByUid = new HashMap<>();

  PodSweep(
      SetsToSweep sets,
      Supplier<Stream<Pod>> pods,
      LeftOverObjects objects,
      LeftOverEvents events,
      Clock clock) {
    this.sets = sets;
    this.pods = pods;
    this.objects = objects;
    this.events = events;
    this.clock = clock;
  }

  /**
   * Looks through the pods of the cache. Blocks for its requests; there are none without a find.
   */
  void sweep() {
    var now = clock.instant();
    var found = without();
    var uids = new HashSet<String>();
    found.forEach(pod -> uids.add(pod.uid()));
    dueByUid.keySet().retainAll(uids);
    uids.forEach(uid -> dueByUid.putIfAbsent(uid, now.plus(STANDS_FOR)));
    found.stream()
        .filter(pod -> !now.isBefore(dueByUid.getOrDefault(pod.uid(), Instant.MAX)))
        .limit(MOST_IN_A_SWEEP)
        .forEach(this::tryHandle);
  }

  private List<OrphanPod> without() {
    return pods.get()
        .map(OrphanPod::of)
        .flatMap(Optional::stream)
        .filter(pod -> !sets.hasRunner(pod.namespace(), pod.name()))
        .toList();
  }

  private void tryHandle(OrphanPod pod) {
    try {
      dueByUid.put(pod.uid(), clock.instant().plus(handle(pod)));
    } catch (KubernetesClientException e) {
      dueByUid.put(pod.uid(), clock.instant().plus(AFTER_FAILURE));
      LOG.atWarn()
          .addKeyValue("namespace", pod.namespace())
          .addKeyValue("pod", pod.name())
          .addKeyValue("error", e.getMessage())
          .log("a pod without a runner could not be removed; the sweep tries again");
    }
  }

  /** How long to leave the pod alone now. */
  private Duration handle(OrphanPod pod) {
    // INVARIANT (I1): the server, not a cache, says that there is no such runner
    if (objects.hasRunner(pod.namespace(), pod.name())) {
      return STANDS_FOR;
    }
    var set = sets.one(pod.namespace(), pod.set());
    return set.isPresent() ? handle(pod, set.get()) : handleWithoutSet(pod);
  }

  private Duration handle(OrphanPod pod, EphemeralRunnerSet set) {
    var leftOver = sets.leftOver(set, pod.name(), pod.runnerId());
    var result = sets.removeRegistration(set, leftOver);
    if (result.isEmpty()) {
      return AFTER_FAILURE; // other removals are under way, or the refusals are spent
    }
    return switch (result.get()) {
      case REMOVED ->
          delete(
              pod,
              set,
              new Preconditions(pod.uid(), null),
              ": the pod ran without a runner; its registration and the pod are removed");
      case GONE, FOREIGN -> {
        if (pod.state() != OrphanPod.State.MAY_HAVE_A_JOB) {
          yield delete(
              pod,
              set,
              withoutJob(pod),
              ": the pod stood without a runner and a registration, and does not run; it is"
                  + " removed");
        }
        events.report(
            set,
            LeftOver.POD,
            Result.FOREIGN,
            pod.name(),
            ": the pod runs without a runner, and its registration is not one of this set: it may"
                + " have a job of which nobody here can ask; delete the pod if it has none");
        yield WHILE_FOREIGN;
      }
      case BUSY -> {
        events.report(
            set,
            LeftOver.POD,
            Result.BUSY,
            pod.name(),
            ": the pod runs without a runner, and the service says that it has a job; it stays until"
                + " that is over");
        yield AFTER_REFUSAL;
      }
      case FAILED -> {
        events.report(
            set,
            LeftOver.POD,
            Result.FAILED,
            pod.name(),
            ": the pod runs without a runner, and the service cannot be asked; it is tried again");
        yield AFTER_FAILURE;
      }
    };
  }

  /** What must hold of a pod without a job for it to be deleted: it has not started meanwhile. */
  static Preconditions withoutJob(OrphanPod pod) {
    return new Preconditions(
        pod.uid(), pod.state() == OrphanPod.State.UNSTARTED ? pod.seen() : null);
  }

  private Duration delete(OrphanPod pod, EphemeralRunnerSet set, Preconditions wanted, String why) {
    if (objects.delete(pod, wanted)) {
      events.report(set, LeftOver.POD, Result.REMOVED, pod.name(), why);
    }
    if (objects.deleteSecret(pod.namespace(), pod.name(), pod.set())) {
      events.report(
          set, LeftOver.SECRET, Result.REMOVED, pod.name(), ": its secret stood without a runner");
    }
    return AFTER_FAILURE;
  }

  /** Nobody knows credentials to ask with. */
  private Duration handleWithoutSet(OrphanPod pod) {
    if (pod.state() == OrphanPod.State.MAY_HAVE_A_JOB) {
      events.reportWithoutSet(
          pod,
          LeftOver.POD,
          Result.FOREIGN,
          "it runs, its runner and its set are gone, and nobody can ask whether it has a job");
      return WHILE_FOREIGN;
    }
    if (objects.delete(pod, withoutJob(pod))) {
      events.reportWithoutSet(
          pod, LeftOver.POD, Result.REMOVED, "it does not run, and its set is gone");
    }
    if (objects.deleteSecret(pod.namespace(), pod.name(), pod.set())) {
      events.reportWithoutSet(pod, LeftOver.SECRET, Result.REMOVED, "its runner and set are gone");
    }
    return AFTER_FAILURE;
  }
}
