package dev.runnerset.controller.runnerset;

import dev.runnerset.controller.runnerset.DeletionPlanner.Left;
import dev.runnerset.controller.runnerset.DeletionPlanner.Step;
import dev.runnerset.controller.scaling.CapacityPlan;
import dev.runnerset.crd.AutoScalingListener;
import dev.runnerset.crd.EphemeralRunnerSet;
import dev.runnerset.service.RunnerGroupId;
import dev.runnerset.service.ScaleSetId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One pass over a set that is to go; see {@link DeletionPlanner} for the order. */
final class SetTeardown {
  /** Runners and owner references go without an event for us. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private final SetParts parts;
  private final Clock clock;

  SetTeardown(SetParts parts) {
    this.parts = parts;
    this.clock = parts.clock();
  }

  /**
   * The pass; blocks for requests.
   *
   * @return when to look again, or empty when nothing is left
   */
  Optional<Instant> advance(Gathered gathered, ChildCache cache) {
    var left = left(gathered);
    var step = DeletionPlanner.next(left);
    var sentence = step.sentence();
    var again = clock.instant().plus(LOOK_AGAIN);
    switch (step) {
      case Step.StopOffering() ->
          parts.children().stopOffering(gathered.runnerSet(), gathered.listener(), cache);
      case Step.AwaitRunners(_) -> hasten(gathered);
      case Step.EndListening() -> {
        parts.credentials().letGoFormer(gathered.set(), gathered.listener(), gathered.all());
        delete(gathered.listener());
      }
      case Step.DeleteRunnerSet() -> delete(gathered.runnerSet());
      case Step.Finish() -> {
        var pending = parts.farewell().attempt(gathered.set(), gathered.all());
        if (pending.isEmpty()) {
          finish(gathered);
          return Optional.empty();
        }
        sentence = pending.get().sentence();
        again = pending.get().retryAt();
      }
    }
    var written =
        parts.statuses().write(gathered.set(), status(gathered, sentence), cache, clock.instant());
    return Optional.of(written.filter(again::isAfter).orElse(again));
  }

  /** While nobody has told the demand no surplus is removed: then the runners are asked to go. */
  private void hasten(Gathered gathered) {
    if (ChildSpecs.scaling(gathered.set(), gathered.runnerSet()).demand() == null) {
      parts.runners().delete(gathered.set(), gathered.runnerSet());
    }
  }

  private void finish(Gathered gathered) {
    var set = gathered.set();
    parts.permissions().revoke(set);
    parts.credentials().release(set, gathered.all());
    var uid = set.getMetadata().getUid();
    parts.registrar().forget(uid);
    parts.templates().forget(uid);
    parts.statuses().forget(uid);
    parts.farewell().forget(uid);
    parts.ages().forget(set);
    parts.series().forget(set);
  }

  private void delete(io.fabric8.kubernetes.api.model.@Nullable HasMetadata child) {
    if (child != null) {
      parts.children().delete(child);
    }
  }

  private Left left(Gathered gathered) {
    var ers = gathered.runnerSet();
    boolean stopped = isStopped(ers) && isStopped(gathered.listener());
    int counted = counted(ers);
    if (!stopped || counted > 0) {
      return new Left(ers != null, stopped, gathered.listener() != null, counted, counted);
    }
    var live = parts.runners().of(gathered.set(), gathered.runnerSet());
    return new Left(ers != null, true, gathered.listener() != null, live.unfinished(), live.all());
  }

  private static int counted(@Nullable EphemeralRunnerSet ers) {
    var counts = ers == null || ers.getStatus() == null ? null : ers.getStatus().runners();
    return counts == null ? 0 : counts.live();
  }

  /** Its reconciler must have seen the zero: else more runners may be on their way. */
  private static boolean isStopped(@Nullable EphemeralRunnerSet ers) {
    if (ers == null || ChildWriter.isGoing(ers)) {
      return true;
    }
    var status = ers.getStatus();
    return Objects.equals(ers.getSpec().replicas(), 0)
        && status != null
        && Objects.equals(status.observedGeneration(), ers.getMetadata().getGeneration());
  }

  private static boolean isStopped(@Nullable AutoScalingListener listener) {
    return listener == null
        || ChildWriter.isGoing(listener)
        || Objects.equals(listener.getSpec().capacity(), 0);
  }

  private SetStatus status(Gathered gathered, String sentence) {
    var set = gathered.set();
    var before = StatusWriter.status(set);
    var scaling = ChildSpecs.scaling(set, gathered.runnerSet());
    var listener = gathered.listener();
    var view =
        new SetView(
            sentence,
            scaling.mode(),
            null,
            registration(before.scaleSetId()),
            null,
            listener == null ? null : SetView.statusOf(listener),
            CapacityPlan.of(scaling),
            Gathered.runnersFailing(gathered.runnerSet()));
    long generation = set.getMetadata().getGeneration();
    return new SetStatus(
        generation,
        null,
        null,
        Revision.of(set.getSpec()),
        Conditions.of(before.conditions(), view, generation, clock.instant()),
        SetStatus.jobs(gathered.runnerSet()),
        SetStatus.runners(gathered.runnerSet(), 0),
        SetStatus.capacity(view.capacity()),
        SetStatus.children(gathered.runnerSet(), listener, parts.embedded()));
  }

  private static Registration registration(@Nullable Integer scaleSetId) {
    return scaleSetId == null
        ? new Registration.Failed(new Finding("Deleting", "the set is being deleted"), Instant.MAX)
        : new Registration.Registered(new ScaleSetId(scaleSetId), RunnerGroupId.DEFAULT);
  }
}
