package dev.runnerset.controller.config;

import dev.runnerset.controller.references.EmbeddedStatus;
import java.time.Duration;
import java.util.Set;

/**
 * All that the controller is told.
 *
 * @param namespaces those watched for runner sets; empty for all
 * @param controllerNamespace where its lease stands
 * @param listenerNamespace where the listener objects stand
 * @param listenerServiceAccount the listener's identity in that namespace
 * @param identity of this process among its replicas
 * @param concurrency reconciles at once, 1 to 512
 * @param protectionWindow how long a runner that just became idle is spared (SD2)
 * @param gates which features are on
 * @param ageCollection when idle runners go for their age
 * @param embeddedStatus how parents tell of their children (docs/references.md)
 */
public record ControllerSettings(
    Set<String> namespaces,
    String controllerNamespace,
    String listenerNamespace,
    String listenerServiceAccount,
    String identity,
    LeaseTimes lease,
    int concurrency,
    Duration protectionWindow,
    FeatureGates gates,
    AgeCollectionSettings ageCollection,
    EmbeddedStatus embeddedStatus) {
  /** Where the controller runs, unless it is told otherwise. */
  public static final String CONTROLLER_NAMESPACE = "runnerset-system";

  /** The controller's service account. */
  public static final String CONTROLLER_SERVICE_ACCOUNT = "runnerset-controller";

  /** Where the listener runs, unless told otherwise. */
  public static final String LISTENER_NAMESPACE = "runnerset-listener";

  /** The listener's service account, unless told otherwise. */
  public static final String LISTENER_SERVICE_ACCOUNT = "runnerset-listener";

  /** The lease of the leading controller. */
  public static final String LEASE = "runnerset-controller";

  /** Reconciles at once, unless told otherwise. */
  public static final int CONCURRENCY = 32;

  /** The default of the protection window (SD2). */
  public static final Duration PROTECTION_WINDOW = Duration.ofSeconds(10);

  private static final int MAX_CONCURRENCY = 512;

  /** Rejects what cannot be, with a sentence for the user. */
  public ControllerSettings {
    namespaces = Set.copyOf(namespaces);
    if (concurrency < 1 || concurrency > MAX_CONCURRENCY) {
      throw new IllegalArgumentException(
          "the number of reconciles at once must be from 1 to "
              + MAX_CONCURRENCY
              + ", not "
              + concurrency);
    }
    if (protectionWindow.isNegative()) {
      throw new IllegalArgumentException("the protection window must not be negative");
    }
    if (identity.isBlank()) {
      throw new IllegalArgumentException("the identity must not be empty");
    }
    ageCollection.check(gates);
  }

  /** The defaults, for a process of that identity. */
  public static ControllerSettings of(String identity) {
    return new ControllerSettings(
        Set.of(),
        CONTROLLER_NAMESPACE,
        LISTENER_NAMESPACE,
        LISTENER_SERVICE_ACCOUNT,
        identity,
        LeaseTimes.DEFAULT,
        CONCURRENCY,
        PROTECTION_WINDOW,
        FeatureGates.DEFAULTS,
        AgeCollectionSettings.DEFAULT,
        EmbeddedStatus.MINIMAL);
  }

  /** The same with other lease times. */
  public ControllerSettings withLease(LeaseTimes other) {
    return new ControllerSettings(
        namespaces,
        controllerNamespace,
        listenerNamespace,
        listenerServiceAccount,
        identity,
        other,
        concurrency,
        protectionWindow,
        gates,
        ageCollection,
        embeddedStatus);
  }

  /** The same with those features on, and those ages. */
  public ControllerSettings withAgeCollection(FeatureGates on, AgeCollectionSettings ages) {
    return new ControllerSettings(
        namespaces,
        controllerNamespace,
        listenerNamespace,
        listenerServiceAccount,
        identity,
        lease,
        concurrency,
        protectionWindow,
        on,
        ages,
        embeddedStatus);
  }

  /** The same with another form of the children. */
  public ControllerSettings withEmbeddedStatus(EmbeddedStatus other) {
    return new ControllerSettings(
        namespaces,
        controllerNamespace,
        listenerNamespace,
        listenerServiceAccount,
        identity,
        lease,
        concurrency,
        protectionWindow,
        gates,
        ageCollection,
        other);
  }
}
