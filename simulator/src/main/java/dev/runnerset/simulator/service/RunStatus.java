package dev.runnerset.simulator.service;

import java.util.Locale;

/** How far a run or a job is, as the REST API says it (protocol 3.17). */
enum RunStatus {
  QUEUED,
  IN_PROGRESS,
  COMPLETED;

  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
