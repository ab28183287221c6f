package dev.runnerset.crds.condition;

import java.util.Optional;

/**
 * Why a condition, a failure or an event is as it is: a word that stays the same between versions.
 * Every word of ours is a constant, and docs/reference/conditions.md says what it means.
 */
public sealed interface Reason {
  /** The word as it stands in the API. */
  String word();

  /** A reason of ours. */
  sealed interface Known extends Reason
      permits AccessReason,
          RunnerSetReason,
          EphemeralRunnerSetReason,
          RunnerReason,
          ListenerReason,
          EventReason {
    /** The name of the constant. */
    String name();

    /** The name in camel case. */
    @Override
    default String word() {
      return Words.of(name());
    }
  }

  /**
   * A word that Kubernetes chose, as {@code Evicted}, or that is mirrored from another object.
   *
   * @param word not empty
   */
  record Mirrored(String word) implements Reason {}

  /** The reason that another writer set; {@code otherwise} if there is no such reason. */
  static Reason mirrored(String word, Reason otherwise) {
    return word.isEmpty() ? otherwise : new Mirrored(word);
  }

  /** The constant with that word. */
  static <R extends Enum<R> & Known> Optional<R> of(Class<R> family, String word) {
    for (var reason : family.getEnumConstants()) {
      if (reason.word().equals(word)) {
        return Optional.of(reason);
      }
    }
    return Optional.empty();
  }
}
