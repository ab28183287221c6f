package dev.runnerset.crds.condition;

/** Reasons of the conditions and failures of an EphemeralRunner. */
public enum RunnerReason implements Reason.Known {
  SCHEDULED("its pod is made"),
  CONTAINER_STARTED("its container runs"),
  JIT_CONFIG_MADE("the service has its registration"),
  DEREGISTERED("nothing of it is left at the service"),
  ENDED("its job is over"),
  JOB_RUNNING(
      "it is being deleted, and it has a job: nothing, it goes when the job is over; the annotation"
          + " `runnerset.dev/force-delete: \"true\"` ends it now, with its job"),
  JOB_NOT_HEARD("its registration was gone as after a job, though the listener reported none"),
  JOB_FAILED("its job failed, where the set says `outcomeFrom: Job`"),
  JOB_CANCELED("its job was cancelled, where the set says `outcomeFrom: Job`"),
  UNSCHEDULED("no node has taken its pod yet, and the scheduler gives no reason"),
  IMAGE_PULL_BACK_OFF("correct the image in `spec.template`, or its pull secret"),
  CONTAINER_CREATING(
      "create the volume, secret or config map that its pod waits for: the events of the pod "
          + "name it; if its image is large, wait"),
  SCHEDULING_OVERDUE(
      "no node took its pod within `spec.deadlines.scheduling`: make room for it, or correct "
          + "`spec.template`, as the message says"),
  STARTUP_OVERDUE(
      "its container did not start within `spec.deadlines.startup`: the message says what the "
          + "pod waited for"),
  REGISTRATION_OVERDUE(
      "it did not connect to the service within `spec.deadlines.registration`: look at network, "
          + "DNS, proxy, certificate and clock of its pod"),
  INIT_CONTAINER_FAILED(
      "an init container, or another one, of its pod failed: the message names it; look at its "
          + "log"),
  READ_FAILED(
      "the controller could not read its secret, its pod or its credentials from the "
          + "API server: nothing was made, and the start is tried again"),
  SECRET_FORBIDDEN(
      "a quota or a policy forbids its secret: repair that; it is tried again for"
          + " `spec.deadlines.scheduling`, and its registration is kept for it"),
  SECRET_WEBHOOK_FAILED("a webhook for secrets does not answer: repair it; tried again alike"),
  SECRET_NOT_ACCEPTED(
      "the API server does not take its secret now, in its own words; tried again alike"),
  SECRET_NOT_SENT("nothing: the controller lost its lease before the request"),
  POD_FORBIDDEN(
      "a quota or a policy forbids its pod: repair that; it is tried again for"
          + " `spec.deadlines.scheduling`, and its registration is kept for it"),
  POD_WEBHOOK_FAILED("a webhook for pods does not answer: repair it; tried again alike"),
  POD_NOT_ACCEPTED("the API server does not take its pod now, in its own words; tried again alike"),
  POD_NOT_SENT("nothing: the controller lost its lease before the request"),
  INVALID_RETENTION("correct the time that the message names; it counts as absent"),
  INVALID_TEMPLATE("no pod can be made of its template: correct `spec.template`"),
  POD_REFUSED("the API server refuses its pod for good: correct `spec.template`"),
  SECRET_REFUSED("the API server refuses its secret for good: its words are in the message"),
  START_UNKNOWN(
      "the API server did not say whether it makes the secret or the pod: another "
          + "runner takes its place"),
  NAME_TAKEN("something of its name is there already, at the service or in the cluster"),
  REGISTRATION_MISMATCH("its pod names another registration than it was made with"),
  EXITED_WITHOUT_JOB(
      "exit 0, neither mark nor completion within 30 s, and its registration was still there"),
  RUNNER_VERSION_REJECTED("exit 7 of a runner that had no job: use a newer runner image"),
  CONTAINER_EXITED("its container ended with an error: look at its log"),
  OOM_KILLED("its container needed more memory than its limit"),
  POD_FAILED("its pod failed, and the kubelet gives no reason"),
  FORCED_DELETION(
      "a person set `runnerset.dev/force-delete` on the runner, which ended it with its job"),
  POD_LOST("its pod is gone, as with its node"),
  POD_DELETED("somebody deleted its pod, or its node went"),
  POD_NOT_DELETED(
      "it is being deleted, and the API server does not let the controller delete its pod: change"
          + " what refuses that, as the message says"),
  UNKNOWN("the failure has no reason");

  private final String sentence;

  RunnerReason(String sentence) {
    this.sentence = sentence;
  }

  @Override
  public String sentence() {
    return sentence;
  }
}
