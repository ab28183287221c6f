package dev.runnerset.cli.view;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.Mending;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What is wrong with a set, by its own conditions.
 *
 * @param level how much it hurts
 * @param reason the word of the condition that says so; empty if all is well
 * @param sentence the condition's message, in one line; empty if all is well
 * @param mending whose turn it is: that of the user, or of nobody
 */
@Pure
public record SetHealth(Level level, String reason, String sentence, Mending mending) {
  /** How much the state of a set hurts; the first one hurts most. */
  public enum Level {
    /** A job that comes now gets no runner. */
    NOT_SERVED("bad"),
    /** Jobs run, and something is wrong. */
    PROBLEM("warn"),
    /** Fewer jobs are taken than the set could take, and jobs wait. */
    LIMITED("warn"),
    /** It starts: nothing is wrong yet. */
    STARTING("busy"),
    /** Its spec wants no jobs, or it is being deleted. */
    ASKED("dim"),
    /** All is well. */
    WELL("good");

    private final String tone;

    Level(String tone) {
      this.tone = tone;
    }

    /** The class of its colour: good, busy, warn, bad or dim. */
    public String tone() {
      return tone;
    }
  }

  /** By level, the worst first. */
  public static final Comparator<SetHealth> WORST_FIRST = Comparator.comparing(SetHealth::level);

  private static final SetHealth WELL = new SetHealth(Level.WELL, "", "", Mending.WAIT);

  /** The health of a set as its conditions have it. */
  public static SetHealth of(AutoScalingRunnerSet set) {
    var conditions = set.statusOrNone().conditions();
    var ready = StatusConditions.find(conditions, ConditionType.READY);
    if (ready.isEmpty()) {
      return new SetHealth(
          Level.STARTING,
          RunnerSetReason.PENDING.word(),
          "no controller has reconciled the set yet",
          Mending.WAIT);
    }
    if (set.getMetadata().getDeletionTimestamp() != null) {
      return at(Level.ASKED, ready.get());
    }
    if (StatusConditions.isProblem(ready.get())) {
      return at(levelOf(ready.get()), ready.get());
    }
    return problem(conditions)
        .map(SetHealth::of)
        .orElseGet(() -> isAskedFor(ready.get()) ? at(Level.ASKED, ready.get()) : WELL);
  }

  private static SetHealth of(Condition condition) {
    return at(
        condition.getType().equals(ConditionType.CAPACITY_LIMITED.word())
            ? Level.LIMITED
            : Level.PROBLEM,
        condition);
  }

  /** The first problem in the order of {@link ConditionType}; a limit comes last. */
  private static Optional<Condition> problem(List<Condition> conditions) {
    return problems(conditions).stream().findFirst();
  }

  /** All conditions that report a problem, the one that names the cause first. */
  public static List<Condition> problems(List<Condition> conditions) {
    return conditions.stream()
        .filter(StatusConditions::isProblem)
        .filter(c -> !c.getType().equals(ConditionType.STALLED.word())) // repeats another one
        .filter(c -> !isAskedFor(c))
        .sorted(Comparator.comparing(SetHealth::place))
        .toList();
  }

  private static int place(Condition condition) {
    var types = ConditionType.values();
    for (var type : types) {
      if (type.word().equals(condition.getType())) {
        return type == ConditionType.CAPACITY_LIMITED ? types.length : type.ordinal();
      }
    }
    return types.length;
  }

  private static Level levelOf(Condition ready) {
    if (isAskedFor(ready)) {
      return Level.ASKED;
    }
    var reason = reason(ready);
    return reason.equals(RunnerSetReason.PENDING.word()) || RunnerSetReason.isOfAStart(reason)
        ? Level.STARTING
        : Level.NOT_SERVED;
  }

  private static boolean isAskedFor(Condition condition) {
    return RunnerSetReason.isAskedFor(reason(condition));
  }

  private static String reason(Condition condition) {
    return Objects.requireNonNullElse(condition.getReason(), "");
  }

  private static SetHealth at(Level level, Condition condition) {
    return new SetHealth(
        level,
        reason(condition),
        Texts.line(StatusConditions.message(condition)),
        Mending.of(reason(condition)));
  }
}
