package dev.runnerset.crds;

/** Labels, annotations and finalizers that the product sets and reads. */
public final class Labels {
  /** On every object made for a set: {@link #PART_OF_VALUE}. */
  public static final String PART_OF = "app.kubernetes.io/part-of";

  /** The value of {@link #PART_OF}. */
  public static final String PART_OF_VALUE = "runnerset";

  /** What an object is for; {@link #COMPONENT_RUNNER} on runners, their pods and secrets. */
  public static final String COMPONENT = "app.kubernetes.io/component";

  /** The value of {@link #COMPONENT} on runners, their pods and secrets. */
  public static final String COMPONENT_RUNNER = "runner";

  /** The value of {@link #COMPONENT} on listener objects, roles and role bindings. */
  public static final String COMPONENT_LISTENER = "listener";

  /**
   * The value of {@link #COMPONENT} on role bindings by which the controller works in a namespace
   * where sets live. With the label {@link #SET} such a binding is for that set alone.
   */
  public static final String COMPONENT_MANAGER = "manager";

  /** The name of the AutoScalingRunnerSet, on everything made for it. */
  public static final String SET = "runnerset.dev/set";

  /** The namespace of the AutoScalingRunnerSet, on its listener object in another namespace. */
  public static final String SET_NAMESPACE = "runnerset.dev/set-namespace";

  /** The revision a runner and its pod were made from. */
  public static final String REVISION = "runnerset.dev/revision";

  /**
   * {@code "true"} on the pod of a runner that has a job or may get one, where {@link #PROTECTION}
   * is {@code Busy}: the pod is shielded.
   */
  public static final String BUSY = "runnerset.dev/busy";

  /** On the pod of a runner: the {@link Protection} of its set, by its word in the API. */
  public static final String PROTECTION = "runnerset.dev/protection";

  /**
   * Annotation {@code "true"} on a runner: delete it whatever the service answers. On a pod: the
   * admission policy lets anybody delete the pod.
   */
  public static final String FORCE_DELETE = "runnerset.dev/force-delete";

  /** Annotation {@code "true"} on a runner of a set: it goes as soon as it has no job (SD10). */
  public static final String RETIRE = "runnerset.dev/retire";

  /** Annotation on the admission policy: a digest of its text, from the chart that made it. */
  public static final String POLICY_VERSION = "runnerset.dev/policy-version";

  /** Annotation {@code "true"} on a runner: neither retention nor age collection removes it. */
  public static final String RETAIN = "runnerset.dev/retain";

  /** Annotation on a runner: what it was made for, a {@link ProvisionedFor}; never changed. */
  public static final String PROVISIONED_FOR = "runnerset.dev/provisioned-for";

  /**
   * Annotation on everything made for a set, but on pods and secrets: the uid of the
   * AutoScalingRunnerSet; never changed.
   */
  public static final String SET_UID = "runnerset.dev/set-uid";

  /** Finalizer of the controller on runners: the registration is removed before the object goes. */
  public static final String RUNNER_FINALIZER = "runnerset.dev/registration";

  /** Finalizer of the controller on runner sets, and on their children and listener objects. */
  public static final String SET_FINALIZER = "runnerset.dev/set";

  /**
   * Finalizer of the controller on its role bindings, while a set or a listener object needs them
   * for its deletion.
   */
  public static final String MANAGER_FINALIZER = "runnerset.dev/manager-in-use";

  /**
   * On a namespace that has an installation of its own: the admission policy of an installation for
   * all namespaces leaves it out.
   */
  public static final String INSTALLATION = "runnerset.dev/installation";

  private Labels() {}
}
