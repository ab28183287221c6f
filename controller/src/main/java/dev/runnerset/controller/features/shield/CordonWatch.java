package dev.runnerset.controller.features.shield;

import dev.runnerset.controller.rounds.Followed;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.javaoperatorsdk.operator.processing.event.source.informer.TransformingItemStore;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows cordons. Only cordoned nodes are asked for, so that the heartbeats of a large cluster do
 * not come here; of those only the name is kept.
 */
public final class CordonWatch implements Followed {
  private static final Logger LOG = LoggerFactory.getLogger(CordonWatch.class);

  private final CordonedNodes nodes;
  private final Consumer<String> cordoned;
  private final Clock clock;
  private final SharedIndexInformer<Node> informer;
  private final AtomicBoolean reported = new AtomicBoolean();

  /** What the last list returned when the right was refused; null if it was not refused since. */
  private volatile @Nullable String refusedAfter;

  /**
   * Goes on trying when nodes cannot be read, and nothing is cordoned meanwhile.
   *
   * @param nodes is kept up to date
   * @param shield learns from now on whether nodes are seen
   * @param cordoned gets the name of a node that takes no pods from now on; must not block
   */
  public CordonWatch(
      KubernetesClient client,
      CordonedNodes nodes,
      ShieldReader shield,
      Consumer<String> cordoned,
      Clock clock) {
    this.nodes = nodes;
    this.cordoned = cordoned;
    this.clock = clock;
    informer =
        client
            .nodes()
            .withField("spec.unschedulable", "true")
            .runnableInformer(0)
            .itemStore(new TransformingItemStore<>(CordonWatch::slim))
            .exceptionHandler((started, failure) -> {
              report(failure);
              return true;
            });
    informer.addEventHandler(new NodeEvents());
    shield.nodesAreRefusedIf(this::isRefused);
  }

  @Override
  public void begin() {
    var _ = informer.start();
  }

  /** A list that succeeds shows that the right is there; no event tells of it. */
  private boolean isRefused() {
    var after = refusedAfter;
    if (after != null && !after.equals(lastList())) {
      refusedAfter = null;
      reported.set(false);
    }
    return refusedAfter != null;
  }

  private String lastList() {
    return String.valueOf(informer.lastSyncResourceVersion());
  }

  private void report(Throwable failure) {
    if (isForbidden(failure)) {
      refusedAfter = lastList();
    }
    var event = reported.compareAndSet(false, true) ? LOG.atWarn() : LOG.atDebug();
    event
        .addKeyValue("why", failure.toString())
        .log(
            "nodes cannot be watched, so idle runners stay on cordoned nodes; let the controller"
                + " list and watch nodes (docs/operate/drain.md); tried again");
  }

  private static boolean isForbidden(Throwable failure) {
    for (var cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof KubernetesClientException e && e.getCode() == 403) {
        return true;
      }
    }
    return false;
  }

  private static Node slim(Node full) {
    var slim = new Node();
    var metadata = full.getMetadata();
    slim.setMetadata(
        new ObjectMetaBuilder()
            .withName(metadata.getName())
            .withUid(metadata.getUid())
            .withResourceVersion(metadata.getResourceVersion())
            .build());
    return slim;
  }

  private final class NodeEvents implements ResourceEventHandler<Node> {
    @Override
    public void onAdd(Node node) {
      var name = node.getMetadata().getName();
      if (nodes.cordoned(name, clock.instant())) {
        LOG.atInfo()
            .addKeyValue("node", name)
            .log("node is cordoned: its idle runners are" + " removed");
        cordoned.accept(name);
      }
    }

    @Override
    public void onUpdate(Node before, Node now) {
      // its status changes all the time; that it is cordoned does not
    }

    @Override
    public void onDelete(Node node, boolean finalStateUnknown) {
      nodes.uncordoned(node.getMetadata().getName());
    }
  }

  @Override
  public void close() {
    informer.stop();
  }
}
