package dev.runnerset.simulator.service;

import java.util.Arrays;

/** The calls the service answers, by the names its counters and faults use. */
public enum Endpoint {
  INSTALLATION_TOKEN("installationToken"),
  REGISTRATION_TOKEN("registrationToken"),
  RUNNER_REGISTRATION("runnerRegistration"),
  LIST_RUNNERS("listRunners"),
  LISTED_RUNNER("listedRunner"),
  DELETE_LISTED_RUNNER("deleteListedRunner"),
  VERSION_DATES("versionDates"),
  DISPATCH("dispatch"),
  LIST_RUNS("listRuns"),
  WORKFLOW_RUN("workflowRun"),
  CANCEL_RUN("cancelRun"),
  RUN_JOBS("runJobs"),
  RERUN_FAILED_JOBS("rerunFailedJobs"),
  RERUN_JOB("rerunJob"),
  RUNNER_GROUPS("runnerGroups"),
  FIND_SCALE_SET("findScaleSet"),
  GET_SCALE_SET("getScaleSet"),
  CREATE_SCALE_SET("createScaleSet"),
  UPDATE_SCALE_SET("updateScaleSet"),
  DELETE_SCALE_SET("deleteScaleSet"),
  GENERATE_JIT_CONFIG("generatejitconfig"),
  GET_RUNNER("getRunner"),
  FIND_RUNNER("findRunner"),
  REMOVE_RUNNER("removeRunner"),
  CREATE_SESSION("createSession"),
  REFRESH_SESSION("refreshSession"),
  DELETE_SESSION("deleteSession"),
  GET_MESSAGE("getMessage"),
  DELETE_MESSAGE("deleteMessage"),
  ACQUIRE_JOBS("acquirejobs"),
  ACQUIRABLE_JOBS("acquirablejobs"),
  RUNNER_TOKEN("runner.token"),
  RUNNER_CREATE_SESSION("runner.createSession"),
  RUNNER_DELETE_SESSION("runner.deleteSession"),
  RUNNER_GET_MESSAGE("runner.getMessage"),
  RUNNER_ACKNOWLEDGE("runner.acknowledge"),
  ACQUIRE_JOB("run.acquirejob"),
  RENEW_JOB("run.renewjob"),
  COMPLETE_JOB("run.completejob"),
  UNKNOWN("unknown");

  private final String label;

  Endpoint(String label) {
    this.label = label;
  }

  /** The name used on the wire of the control interface. */
  public String label() {
    return label;
  }

  static boolean exists(String label) {
    return Arrays.stream(values()).anyMatch(e -> e.label.equals(label));
  }
}
