package dev.runnerset.controller.main;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease of the leading controller; given back at an orderly end, so that the next need not
 * wait.
 */
final class LeaderLease {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderLease.class);

  private final KubeApi kube;
  private final ControllerSettings settings;

  LeaderLease(KubeApi kube, ControllerSettings settings) {
    this.kube = kube;
    this.settings = settings;
  }

  /** Gives it back if it is ours; a failure only costs the next one the lease's time. */
  void giveBack() {
    var at =
        Resource.of(Lease.class, settings.places().controllerNamespace(), ControllerSettings.LEASE);
    try {
      var lease = kube.get(Lease.class, at);
      if (lease == null
          || !settings.leadership().identity().equals(lease.getSpec().getHolderIdentity())) {
        return;
      }
      var body = JsonNodeFactory.instance.objectNode();
      body.putObject("metadata").put("resourceVersion", lease.getMetadata().getResourceVersion());
      body.putObject("spec").put("holderIdentity", "");
      var _ = kube.merge(Lease.class, at, body);
    } catch (KubernetesClientException e) {
      LOG.atDebug().addKeyValue("code", e.getCode()).log("the lease was not given back");
    }
  }
}
