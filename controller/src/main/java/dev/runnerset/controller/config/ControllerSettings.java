package dev.runnerset.controller.config;

import java.time.Duration;
import java.util.Set;

/**
 * The settings of the controller. Their flags are declared in {@code ControllerFlags}; the defaults
 * stand here.
 *
 * @param concurrency how many calls one Actions service may have at the same time, from 1 to 512
 * @param protectionWindow how long a runner is protected that has just become idle (SD2)
 * @param gates which features are on
 * @param ageCollection when idle runners are removed for their age
 * @param leavingTaints which taints say that a node is about to go (SD10)
 * @param fixedNodes whether the cluster gets no nodes by itself, unless a set says otherwise (DM15)
 * @param embeddedStatus in which form a status tells of children (docs/reference/references.md)
 */
public record ControllerSettings(
    Places places,
    Leadership leadership,
    int concurrency,
    Duration protectionWindow,
    FeatureGates gates,
    AgeCollectionSettings ageCollection,
    LeavingTaints leavingTaints,
    boolean fixedNodes,
    EmbeddedStatus embeddedStatus) {
  /** The default namespace of the controller. */
  public static final String CONTROLLER_NAMESPACE = "runnerset-system";

  /** The default service account of the controller. */
  public static final String CONTROLLER_SERVICE_ACCOUNT = "runnerset-controller";

  /** The default namespace of the listener. */
  public static final String LISTENER_NAMESPACE = "runnerset-listener";

  /** The default service account of the listener. */
  public static final String LISTENER_SERVICE_ACCOUNT = "runnerset-listener";

  /** The name of the leading controller's lease. */
  public static final String LEASE = "runnerset-controller";

  /** The default of {@link #concurrency}. */
  public static final int CONCURRENCY = 32;

  private static final int MAX_CONCURRENCY = 512;

  /** Rejects impossible values with a sentence for the user. */
  public ControllerSettings {
    if (concurrency < 1 || concurrency > MAX_CONCURRENCY) {
      throw new IllegalArgumentException(
          "--runner-concurrency must be from 1 to " + MAX_CONCURRENCY + ", not " + concurrency);
    }
    if (protectionWindow.isNegative()) {
      throw new IllegalArgumentException("--protection-window must not be negative");
    }
    ageCollection.check(gates);
  }

  /** The defaults, for a process of that identity. */
  public static ControllerSettings of(String identity) {
    return new ControllerSettings(
        new Places(Set.of(), CONTROLLER_NAMESPACE, LISTENER_NAMESPACE, LISTENER_SERVICE_ACCOUNT),
        new Leadership(identity, LeaseTimes.DEFAULT),
        CONCURRENCY,
        Duration.ofSeconds(10),
        FeatureGates.DEFAULTS,
        AgeCollectionSettings.DEFAULT,
        LeavingTaints.DEFAULT,
        false,
        EmbeddedStatus.MINIMAL);
  }
}
