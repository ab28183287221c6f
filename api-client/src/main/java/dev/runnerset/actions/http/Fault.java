package dev.runnerset.actions.http;

import java.util.Arrays;

/** What the service's exception types mean (protocol 2.6); known by a part of their names. */
enum Fault {
  RUNNER_EXISTS("AgentExistsException"),
  RUNNER_NOT_FOUND("AgentNotFoundException"),
  JOB_STILL_RUNNING("JobStillRunningException"),
  SCALE_SET_NOT_FOUND("RunnerScaleSetNotFoundException"),
  SCALE_SET_EXISTS("RunnerScaleSetExistsException"),
  SESSION_CONFLICT("RunnerScaleSetSessionConflictException"),
  SESSION_EXPIRED("RunnerScaleSetSessionExpiredException"),
  /** The broker's word for a session that it does not know; as wide as it sounds elsewhere. */
  SESSION_UNKNOWN("RunnerAdminException"),
  /** The type is absent or not in the catalogue: the status decides. */
  OTHER("\0");

  private final String part;

  Fault(String part) {
    this.part = part;
  }

  static Fault of(String typeName) {
    return Arrays.stream(values())
        .filter(fault -> typeName.contains(fault.part))
        .findFirst()
        .orElse(OTHER);
  }
}
