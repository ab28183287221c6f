package dev.runnerset.actions.http;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/**
 * How calls are sent.
 *
 * @param limits how much of the caller the connection may hold
 * @param random for the jitter between attempts; thread-safe
 * @param maySend asked before each sending of a call that changes something at the service (see
 *     {@link Endpoint#changesService}); if it says no, the call ends with {@code NotSent}.
 *     Thread-safe; must not block
 */
public record CallRules(
    Timeouts timeouts,
    RetryRules retry,
    CallLimits limits,
    RandomGenerator random,
    BooleanSupplier maySend) {
  /** Each thread's own random source; one constant, so that equal settings are equal. */
  private static final RandomGenerator RANDOM = () -> ThreadLocalRandom.current().nextLong();

  private static final BooleanSupplier ALWAYS = () -> true;

  /** The defaults: everything may be sent. */
  public static final CallRules DEFAULT =
      new CallRules(Timeouts.DEFAULT, RetryRules.DEFAULT, CallLimits.NONE, RANDOM, ALWAYS);
}
