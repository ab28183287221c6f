package dev.runnerset.simulator.service;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The seven numbers of a scale set (protocol 4.5). */
public record Statistics(
    int available, int acquired, int assigned, int running, int registered, int busy, int idle) {

  static final Statistics ZERO = new Statistics(0, 0, 0, 0, 0, 0, 0);

  Statistics inflatedBy(int jobs) {
    return new Statistics(available, acquired, assigned + jobs, running, registered, busy, idle);
  }

  @JsonValue
  ObjectNode json() {
    return Json.object()
        .put("totalAvailableJobs", available)
        .put("totalAcquiredJobs", acquired)
        .put("totalAssignedJobs", assigned)
        .put("totalRunningJobs", running)
        .put("totalRegisteredRunners", registered)
        .put("totalBusyRunners", busy)
        .put("totalIdleRunners", idle);
  }
}
