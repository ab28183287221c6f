package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.controller.autoscalingrunnerset.children.LiveRunners;
import dev.runnerset.controller.autoscalingrunnerset.planning.DeletionTimes;
import dev.runnerset.controller.autoscalingrunnerset.planning.UnaskedDeletion;
import dev.runnerset.controller.autoscalingrunnerset.planning.UnaskedDeletion.Going;
import dev.runnerset.controller.autoscalingrunnerset.planning.UnaskedDeletion.Plan;
import dev.runnerset.controller.autoscalingrunnerset.registration.ServiceProbe;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.removal.ForcedDeletion;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Deletes runners of a runner set that is being deleted while the service refuses the credentials
 * or there are none. The set says why; after {@link DeletionTimes#CREDENTIALS_AWAITED} the runners
 * that do not run are deleted without the service (docs/adr/0017). Thread-safe; one thread per set.
 */
record WithoutService(
    KubeApi kube,
    LiveRunners runners,
    ServiceProbe probe,
    Events events,
    Clock clock,
    Memories memories) {
  /** How many runners one pass deletes: each costs a call that the service may refuse. */
  static final int MOST_AT_ONCE = 24;

  /** How many runners the message names. */
  private static final int MOST_NAMES = 10;

  private static final Slot<Progress> LAST = new Slot<>();

  /** What was found, and what waits; for good, if no credentials can come back. */
  private record Progress(Plan plan, int waiting, boolean forGood, Instant next) {}

  /**
   * Why the runners are not removed, for a condition, and what the user can do.
   *
   * @param first whether it stands before what the deletion waits for
   */
  record Problem(Finding finding, String sentence, boolean first) {}

  /**
   * One pass over a set whose runners are waited for; blocks for requests.
   *
   * @return what the user must know; empty while the service can be asked
   */
  Optional<Problem> check(AutoScalingRunnerSet set, @Nullable EphemeralRunnerSet ers) {
    var found = probe.check(set);
    if (found.problem() == null) {
      memories.of(set).clear(LAST);
      return Optional.empty();
    }
    var finding = found.problem().finding();
    var why = "the registrations of its runners cannot be removed. " + finding.message();
    if (!found.problem().lockedOut()) {
      return Optional.of(new Problem(finding, why, false));
    }
    var progress = sweep(set, ers, finding, found.since());
    var plan = progress.plan();
    if (progress.forGood()) {
      var gone =
          new Finding(
              RunnerSetReason.NAMESPACE_TERMINATING,
              "The namespace is being deleted, and the credentials of the set were deleted with"
                  + " it: no"
                  + " registration of its runners can be removed");
      return Optional.of(new Problem(gone, gone.message() + staying(set, plan), true));
    }
    int stay = plan.busy() + plan.unmarked().size();
    var waiting =
        progress.waiting() == 0
            ? ""
            : ". From %s on, %d runners that do not run are deleted without the service"
                .formatted(
                    found.since().plus(DeletionTimes.CREDENTIALS_AWAITED), progress.waiting());
    var running =
        stay == 0
            ? ""
            : (". %d runners run and may have a job: each is deleted when its container ends, or asked"
                    + " for when the credentials are back")
                .formatted(stay);
    return Optional.of(new Problem(finding, why + waiting + running, false));
  }

  /** Whether the last request found that the scale set is not at the service any more. */
  boolean isScaleSetGone(AutoScalingRunnerSet set) {
    return probe.isScaleSetGone(set);
  }

  /** The runners without a mark first: only a person ends them, and perhaps spares the others. */
  private static String staying(AutoScalingRunnerSet set, Plan plan) {
    var busy =
        plan.busy() == 0
            ? ""
            : ". " + plan.busy() + " runners have a job, and are deleted when" + " it is over";
    int unmarked = plan.unmarked().size();
    if (unmarked == 0) {
      return busy;
    }
    var names = plan.unmarked().stream().sorted().limit(MOST_NAMES).toList();
    return ". %d runners run without a known job, and wait until they are forced: "
            .formatted(unmarked)
        + (plan.busy() == 0
            ? ForcedDeletion.commandFor(set)
            : ForcedDeletion.commandFor(set.getMetadata().getNamespace(), String.join(" ", names))
                + (unmarked > MOST_NAMES ? " (the others are named then)" : ""))
        + busy;
  }

  private Progress sweep(
      AutoScalingRunnerSet set, @Nullable EphemeralRunnerSet ers, Finding finding, Instant since) {
    var now = clock.instant();
    var last = memories.of(set).find(LAST);
    if (last != null && now.isBefore(last.next())) {
      return last;
    }
    var plan = UnaskedDeletion.of(runners.list(set, ers), runners.podByName(set));
    boolean forGood =
        finding.reason() == AccessReason.SECRET_NOT_FOUND && runners.isNamespaceTerminating(set);
    var deleted =
        forGood || !now.isBefore(since.plus(DeletionTimes.CREDENTIALS_AWAITED))
            ? plan.going().stream().limit(MOST_AT_ONCE).filter(this::delete).toList()
            : List.<Going>of();
    if (!deleted.isEmpty()) {
      events.warn(
          set,
          EventReason.REGISTRATIONS_LEFT,
          ("%d runners that did not run were deleted without the service, for example %s: GitHub"
                  + " deletes the registration of an ephemeral runner that is offline for a day")
              .formatted(deleted.size(), deleted.getFirst().runner().getMetadata().getName()));
    }
    int waiting = plan.going().size() - deleted.size();
    var progress = new Progress(plan, waiting, forGood, now.plus(DeletionTimes.PODS_LISTED_EVERY));
    memories.of(set).put(LAST, progress);
    return progress;
  }

  /**
   * Deletes the pod first, and only if it is unchanged: a container that has started since then
   * keeps its runner.
   */
  private boolean delete(Going going) {
    var pod = going.unstarted();
    if (pod != null && !kube.delete(Resource.of(pod), Preconditions.unchanged(pod))) {
      return false;
    }
    runners.force(going.runner());
    return true;
  }
}
