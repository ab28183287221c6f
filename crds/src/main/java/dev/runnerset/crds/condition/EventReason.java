package dev.runnerset.crds.condition;

/** Reasons of events that are no reasons of conditions. */
public enum EventReason implements Reason.Known {
  RUNNER_GC_THRASHING(
      "more than 3 x minRunners runners went for their age since the last job ([age-"
          + "collection.md](../operate/age-collection.md))"),
  HEALED(
      "a problem of the set is over: the message names its reason, how long it lasted, and what is"
          + " left (Normal)"),
  SCALED_UP(
      "more runners are wanted: from how many to how many, and why; at most every 30 s (Normal)"),
  SCALED_DOWN("the same for fewer runners (Normal)"),
  RUNNER_RETIRED(
      "a runner with the annotation `runnerset.dev/retire` had no job and is removed (Normal)"),
  ROLLOUT_BEGUN("runners of another revision are made from now on (Normal)"),
  ROLLOUT_COMPLETED("the rollout has ended: its entry in `status.history` is Completed (Normal)"),
  SCALE_SET_ADOPTED(
      "the set uses a scale set that somebody else made, as `spec.adoptScaleSetId` says"),
  SCALE_SET_GONE("somebody deleted the scale set at the service: it is recreated"),
  SCALE_SET_LABELS_KEPT(
      "the service did not take the labels of the spec: the message says which labels"
          + " the scale set has"),
  REGISTRATIONS_LEFT(
      "the set is being deleted, and its credentials are missing or refused for 5 "
          + "minutes: runners that did not run were deleted, and their registrations stay "
          + "until GitHub deletes them"),
  SCALE_SET_LEFT(
      "the scale set stays, and the message says why: the set did not make it, somebody else "
          + "uses it, or runners are registered with it"),
  OBJECTS_LEFT(
      "what was made for a set or a runner stays in its namespace, since no role lets the controller "
          + "delete it for 5 minutes: the message has the command that deletes it"),
  JOB_LOST(
      "a running job was lost with its runner: the message names the job, its run, the node, and "
          + "why the runner failed; also on the set ([lost-jobs.md](../operate/lost-jobs.md))"),
  REMOVAL_FAILED("the registration of the runner could not be removed yet: tried again"),
  LEFT_OVER_REMOVED(
      "a registration, runner, pod or secret stood without its other half, as after a restore or "
          + "a finalizer that somebody took off, and is removed"
          + " ([left-overs.md](../operate/left-overs.md))"),
  LEFT_OVER_STAYS(
      "a registration, runner, pod or secret stands without its other half, and it stays: it has a job, it may be somebody else's, or the message says what "
          + "went wrong; it is checked again"),
  RUNNER_LIST_REFUSED(
      "the service counts more registrations than there are runners, and GitHub does not show "
          + "its list of runners to these credentials: give them the right that the message names, "
          + "or remove offline runners of the set by hand; tried again after 6 hours, or with other "
          + "credentials"),
  RUNNER_RETENTION_EXPIRED(
      "finished runners were deleted by [retention](../operate/retention.md); the message names "
          + "the last (Normal)"),
  RETENTION_FAILED(
      "a finished runner, or its secret or pod, cannot be deleted: change what "
          + "refuses it, as an admission webhook; the message has the server's words"),
  REGISTRATION_MAY_BE_LEFT(
      "no credentials are left to remove the registration with, and no pod of the "
          + "runner runs"),
  DELETION_WAITS(
      "the runner is being deleted, and has a job, or its registration cannot be removed: see its"
          + " condition Removable; the annotation `runnerset.dev/force-delete: \"true\"` ends it"
          + " now, with its job"),
  SHIELD_FAILED(
      "the pod of the runner could not be labelled, so its job is not shielded: change what refuses"
          + " the patch, as an admission webhook; the message has the server's words"),
  POD_LABEL_RESTORED("somebody took a label off the pod of the runner; the label is put back"),
  POD_LABEL_MISSING(
      "the same, and it cannot be put back: run the command that `RoleMissing` of the set names, or"
          + " change the webhook that takes the label off; the pod is read once a minute");

  private final String sentence;

  EventReason(String sentence) {
    this.sentence = sentence;
  }

  @Override
  public String sentence() {
    return sentence;
  }
}
