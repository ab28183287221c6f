package dev.runnerset.controller.autoscalinglistener;

import dev.runnerset.base.Detail;
import dev.runnerset.base.Installation;
import dev.runnerset.controller.rounds.Followed;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.kube.Denial;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the leases of the listener namespace, and tells which holders were lost or are back. A
 * lease that ran out in the cache is read once more from the server before its holder is lost: the
 * watch may be behind.
 */
public final class HolderWatch implements Followed {
  private static final String PROBE = "probe-of-the-controller";
  private static final Logger LOG = LoggerFactory.getLogger(HolderWatch.class);

  /** Between two rounds over the leases that are in the cache. */
  @Detail private static final Duration PERIOD = Duration.ofSeconds(1);

  /** How long a lease lasts that does not say it. */
  @Detail private static final Duration DEFAULT_DURATION = Duration.ofSeconds(10);

  private final KubeApi kube;
  private final String namespace;
  private final HolderLeases leases;
  private final Supplier<Set<String>> holders;
  private final Consumer<String> changed;
  private final SharedIndexInformer<Lease> informer;
  private final Followed rounds = Followed.every("listener-holders", PERIOD, this::check);
  private final Followed probes =
      Followed.rounds(
          Followed.onThread("listener-namespace"), PERIOD, ListenerTimes.PROBED_EVERY, this::probe);

  /**
   * Goes on trying when the leases cannot be read, and judges nobody meanwhile.
   *
   * @param namespace of the listener
   * @param holders the processes that listener objects name now
   * @param changed called for a process that was lost, or is back; must not block
   */
  public HolderWatch(
      KubernetesClient client,
      String namespace,
      HolderLeases leases,
      Supplier<Set<String>> holders,
      Consumer<String> changed) {
    this.kube = new KubeApi(client);
    this.namespace = namespace;
    this.leases = leases;
    this.holders = holders;
    this.changed = changed;
    informer =
        client
            .resources(Lease.class)
            .inNamespace(namespace)
            .runnableInformer(0)
            .exceptionHandler((started, failure) -> {
              LOG.atWarn()
                  .addKeyValue("namespace", namespace)
                  .addKeyValue("why", failure.toString())
                  .log(
                      "the controller cannot read the leases of the listener, so it does not"
                          + " notice when a listener dies; it tries again; if a role is missing,"
                          + " run "
                          + Installation.UPGRADE);
              return true;
            });
    informer.addEventHandler(new LeaseEvents());
  }

  @Override
  public void begin() {
    var _ = informer.start();
    rounds.begin();
    probes.begin();
  }

  private final class LeaseEvents implements ResourceEventHandler<Lease> {
    @Override
    public void onAdd(Lease lease) {
      leases.seen(seen(lease));
    }

    @Override
    public void onUpdate(Lease before, Lease now) {
      leases.seen(seen(now));
    }

    @Override
    public void onDelete(Lease lease, boolean finalStateUnknown) {
      // its holder renews no lease any more, and is found so
    }
  }

  private static HolderLeases.Seen seen(Lease lease) {
    var spec = lease.getSpec();
    var seconds = spec == null ? null : spec.getLeaseDurationSeconds();
    return new HolderLeases.Seen(
        lease.getMetadata().getName(),
        spec == null ? "" : Objects.requireNonNullElse(spec.getHolderIdentity(), ""),
        Objects.requireNonNullElse(lease.getMetadata().getResourceVersion(), ""),
        seconds == null || seconds <= 0 ? DEFAULT_DURATION : Duration.ofSeconds(seconds));
  }

  private void check() {
    leases.follow(informer.hasSynced());
    var named = holders.get();
    leases.overdue(named).forEach(this::confirm);
    leases.back(named).forEach(this::report);
  }

  private void probe() {
    if (isAnswerNews()) {
      holders.get().forEach(changed);
    }
  }

  /**
   * Reads a lease and a listener object that need not be there: a watch that is open says nothing
   * of a right that was taken away. A server that gives no such answer is away, which says nothing.
   *
   * @return whether what the sets say of it changes
   */
  private boolean isAnswerNews() {
    try {
      var _ = kube.get(Lease.class, Resource.of(Lease.class, namespace, PROBE));
      var _ =
          kube.get(
              AutoScalingListener.class, Resource.of(AutoScalingListener.class, namespace, PROBE));
      return leases.answered();
    } catch (KubernetesClientException e) {
      return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
          && leases.refused(
              ("the controller may not read the listener namespace %s, so it does not know whether a"
                      + " listener holds the session of the set: if the namespace is being"
                      + " deleted, create it again when it is gone; otherwise run %s. %s")
                  .formatted(namespace, Installation.UPGRADE, Denial.words(e)));
    }
  }

  private void confirm(String holder) {
    var name = leases.leaseOf(holder);
    try {
      var live =
          name.isEmpty() ? null : kube.get(Lease.class, Resource.of(Lease.class, namespace, name));
      if (live != null) {
        leases.seen(seen(live));
      }
    } catch (KubernetesClientException e) {
      LOG.atDebug().addKeyValue("lease", name).addKeyValue("why", e.getMessage()).log("not read");
      return; // not known: the next round tries again
    }
    if (leases.isOverdue(holder)) {
      leases.lost(holder);
      LOG.atWarn()
          .addKeyValue("holder", holder)
          .addKeyValue("lease", name)
          .log("a listener process no longer renews its lease");
      changed.accept(holder);
    }
  }

  private void report(String holder) {
    LOG.atInfo().addKeyValue("holder", holder).log("a listener process is no longer missed");
    changed.accept(holder);
  }

  @Override
  public void close() {
    rounds.close();
    probes.close();
    informer.stop();
  }
}
