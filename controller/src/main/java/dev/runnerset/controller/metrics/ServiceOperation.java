package dev.runnerset.controller.metrics;

import java.util.Arrays;
import java.util.Optional;

/** Calls of the Actions service: the values of the label {@code operation}. */
public enum ServiceOperation implements Word {
  RUNNER_GROUP("runnerGroup"),
  FIND_SCALE_SET("findScaleSet"),
  SCALE_SET("scaleSet"),
  CREATE_SCALE_SET("createScaleSet"),
  UPDATE_SCALE_SET("updateScaleSet"),
  DELETE_SCALE_SET("deleteScaleSet"),
  JIT_CONFIG("generateJitConfig"),
  RUNNER("runner"),
  RUNNER_NAMED("runnerNamed"),
  LIST_RUNNERS("runners"),
  LISTED_VERSION("listedVersion"),
  VERSION_DATES("versionDates"),
  WORKFLOW_RUN("workflowRun"),
  WORKFLOW_JOBS("workflowJobs"),
  RERUN_FAILED_JOBS("rerunFailedJobs"),
  RERUN_JOB("rerunJob"),
  REMOVE_RUNNER("removeRunner"),
  OPEN_SESSION("openSession"),
  DELETE_SESSION("deleteSession");

  private final String method;

  ServiceOperation(String method) {
    this.method = method;
  }

  /** That of a method of the service; empty for a method of its sessions. */
  public static Optional<ServiceOperation> of(String method) {
    return Arrays.stream(values()).filter(each -> each.method.equals(method)).findFirst();
  }
}
