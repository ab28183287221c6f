package dev.runnerset.listener.session;

import dev.runnerset.actions.PollResult;
import dev.runnerset.actions.ServiceError;

/**
 * How a poll ended.
 *
 * @see Polls
 */
public sealed interface PollAnswer {
  /** The number {@link Polls#start} was given. */
  long poll();

  /** The service answered. */
  record Answered(long poll, PollResult result) implements PollAnswer {}

  /** It failed, or was cancelled. */
  record Failed(long poll, ServiceError error) implements PollAnswer {}
}
