package dev.runnerset.crds.condition;

/** Reasons of the conditions of an AutoScalingRunnerSet. */
public enum RunnerSetReason implements Reason.Known {
  READY("runners come when jobs come"),
  PAUSED("`spec.mode` is `Paused`: no new jobs are taken"),
  DRAINING(
      "`spec.mode` is `Drained`: no new jobs are taken, and the runners that the "
          + "message counts are not gone yet"),
  DRAINED("`spec.mode` is `Drained`: no new jobs are taken, and no runner is left"),
  DELETING(
      "look at the message: it says what the deletion waits for. If the registrations"
          + " of runners cannot be removed, `Registered` has the reason: correct that, or "
          + "wait ([ADR 17](../adr/0017-delete-what-does-not-run-without-the-service.md))"),
  REGISTERED("the set has its scale set"),
  REGISTERING(
      "nothing, unless it lasts: the message names the URL that is asked; after 20 s "
          + "without an answer the reason is `ServiceUnavailable`"),
  RUNNER_GROUP_NOT_FOUND("create the group, or name another in `spec.runnerGroup`"),
  SCALE_SET_NAME_TAKEN(
      "another set has that URL, group and name: choose another `spec.runnerScaleSetName`"),
  ADOPTION_REQUIRED(
      "a scale set that this set did not make has its name: choose another "
          + "`spec.runnerScaleSetName`; or stop whoever uses that scale set and put the id that the "
          + "message names into `spec.adoptScaleSetId`. Until then no runner is made and no session "
          + "opened ([ADR 21](../adr/0021-use-and-delete-only-scale-sets-of-our-own.md))"),
  SCALE_SET_SHARED(
      "another set of this cluster has the same scale set: delete this set, and "
          + "create it again with another `spec.runnerScaleSetName`; until then it takes no"
          + " jobs"),
  NAME_TOO_LONG("shorten `metadata.name`"),
  TEMPLATE_INVALID(
      "correct `spec.template`, as the message says; a container named `runner` is needed"),
  TEMPLATE_REFUSED(
      "the API server refuses a pod of the template: its own words are in the message"),
  TEMPLATE_UNCHECKED(
      "look at the webhooks for pods: the API server could not say whether it takes "
          + "the template; asked again"),
  UNKNOWN_FIELDS(
      "correct the fields of `spec.template` that the message names: the API server does not know "
          + "them, and pods are made without them"),
  CONNECTED("the listener holds the message session"),
  NO_LISTENER("nothing: the listener is being set up"),
  NOT_HELD("start a listener, or look why it does not see the listener namespace"),
  HOLDER_LOST(
      "the listener process that the message names is dead or hangs: look at the pods of the listener"
          + " and their logs"),
  CONNECTING("nothing: the listener is opening its session"),
  NOT_CONNECTED("look at the condition `Connected` of the listener object"),
  CHILD_FOREIGN(
      "an object that was not made for the set has a name that the set needs: delete "
          + "the object that the message names; it is neither changed nor deleted by us"),
  CHILD_TERMINATING(
      "the EphemeralRunnerSet of the set is being deleted, and a finalizer of somebody else keeps "
          + "it: no runner is made until it is gone; take the finalizer off, or let its owner end"),
  CLUSTER_FORBIDDEN(
      "run the command that the message names: the controller lacks a permission"
          + " ([permissions.md](permissions.md)); or change the policy that refuses its request"),
  CLUSTER_NOT_FOUND(
      "run the command that the message names: a kind or a namespace of the system is missing"),
  NAMESPACE_TERMINATING(
      "nothing: the namespace goes, and nothing more is made in it; if the message names a command,"
          + " runners wait for it"),
  CLUSTER_ERROR("nothing, or look at the API server: its words are in the message"),
  INTERNAL_ERROR(
      "report it: each pass of the set fails in the controller, whose log has the lines; steps that do"
          + " not fail are done"),
  PASS_OVERDUE(
      "look at the log and the CPU of the controller, and restart it if this lasts: no pass of the set"
          + " has ended without a failure for 4 minutes"),
  MAX_RUNNERS("raise `spec.maxRunners` if more jobs are to run at a time"),
  QUOTA("raise the quota of the namespace, or lower `spec.maxRunners`"),
  UNSCHEDULABLE(
      "make room: more or larger nodes, or other requests, selectors and "
          + "tolerations in `spec.template`"),
  FAILING("runners end before they get a job: look at the condition `RunnersFailing`"),
  NOT_STARTING("runners do not start: look at the condition `RunnersPending`"),
  DELETED("nothing: the set is being deleted, and takes no jobs"),
  KINDS_OUTDATED(
      "run the command that the message names: the kinds in the cluster lack fields that this"
          + " controller writes or reads ([upgrade.md](../operate/upgrade.md))"),
  LISTENER_OUTDATED(
      "upgrade the listener: it is too old for this controller"
          + " ([upgrade.md](../operate/upgrade.md))"),
  CONTROLLER_OUTDATED(
      "upgrade the controller: the listener, or the set, is of a newer version than the controller"
          + " can follow ([upgrade.md](../operate/upgrade.md))"),
  POLICY_OUTDATED(
      "upgrade the Helm release of the system, or apply its manifests again: the"
          + " ValidatingAdmissionPolicy is of another version than the controller"
          + " ([upgrade.md](../operate/upgrade.md))"),
  INVALID_RETENTION(
      "correct the field that the message names: a duration as `30m` or `6h`, a limit"
          + " from 1 to 100"),
  BUDGET_MISSING(
      "a drain may end running jobs, since the PodDisruptionBudget of the set could not be made: the"
          + " message says what to change"),
  POLICY_MISSING(
      "a deletion of a pod ends its job, since the ValidatingAdmissionPolicy of the installation or its"
          + " binding is missing: install it, as the message says"
          + " ([shield.md](../operate/shield.md))"),
  POLICY_CHANGED(
      "a deletion of a pod may end its job, since the ValidatingAdmissionPolicy of the installation or"
          + " its binding was changed: delete what the message names, and apply it again"
          + " ([shield.md](../operate/shield.md))"),
  POLICY_NOT_VISIBLE(
      "nothing, or look whether the ValidatingAdmissionPolicy stands: a controller of one namespace"
          + " may not read it ([shield.md](../operate/shield.md))"),
  NODES_NOT_VISIBLE(
      "idle runners stay on cordoned nodes, since the controller may not list and watch nodes: the"
          + " message has the command ([drain.md](../operate/drain.md)); a controller of one"
          + " namespace never"
          + " may"),
  LEASE_FRESH(
      "two controllers see the set, and the one that it belongs to is alive: stop the other, or let"
          + " each watch namespaces of its own ([permissions.md](permissions.md))"),
  LEASE_NOT_VISIBLE(
      "a controller sees the set that belongs to another one, whose lease it may not read: if that"
          + " one is gone, run the command that the message names"),
  INVALID_SCHEDULE(
      "correct the windows of `spec.schedule` that the message names; the others are followed"
          + " ([schedule.md](../operate/schedule.md))"),
  RUNNERS_FAILING("look at the condition `RunnersFailing` of the EphemeralRunnerSet"),
  RUNNERS_PENDING(
      "correct the image, make room for pods, or put the former template back: the "
          + "message says which"),
  FEATURE_GATE_OFF(
      "start the controller with the gate that the message names, or remove the field"),
  MAXIMUM_IDLE_AGE_INVALID("correct `spec.garbageCollection.maximumIdleAge`, as the message says"),
  SWEEP_FAILED(
      "nothing, or look at the service: runners that have been idle for too long could not be"
          + " removed; the next sweep tries again"),
  NO_JOBS_BETWEEN(
      "lower `spec.minRunners`, or raise the maximum idle age ([age-"
          + "collection.md](../operate/age-collection.md))");

  private final String sentence;

  RunnerSetReason(String sentence) {
    this.sentence = sentence;
  }

  @Override
  public String sentence() {
    return sentence;
  }
}
