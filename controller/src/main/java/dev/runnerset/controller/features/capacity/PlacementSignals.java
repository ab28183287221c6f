package dev.runnerset.controller.features.capacity;

import dev.runnerset.base.Detail;
import dev.runnerset.controller.ephemeralrunnerset.StartAdvice;
import dev.runnerset.controller.features.capacity.PlacementFacts.Runner;
import dev.runnerset.controller.features.capacity.PlacementFacts.Stage;
import dev.runnerset.controller.scaling.LimitedBy;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What shows that further runners would find no place, or would not start (DM15). A pod that the
 * scheduler cannot place is the request for a node where an autoscaler runs: only the autoscaler's
 * own refusal counts there.
 */
final class PlacementSignals {
  /** So long a node must have had a pod with a problem: many problems are over in a moment. */
  static final Duration PROBLEM_LASTS = Duration.ofSeconds(10);

  /** So long what the kubelet says of a volume counts; it says it again every two minutes. */
  @Detail private static final Duration MOUNT_COUNTS = Duration.ofMinutes(3);

  /** Times of events have whole seconds: what is in the same one has no order. */
  @Detail private static final Duration IN_ORDER = Duration.ofSeconds(1);

  private static final Set<String> CANNOT_START =
      Set.of(
          "ErrImagePull",
          "ImagePullBackOff",
          "InvalidImageName",
          "ImageInspectError",
          "ErrImageNeverPull",
          "CreateContainerConfigError",
          "CreateContainerError",
          "RunContainerError");

  private static final Set<String> CANNOT_MOUNT = Set.of("FailedMount", "FailedAttachVolume");

  private static final Autoscaler CLUSTER_AUTOSCALER =
      new Autoscaler("cluster-autoscaler", "NotTriggerScaleUp", "TriggeredScaleUp");

  /** The scheduler reports {@code FailedScheduling}, too, in its own name. */
  private static final Autoscaler KARPENTER =
      new Autoscaler("karpenter", "FailedScheduling", "Nominated");

  private static final List<Autoscaler> AUTOSCALERS = List.of(CLUSTER_AUTOSCALER, KARPENTER);

  /**
   * An autoscaler, and its words.
   *
   * @param component as its events name it
   */
  private record Autoscaler(String component, String refusal, String promise) {
    /** Its refusal of the pod, if that is later than the last promise of a node. */
    Optional<PodEvent> refusal(List<PodEvent> events) {
      var last = latest(events, event -> is(event, refusal));
      var promised = latest(events, event -> is(event, promise));
      return last.filter(
          event -> promised.isEmpty() || !event.at().isBefore(promised.get().at().plus(IN_ORDER)));
    }

    private boolean is(PodEvent event, String reason) {
      return event.component().equals(component) && event.reason().equals(reason);
    }
  }

  /**
   * One signal.
   *
   * @param of who or what said so; empty for the runners themselves
   * @param message why, and what to change
   * @param at when it was given; null while it is being given
   */
  record Signal(LimitedBy by, String of, String message, @Nullable Instant at) {}

  private PlacementSignals() {}

  /** The first signal that is there now, in the order of the rule. */
  static Optional<Signal> of(PlacementFacts facts) {
    var waiting =
        facts.waiting().stream()
            .sorted(Comparator.comparing(Runner::created).thenComparing(Runner::name))
            .toList();
    return first(waiting, PlacementSignals::refusedByAutoscaler)
        .or(() -> facts.fixedNodes() ? first(waiting, PlacementSignals::fixed) : Optional.empty())
        .or(() -> first(waiting, runner -> notStarting(runner, facts.now())))
        .or(() ->
            Optional.ofNullable(facts.failing())
                .map(failing ->
                    new Signal(LimitedBy.FAILING, "", failing.message(), failing.lastAt())));
  }

  private interface Rule {
    Optional<Signal> of(Runner runner);
  }

  private static Optional<Signal> first(List<Runner> waiting, Rule rule) {
    return waiting.stream().flatMap(runner -> rule.of(runner).stream()).findFirst();
  }

  private static Optional<Signal> refusedByAutoscaler(Runner runner) {
    return runner.stage() instanceof Stage.Unplaced
        ? AUTOSCALERS.stream()
            .flatMap(autoscaler ->
                autoscaler.refusal(runner.events()).stream()
                    .map(refusal ->
                        unschedulable(runner, autoscaler.component(), refusal.message())))
            .findFirst()
        : Optional.empty();
  }

  private static Optional<Signal> fixed(Runner runner) {
    return runner.stage() instanceof Stage.Unplaced(@Nullable String refused) && refused != null
        ? Optional.of(unschedulable(runner, "scheduler", refused))
        : Optional.empty();
  }

  private static Signal unschedulable(Runner runner, String of, String words) {
    return new Signal(
        LimitedBy.UNSCHEDULABLE,
        of,
        "%s has no place for runner %s: %s; %s"
            .formatted(of, runner.name(), words, advice("Unschedulable", words, runner)),
        null);
  }

  private static Optional<Signal> notStarting(Runner runner, Instant now) {
    if (!(runner.stage() instanceof Stage.Placed(@Nullable Instant since, var problem, var words))
        || now.isBefore((since == null ? runner.created() : since).plus(PROBLEM_LASTS))) {
      return Optional.empty();
    }
    return CANNOT_START.contains(problem)
        ? Optional.of(notStarting(runner, problem, words))
        : latest(runner.events(), event -> CANNOT_MOUNT.contains(event.reason()))
            .filter(event -> now.isBefore(event.at().plus(MOUNT_COUNTS)))
            .map(event -> notStarting(runner, event.reason(), event.message()));
  }

  private static Signal notStarting(Runner runner, String word, String words) {
    return new Signal(
        LimitedBy.NOT_STARTING,
        word,
        "runner %s does not start: %s: %s; %s"
            .formatted(runner.name(), word, words, advice(word, words, runner)),
        null);
  }

  private static String advice(String word, String words, Runner runner) {
    return StartAdvice.of(word, words, runner.name());
  }

  private static Optional<PodEvent> latest(List<PodEvent> events, Predicate<PodEvent> which) {
    return events.stream().filter(which).max(Comparator.comparing(PodEvent::at));
  }
}
