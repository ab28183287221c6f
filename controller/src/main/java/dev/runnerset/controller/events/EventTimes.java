package dev.runnerset.controller.events;

import java.time.Duration;

/** The times between writes of events. */
public final class EventTimes {
  /** Events that are further apart are two events (EV4). */
  public static final Duration ONE_EVENT = Duration.ofMinutes(15);

  /** Between two writes of the count of one event (EV4). */
  public static final Duration BETWEEN_WRITES = Duration.ofSeconds(30);

  /** How late the count of an event may be beside the time that it is held (EV4). */
  public static final Duration CHECKED_EVERY = Duration.ofSeconds(5);

  /** Between two tries to write an event that the API server could not answer (EV5). */
  public static final Duration PAUSE = Duration.ofSeconds(10);

  private EventTimes() {}
}
