package dev.runnerset.deployment.node;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The Node object and its lease, without which the pods of a node are taken for lost. */
final class NodeRegistration implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeRegistration.class);
  private static final String LEASES = "kube-node-lease";
  private static final int LEASE_SECONDS = 40;
  private static final int HEARTBEAT_SECONDS = 10;
  private final KubernetesClient client;
  private final String name;
  private final Clock clock;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("process-node-heartbeat").factory());

  /** Registers the node as ready, and renews its lease from now on. */
  NodeRegistration(KubernetesClient client, String name, String address, Clock clock) {
    this.client = client;
    this.name = name;
    this.clock = clock;
    var node =
        new NodeBuilder()
            .withNewMetadata()
            .withName(name)
            .addToLabels("kubernetes.io/hostname", name)
            .endMetadata()
            .withNewStatus()
            .addNewCondition()
            .withType("Ready")
            .withStatus("True")
            .withReason("KubeletReady")
            .withLastHeartbeatTime(clock.instant().toString())
            .withLastTransitionTime(clock.instant().toString())
            .endCondition()
            .addNewAddress(address, "InternalIP")
            .withCapacity(Map.of("cpu", new Quantity("2"), "memory", new Quantity("8Gi")))
            .endStatus()
            .build();
    client.resource(node).create();
    client.resource(node).patchStatus();
    beat();
    var beating =
        timer.scheduleAtFixedRate(
            this::beat, HEARTBEAT_SECONDS, HEARTBEAT_SECONDS, TimeUnit.SECONDS);
    if (beating.isDone()) {
      throw new IllegalStateException("no heartbeat");
    }
  }

  private void beat() {
    var lease =
        new LeaseBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(LEASES)
            .endMetadata()
            .withNewSpec()
            .withHolderIdentity(name)
            .withLeaseDurationSeconds(LEASE_SECONDS)
            .withRenewTime(clock.instant().atZone(ZoneOffset.UTC))
            .endSpec()
            .build();
    try {
      client.resource(lease).forceConflicts().serverSideApply();
    } catch (KubernetesClientException e) {
      LOG.atWarn().addKeyValue("error", e.toString()).log("the node's lease was not renewed");
    }
  }

  /** Renews no more, and deletes the Node. */
  @Override
  public void close() {
    timer.shutdownNow();
    client.nodes().withName(name).delete();
  }
}
