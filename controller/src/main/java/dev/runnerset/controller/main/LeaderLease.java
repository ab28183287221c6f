package dev.runnerset.controller.main;

import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.MergePatch;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives the lease of the leader back at an orderly end, so that the next leader need not wait. */
record LeaderLease(KubeApi kube, ControllerSettings settings) {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderLease.class);

  /** Gives the lease back if this process holds it. After a failure the next leader must wait. */
  void giveBack() {
    var at =
        Resource.of(Lease.class, settings.places().controllerNamespace(), ControllerSettings.LEASE);
    try {
      var lease = kube.get(Lease.class, at);
      if (lease == null
          || !settings.leadership().identity().equals(lease.getSpec().getHolderIdentity())) {
        return;
      }
      var body = MergePatch.ifUnchanged(lease);
      body.putObject("spec").put("holderIdentity", "");
      var _ = kube.merge(Lease.class, at, body);
    } catch (KubernetesClientException e) {
      LOG.atDebug().addKeyValue("code", e.getCode()).log("the lease was not given back");
    }
  }
}
