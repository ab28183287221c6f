package dev.runnerset.simulator.service;

/** Which of several scale sets gets a job that all of them may run; it is not known of GitHub. */
public enum AssignOrder {
  /** The one that was made first, up to its capacity. */
  OLDEST_SET,
  /** The one with the most room left, job by job. */
  MOST_ROOM,
  /** Any, by chance, job by job. */
  RANDOM
}
