package dev.runnerset.simulator.kube.quota;

import dev.runnerset.simulator.kube.store.Cluster;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What kube-controller-manager does for quotas, on a thread of its own: keeps what is used. */
public final class QuotaController implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(QuotaController.class);

  private final Cluster cluster;
  private final Quotas quotas;

  public QuotaController(Cluster cluster) {
    this.cluster = cluster;
    this.quotas = new Quotas(cluster);
  }

  @Override
  public void run() {
    while (true) {
      try {
        quotas.recompute(cluster.changedQuotas().take());
      } catch (InterruptedException e) {
        return; // the server is closing
      } catch (RuntimeException e) {
        LOG.atError().setCause(e).log("the status of one quota could not be computed");
      }
    }
  }
}
