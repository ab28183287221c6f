package dev.runnerset.crds.condition;

import dev.runnerset.base.ShortText;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How the conditions of a status are read and built. Lists are never changed in place. */
public final class StatusConditions {
  /** The longest message, in characters: the API server takes longer ones, people do not. */
  public static final int LONGEST_MESSAGE = 1000;

  private static final List<ConditionType> TRUE_WHEN_WELL =
      List.of(ConditionType.READY, ConditionType.REGISTERED, ConditionType.LISTENER_READY);

  private StatusConditions() {}

  /** The three values of a condition. */
  public enum Value {
    TRUE("True"),
    FALSE("False"),
    UNKNOWN("Unknown");

    private final String word;

    Value(String word) {
      this.word = word;
    }

    /** The value as it stands in the API. */
    public String word() {
      return word;
    }

    /** True or False. */
    public static Value of(boolean isTrue) {
      return isTrue ? TRUE : FALSE;
    }
  }

  /**
   * The conditions of a status as it was read. One without a type or a status says nothing, and
   * nobody could sort or compare it: it is left out, and goes with the next write of the list.
   *
   * @param read null for none
   */
  public static List<Condition> stored(@Nullable List<Condition> read) {
    return read == null
        ? List.of()
        : read.stream().filter(c -> c.getType() != null && c.getStatus() != null).toList();
  }

  /** The condition of that type. */
  public static Optional<Condition> find(List<Condition> conditions, ConditionType type) {
    return conditions.stream().filter(c -> type.word().equals(c.getType())).findFirst();
  }

  /** The condition of that type, if it has that value. */
  public static Optional<Condition> find(
      List<Condition> conditions, ConditionType type, Value value) {
    return find(conditions, type).filter(c -> has(c, value));
  }

  /** Whether the condition of that type is there and True. */
  public static boolean isTrue(List<Condition> conditions, ConditionType type) {
    return find(conditions, type, Value.TRUE).isPresent();
  }

  /** Whether the condition of that type is there and False. */
  public static boolean isFalse(List<Condition> conditions, ConditionType type) {
    return find(conditions, type, Value.FALSE).isPresent();
  }

  /** Whether the condition has that value. */
  public static boolean has(Condition condition, Value value) {
    return value.word().equals(condition.getStatus());
  }

  /**
   * Whether the condition of a set says that something is wrong: {@code Ready}, {@code Registered}
   * and {@code ListenerReady} while they are not True, any other condition while it is True.
   */
  public static boolean isProblem(Condition condition) {
    boolean wellWhenTrue =
        TRUE_WHEN_WELL.stream().anyMatch(type -> type.word().equals(condition.getType()));
    return has(condition, Value.TRUE) != wellWhenTrue;
  }

  /** Whether the condition has that reason. */
  public static boolean has(Condition condition, Reason reason) {
    return reason.word().equals(condition.getReason());
  }

  /** The condition's message; empty if the condition or its message is absent. */
  public static String message(Condition condition) {
    return Objects.requireNonNullElse(condition.getMessage(), "");
  }

  /** The condition's reason, for a condition that repeats it; {@code otherwise} if it is absent. */
  public static Reason reason(Condition condition, Reason otherwise) {
    return Reason.mirrored(Objects.requireNonNullElse(condition.getReason(), ""), otherwise);
  }

  /**
   * A condition as it is to be written. Its transition time stays if it has that value already, so
   * that a list is equal to the one before when nothing changed; else it is now, cut to seconds as
   * the API server stores it. The message is cut to {@link #LONGEST_MESSAGE}.
   *
   * @param before the conditions as they stand
   * @param generation of the spec that was judged; null to leave it out
   */
  public static Condition build(
      List<Condition> before,
      ConditionType type,
      Value value,
      Reason reason,
      String message,
      @Nullable Long generation,
      Instant now) {
    return new ConditionBuilder()
        .withType(type.word())
        .withStatus(value.word())
        .withReason(reason.word())
        .withMessage(ShortText.of(message, LONGEST_MESSAGE))
        .withObservedGeneration(generation)
        .withLastTransitionTime(
            find(before, type, value)
                .map(Condition::getLastTransitionTime)
                .orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString()))
        .build();
  }

  /** The list with that condition instead of the one of its type, sorted by type. */
  public static List<Condition> with(List<Condition> conditions, Condition wanted) {
    return Stream.concat(
            conditions.stream().filter(c -> !wanted.getType().equals(c.getType())),
            Stream.of(wanted))
        .sorted(Comparator.comparing(Condition::getType))
        .toList();
  }

  /** The list without the condition of that type. */
  public static List<Condition> without(List<Condition> conditions, ConditionType type) {
    return conditions.stream().filter(c -> !type.word().equals(c.getType())).toList();
  }
}
