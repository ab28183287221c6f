package dev.runnerset.actions.http;

import java.time.Duration;

/** Told of every attempt, for metrics. Called on the caller's thread; must not block nor throw. */
@FunctionalInterface
public interface CallListener {
  /** Listens to nothing. */
  CallListener NONE = (endpoint, attempt, status, took) -> {};

  /**
   * One attempt has ended.
   *
   * @param attempt 1 for the first
   * @param status 0 if there was no answer
   */
  void called(Endpoint endpoint, int attempt, int status, Duration took);
}
