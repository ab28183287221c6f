package dev.runnerset.crds.condition;

/** Reasons of the conditions of an EphemeralRunnerSet; the AutoScalingRunnerSet mirrors some. */
public enum EphemeralRunnerSetReason implements Reason.Known {
  PASS_FAILED(
      "change what the message names, where the API server refuses a request; else report it: passes"
          + " over the object fail in the controller, whose log has the lines"),
  BACK_OFF("look at the failed runners (`kubectl get er`): the message has the last failure"),
  RUNNER_VERSION_REJECTED("use a newer runner image"),
  EXIT_OVERDUE(
      "look into the log of the runner that the message names, for a hook that hangs;"
          + " three minutes after its job (ten, while the job still counts as demand) the "
          + "runner is removed, unless the service says that it has a job"),
  IDLE_NOT_REMOVED(
      "nothing, if a job may run there: the service is asked again, and the drain goes on when the "
          + "runners are gone; else run the commands of the message, which end the runners with "
          + "their jobs (docs/operate/drain.md)"),
  START_SLOW(
      "nothing yet, unless it lasts: the start of runners takes more than 25 s, as "
          + "while a large image is pulled; the message names one"),
  START_OVERDUE(
      "look at the runner that the message names, and at its pod (`kubectl describe "
          + "er,pod`): it has not started for ten minutes, and no reason is known"),
  REGISTRATION_OVERDUE(
      "look into the log of the runner's pod that the message names: network, DNS, proxy, "
          + "certificate or clock keep it from the service; after `spec.deadlines.registration` "
          + "it is replaced, unless the service says that it has a job"),
  JOB_NOT_TAKEN(
      "look into the log of the runner that the message names: the service gave a job to the "
          + "scale set, and no idle runner takes it; if you delete the runner, another one comes"),
  TOO_MANY_RUNNERS(
      "the status does not name all runners: the label `runnerset.dev/set` finds them all");

  private final String sentence;

  EphemeralRunnerSetReason(String sentence) {
    this.sentence = sentence;
  }

  @Override
  public String sentence() {
    return sentence;
  }
}
