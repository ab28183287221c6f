package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.hooks.Verdict;
import dev.runnerset.controller.removal.Group;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.SetMoment;
import dev.runnerset.controller.scaling.LimitedBy;
import dev.runnerset.controller.timing.Times;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.Timestamps;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerReason;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The condition that reports runners that do not start: the commonest problem with its count, and
 * the runner that has waited longest for an example. A problem that a runner reports counts at
 * once; a runner that reports none counts once it is late. The conditions and the ages of the
 * runners decide all of it, so that a restart costs no write. The condition is present only while
 * it is True, since each write of the status sends all conditions (docs/adr/0011).
 */
@Pure
final class PendingCondition {
  /** Each of them is True when all is well. */
  private static final List<ConditionType> STEPS =
      List.of(ConditionType.REGISTRATION_MADE, ConditionType.SCHEDULED, ConditionType.STARTED);

  /** What a pod waits for that may well start: these count as no problem. */
  private static final Set<String> ON_THE_WAY =
      Set.of("ContainerCreating", "PodInitializing", RunnerReason.UNSCHEDULED.word());

  /** The scheduler's word, and ours where it gave none. */
  private static final Set<String> UNSCHEDULABLE =
      Set.of(RunnerSetReason.UNSCHEDULABLE.word(), RunnerReason.UNSCHEDULED.word());

  private PendingCondition() {}

  /** Only runners of the present revision that are wanted. */
  private static final Group PENDING =
      Group.at((r, now) -> !r.older() && r.phase() == RunnerPhase.PENDING && r.isRemovable(now));

  private static final Group PRESENT =
      Group.of(r -> !r.isEnded() && !r.terminating() && !r.removal().askedToGo());

  /**
   * What is found.
   *
   * @param verdict empty while no runner has a problem or is late
   * @param stuck how many runners something keeps from starting, those that are merely slow left
   *     out
   */
  record Found(Optional<Verdict> verdict, int stuck) {}

  /**
   * A runner that does not start.
   *
   * @param cause as its own condition says it, or that it is late
   */
  private record Waiting(RunnerView runner, Reason cause, String message, Instant since) {
    boolean isSlow() {
      return cause == EphemeralRunnerSetReason.START_SLOW;
    }

    /** What it counts for: a quota is one problem, whatever it refuses. */
    Reason reason() {
      return Reason.of(RunnerReason.class, cause.word()).filter(RunnerReason::isOfQuota).isPresent()
          ? RunnerSetReason.QUOTA
          : cause;
    }

    /** How it limits the set; null for a start that is merely slow. */
    @Nullable LimitedBy limits() {
      if (isSlow()) {
        return null;
      }
      var word = reason().word();
      if (word.equals(RunnerSetReason.QUOTA.word())) {
        return LimitedBy.QUOTA;
      }
      return UNSCHEDULABLE.contains(word) ? LimitedBy.UNSCHEDULABLE : LimitedBy.NOT_STARTING;
    }
  }

  static Found find(SetMoment moment) {
    var waiting =
        moment.in(PENDING).flatMap(runner -> waiting(runner, moment.now()).stream()).toList();
    var stuck = waiting.stream().filter(w -> !w.isSlow()).toList();
    var shown = stuck.isEmpty() ? waiting : stuck;
    var verdict =
        commonest(shown)
            .map(common ->
                Verdict.yes(
                        common.getFirst().reason(), message(common, shown, moment.count(PRESENT)))
                    .limiting(common.getFirst().limits()));
    return new Found(verdict, stuck.size());
  }

  private static Optional<Waiting> waiting(RunnerView view, Now now) {
    var problem = problem(view.resource());
    if (problem != null && !ON_THE_WAY.contains(problem.getReason())) {
      var since = Timestamps.parse(problem.getLastTransitionTime());
      return Optional.of(
          new Waiting(
              view,
              StatusConditions.reason(problem, EphemeralRunnerSetReason.START_OVERDUE),
              problem.getReason() + ": " + StatusConditions.message(problem),
              since == null ? view.created() : since));
    }
    if (!now.isPast(view.created(), EphemeralRunnerSetTimes.SLOW_AFTER)) {
      return Optional.empty();
    }
    boolean overdue = now.isPast(view.created(), EphemeralRunnerSetTimes.START_DEADLINE);
    var cause =
        overdue ? EphemeralRunnerSetReason.START_OVERDUE : EphemeralRunnerSetReason.START_SLOW;
    return Optional.of(
        new Waiting(
            view,
            cause,
            problem == null
                ? "the start takes long, and no reason is known"
                : problem.getReason() + ": " + StatusConditions.message(problem),
            view.created()));
  }

  private static @Nullable Condition problem(EphemeralRunner runner) {
    var conditions = runner.statusOrNone().conditions();
    return STEPS.stream()
        .flatMap(step -> StatusConditions.find(conditions, step, Value.FALSE).stream())
        .findFirst()
        .orElse(null);
  }

  /** The runners with the commonest reason, the longest waiting one first; by name if equal. */
  private static Optional<List<Waiting>> commonest(List<Waiting> waiting) {
    return byReason(waiting).values().stream()
        .max(
            Comparator.<List<Waiting>>comparingInt(List::size)
                .thenComparing(same -> same.getFirst().since(), Comparator.reverseOrder()));
  }

  private static Map<String, List<Waiting>> byReason(List<Waiting> waiting) {
    return waiting.stream()
        .sorted(Comparator.comparing(Waiting::since).thenComparing(w -> w.runner().name()))
        .collect(Collectors.groupingBy(w -> w.reason().word(), TreeMap::new, Collectors.toList()));
  }

  private static String message(List<Waiting> common, List<Waiting> shown, int present) {
    var example = common.getFirst();
    var others =
        byReason(shown).entrySet().stream()
            .filter(e -> !e.getKey().equals(example.reason().word()))
            .map(e -> "%d for %s".formatted(e.getValue().size(), e.getKey()))
            .collect(Collectors.joining(", "));
    return "%d of %d runners %s: %s (for example %s since %s)%s; %s"
        .formatted(
            common.size(),
            present,
            common.size() == 1 ? "waits" : "wait",
            example.message(),
            example.runner().name(),
            Times.seconds(example.since()),
            others.isEmpty() ? "" : "; " + others,
            StartAdvice.of(example.cause().word(), example.message(), example.runner().name()));
  }
}
