package dev.runnerset.e2e;

import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.listener.config.ListenerSettings;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Objects;

/** A program of which one process at a time works: the holder of its lease. */
public enum ProgramLease {
  CONTROLLER(ControllerSettings.CONTROLLER_NAMESPACE, ControllerSettings.LEASE),
  LISTENER(ControllerSettings.LISTENER_NAMESPACE, ListenerSettings.LEASE_NAME);

  private final String namespace;
  private final String lease;

  ProgramLease(String namespace, String lease) {
    this.namespace = namespace;
    this.lease = lease;
  }

  /** Who holds the lease; empty while nobody does. */
  public String holder(KubernetesClient kube) {
    var there = kube.leases().inNamespace(namespace).withName(lease).get();
    var holder = there == null ? null : there.getSpec().getHolderIdentity();
    return Objects.requireNonNullElse(holder, "");
  }

  /** Whether somebody other than that former holder holds the lease. */
  public boolean isTakenFrom(String former, KubernetesClient kube) {
    var holder = holder(kube);
    return !holder.isEmpty() && !holder.equals(former);
  }
}
