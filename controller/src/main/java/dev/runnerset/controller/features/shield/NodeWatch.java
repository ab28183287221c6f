package dev.runnerset.controller.features.shield;

import dev.runnerset.controller.rounds.Informers;
import dev.runnerset.controller.rounds.RefusedList;
import dev.runnerset.kube.KubeApi;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeList;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.time.Clock;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows cordons, and the taints that announce the end of a node. The API server selects nodes by
 * cordons, and not by taints: where taints are followed all nodes are watched, and of a node only
 * that is kept. Their heartbeats come here, and change nothing.
 */
public final class NodeWatch extends Informers {
  private static final Logger LOG = LoggerFactory.getLogger(NodeWatch.class);

  private final LeavingNodes nodes;
  private final Consumer<String> changed;
  private final Clock clock;

  /**
   * Goes on trying when nodes cannot be read, and nothing changes meanwhile.
   *
   * @param nodes is kept up to date
   * @param shield learns from now on whether nodes are seen
   * @param changed gets the name of a node that is to be left from now on, or no more, or for
   *     another reason; must not block
   */
  public NodeWatch(
      KubernetesClient client,
      LeavingNodes nodes,
      ShieldReader shield,
      Consumer<String> changed,
      Clock clock) {
    this.nodes = nodes;
    this.changed = changed;
    this.clock = clock;
    var informer =
        selected(client.nodes(), nodes.listed().followed())
            .withLimit(KubeApi.PAGE)
            .runnableInformer(0);
    var refused =
        new RefusedList(
            informer::lastSyncResourceVersion,
            LOG,
            "nodes cannot be watched, so idle runners stay on nodes that are cordoned or about"
                + " to go; let the controller"
                + " list and watch nodes (docs/operate/drain.md); tried again");
    add(informer, NodeWatch::slim, refused::failed, new NodeEvents());
    shield.nodesAreRefusedIf(refused::isRefused);
  }

  private static Informable<Node> selected(
      NonNamespaceOperation<Node, NodeList, Resource<Node>> all, boolean withTaints) {
    return withTaints ? all : all.withField("spec.unschedulable", "true");
  }

  private static Node slim(Node full) {
    var slim = new Node();
    slim.setMetadata(identity(full).build());
    var taints = taints(full);
    if (isCordoned(full) || !taints.isEmpty()) {
      var spec = new NodeSpec();
      spec.setUnschedulable(isCordoned(full));
      spec.setTaints(taints.stream().map(key -> new Taint(null, key, null, null)).toList());
      slim.setSpec(spec);
    }
    return slim;
  }

  private static boolean isCordoned(Node node) {
    return node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable());
  }

  /** The keys of all its taints. */
  private static List<String> taints(Node node) {
    return node.getSpec() == null
        ? List.of()
        : node.getSpec().getTaints().stream().map(Taint::getKey).toList();
  }

  private final class NodeEvents implements ResourceEventHandler<Node> {
    @Override
    public void onAdd(Node node) {
      seen(node);
    }

    @Override
    public void onUpdate(Node before, Node now) {
      seen(now); // most often a heartbeat, by which nothing is new
    }

    private void seen(Node node) {
      var name = node.getMetadata().getName();
      report(name, nodes.seen(name, isCordoned(node), taints(node), clock.instant()));
    }

    @Override
    public void onDelete(Node node, boolean finalStateUnknown) {
      var name = node.getMetadata().getName();
      report(name, nodes.gone(name));
    }

    private void report(String node, boolean isNews) {
      if (isNews) {
        LOG.atDebug().addKeyValue("node", node).log("what is known of the node has changed");
        changed.accept(node);
      }
    }
  }
}
