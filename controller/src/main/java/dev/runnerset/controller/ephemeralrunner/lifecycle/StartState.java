package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.actions.JitConfigResult.Registered;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How far the start of a runner is, as this process knows it.
 *
 * @param runnerId of the registration we made or found, as soon as it is known
 * @param unstored the registration whose secret is not made yet; secret, and never printed
 * @param podMadeAt when our POST of the pod succeeded; from then on there is no second start
 * @param failures in a row
 * @param notBefore when the next step may be tried again
 */
public record StartState(
    Stage stage,
    @Nullable Long runnerId,
    @Nullable Registered unstored,
    @Nullable Instant podMadeAt,
    int failures,
    @Nullable Instant notBefore) {

  /** What is known to be made. */
  public enum Stage {
    /** Nothing is known: an earlier process may have begun, so that the start begins with reads. */
    UNSEEN,
    /** Nothing is made but, maybe, a registration whose config is lost. */
    NEW,
    /** The runner is registered, and for certain the secret is not made. */
    REGISTERED,
    /** The secret is made, and for certain no pod. */
    PREPARED,
    /** Nobody can tell whether something was made, or will be: the start is given up. */
    UNCERTAIN,
    /** The pod is made, or was found. */
    MADE,
    /** The namespace is going away: nothing more is made. */
    PARKED
  }

  public static StartState at(Stage stage) {
    return new StartState(stage, null, null, null, 0, null);
  }

  public StartState uncertain(@Nullable Long id) {
    return new StartState(
        Stage.UNCERTAIN, id == null ? runnerId : id, null, podMadeAt, failures, null);
  }

  public StartState registered(Registered fresh) {
    return new StartState(
        Stage.REGISTERED, fresh.runner().id().value(), fresh, null, failures, notBefore);
  }

  public StartState with(Stage next, @Nullable Long id) {
    return new StartState(next, id, null, podMadeAt, failures, notBefore);
  }

  public StartState failed(Instant again) {
    return new StartState(stage, runnerId, unstored, podMadeAt, failures + 1, again);
  }
}
