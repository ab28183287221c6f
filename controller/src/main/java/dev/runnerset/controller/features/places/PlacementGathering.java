package dev.runnerset.controller.features.places;

import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView.RunnerContainer;
import dev.runnerset.controller.ephemeralrunner.lifecycle.StartDeadlines;
import dev.runnerset.controller.features.capacity.PlacementFacts;
import dev.runnerset.controller.features.capacity.PlacementFacts.Runner;
import dev.runnerset.controller.features.capacity.PlacementFacts.Stage;
import dev.runnerset.controller.features.capacity.PodEvent;
import dev.runnerset.controller.hooks.RunnersReports;
import dev.runnerset.controller.scaling.LimitedBy;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.Timestamps;
import dev.runnerset.crds.condition.ConditionType;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Gathers from the caches whether the runners of a set find their places (DM15).
 *
 * @param events as they were read last
 * @param reports of the passes over the runners: whether runners fail
 * @param fixedNodes what holds for a set that does not say it
 */
public record PlacementGathering(PodEvents events, RunnersReports reports, boolean fixedNodes) {
  /** Events are read only while a runner has waited that long. */
  static final Duration EVENTS_AFTER = Duration.ofSeconds(20);

  private static final String UNSCHEDULABLE = "Unschedulable";

  /** What is known of the runners of one set. */
  PlacementFacts facts(
      AutoScalingRunnerSet set,
      @Nullable EphemeralRunnerSet ers,
      String revision,
      int maxRunners,
      Stream<EphemeralRunner> runners,
      Function<EphemeralRunner, Optional<Pod>> pods,
      Instant now) {
    var known = events.of(set.getMetadata().getNamespace());
    var deadlines = StartDeadlines.of(set.getSpec().deadlines());
    return new PlacementFacts(
        revision,
        maxRunners,
        runners
            .filter(PlacementGathering::isThere)
            .map(runner -> runner(runner, pods, known))
            .toList(),
        set.getSpec().capacityOrDefault().hasFixedNodes(fixedNodes),
        ers == null ? null : failing(ers),
        new PlacementFacts.Deadlines(deadlines.scheduling(), deadlines.startup()),
        now);
  }

  private static boolean isThere(EphemeralRunner runner) {
    return !runner.statusOrNone().isTerminal() && !runner.isMarkedForDeletion();
  }

  /** Whether a runner waits for a place or for its container, as far as its status says it. */
  static boolean isWaiting(EphemeralRunner runner) {
    var phase = runner.statusOrNone().phase();
    return isThere(runner) && (phase == null || phase == RunnerPhase.PENDING);
  }

  /** Whether it has waited so long that events are worth a list. */
  static boolean isLate(EphemeralRunner runner, Instant now) {
    return isWaiting(runner) && !now.isBefore(created(runner).plus(EVENTS_AFTER));
  }

  private static Instant created(EphemeralRunner runner) {
    var at = Timestamps.parse(runner.getMetadata().getCreationTimestamp());
    return at == null ? Instant.EPOCH : at;
  }

  private static Runner runner(
      EphemeralRunner runner,
      Function<EphemeralRunner, Optional<Pod>> pods,
      Map<String, List<PodEvent>> events) {
    var meta = runner.getMetadata();
    var ran = ranByStatus(runner);
    var pod = ran == null ? pods.apply(runner).orElse(null) : null;
    return new Runner(
        meta.getUid(),
        meta.getName(),
        created(runner),
        ran == null ? stage(runner, pod == null ? null : PodView.of(pod)) : ran,
        pod == null ? List.of() : events.getOrDefault(pod.getMetadata().getUid(), List.of()));
  }

  /**
   * Of most runners of a large set the status says that they run: reading their pods takes ten
   * times as long. Null if the status does not say since when.
   */
  private static Stage.@Nullable Ran ranByStatus(EphemeralRunner runner) {
    var status = runner.statusOrNone();
    var timeline = status.timeline();
    return status.phase() == RunnerPhase.RUNNING && timeline != null && timeline.started() != null
        ? new Stage.Ran(timeline.started())
        : null;
  }

  private static Stage stage(EphemeralRunner runner, @Nullable PodView pod) {
    if (pod == null) {
      return runner.statusOrNone().phase() == RunnerPhase.RUNNING
          ? new Stage.Ran(null)
          : new Stage.Unplaced(null);
    }
    return switch (pod.runner()) {
      case RunnerContainer.Running(@Nullable Instant since) -> new Stage.Ran(since);
      case RunnerContainer.Terminated ended -> new Stage.Ran(ended.startedAt());
      case RunnerContainer.Waiting(var reason, var message) -> waiting(pod, reason, message);
    };
  }

  private static Stage waiting(PodView pod, String reason, String message) {
    var placement = pod.placement();
    if (pod.nodeName() == null && (placement == null || !placement.scheduled())) {
      return new Stage.Unplaced(
          placement != null && placement.reason().equals(UNSCHEDULABLE)
              ? placement.message()
              : null);
    }
    var since = placement == null ? null : placement.since();
    var other = pod.obstacle();
    return other == null
        ? new Stage.Placed(since, reason, message)
        : new Stage.Placed(since, other.reason(), other.message());
  }

  private PlacementFacts.@Nullable Failing failing(EphemeralRunnerSet ers) {
    var failures = ers.statusOrNone().failures();
    return reports
        .of(ers)
        .flatMap(report -> report.of(ConditionType.RUNNERS_FAILING))
        .filter(verdict -> verdict.limits() == LimitedBy.FAILING)
        .map(verdict ->
            new PlacementFacts.Failing(
                verdict.message(), failures == null ? null : failures.lastAt()))
        .orElse(null);
  }
}
