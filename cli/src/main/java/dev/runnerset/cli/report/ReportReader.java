package dev.runnerset.cli.report;

import dev.runnerset.base.ProductVersion;
import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.ClusterException;
import dev.runnerset.cli.cluster.Selection;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads what a report has; blocks. What may not be read is among what is missing. */
public final class ReportReader {
  /** The lines of each log. */
  public static final int LOG_LINES = 2000;

  private static final int MOST_BYTES = 4 << 20;

  private final Cluster cluster;
  private final Scope scope;
  private final Bundle bundle = new Bundle();

  /**
   * What a report is about.
   *
   * @param namespace of the sets; empty for all
   * @param set one set; empty for all
   */
  public record Scope(
      String namespace, String set, String controllerNamespace, String listenerNamespace) {}

  /** Reads from that cluster. */
  public ReportReader(Cluster cluster, Scope scope) {
    this.cluster = cluster;
    this.scope = scope;
  }

  /** The whole report. */
  public Bundle read(Instant now) {
    var sets = Selection.of(scope.namespace());
    objects("sets", AutoScalingRunnerSet.class, sets, set -> isMeant(nameOf(set)));
    objects("runner-sets", EphemeralRunnerSet.class, sets, this::isOfSet);
    objects("runners", EphemeralRunner.class, sets, this::isOfSet);
    objects(
        "listeners",
        AutoScalingListener.class,
        Selection.of(scope.listenerNamespace()),
        this::isOfSet);
    objects(
        "runner-pods",
        Pod.class,
        sets.and(Labels.COMPONENT, Labels.COMPONENT_RUNNER),
        this::isOfSet);
    objects("events", Event.class, sets, this::isAboutSet);
    objects("quotas", ResourceQuota.class, sets, any -> true);
    var versions = new StringBuilder();
    versions.append("kubectl runnerset: ").append(ProductVersion.text()).append('\n');
    versions.append("read at: ").append(now).append('\n');
    tried(
            () -> cluster.client().getKubernetesVersion().getGitVersion(),
            "the version of the cluster")
        .forEach(version -> versions.append("Kubernetes: ").append(version).append('\n'));
    for (var namespace :
        new LinkedHashSet<>(List.of(scope.controllerNamespace(), scope.listenerNamespace()))) {
      programs(namespace, versions);
    }
    bundle.text("versions.txt", versions.toString());
    return bundle;
  }

  private void programs(String namespace, StringBuilder versions) {
    var ours = Selection.of(namespace).and(Labels.PART_OF, Labels.PART_OF_VALUE);
    for (var each :
        objects("system/" + namespace + "-deployments", Deployment.class, ours, any -> true)) {
      each.getSpec()
          .getTemplate()
          .getSpec()
          .getContainers()
          .forEach(container ->
              versions
                  .append(namespace)
                  .append('/')
                  .append(nameOf(each))
                  .append(": ")
                  .append(container.getImage())
                  .append('\n'));
    }
    objects("system/" + namespace + "-leases", Lease.class, Selection.of(namespace), any -> true);
    objects("system/" + namespace + "-events", Event.class, Selection.of(namespace), any -> true);
    for (var pod : objects("system/" + namespace + "-pods", Pod.class, ours, any -> true)) {
      log(namespace, pod);
      metrics(namespace, pod);
    }
  }

  private void log(String namespace, Pod pod) {
    var name = nameOf(pod);
    for (var container : pod.getSpec().getContainers()) {
      var what =
          "the log of the container " + container.getName() + " of " + namespace + "/" + name;
      tried(() -> cluster.log(namespace, name, container.getName(), LOG_LINES), what)
          .forEach(log ->
              bundle.text(
                  "logs/" + namespace + "/" + name + "-" + container.getName() + ".log", end(log)));
    }
  }

  private void metrics(String namespace, Pod pod) {
    var port =
        pod.getSpec().getContainers().stream()
            .flatMap(c -> c.getPorts().stream())
            .filter(p -> "http".equals(p.getName()))
            .map(p -> p.getContainerPort())
            .findFirst();
    if (port.isEmpty()) {
      return;
    }
    var name = nameOf(pod);
    var path =
        "/api/v1/namespaces/%s/pods/%s:%d/proxy/metrics".formatted(namespace, name, port.get());
    tried(() -> cluster.client().raw(path), "the metrics of " + namespace + "/" + name)
        .forEach(page -> bundle.text("metrics/" + namespace + "/" + name + ".txt", end(page)));
  }

  /** What was read, or nothing, and a sentence why. */
  private List<String> tried(Supplier<@Nullable String> read, String what) {
    try {
      var text = read.get();
      if (text == null) {
        bundle.missing("There is no answer for " + what);
        return List.of();
      }
      return List.of(text);
    } catch (KubernetesClientException e) {
      var failed = ClusterException.of(e, cluster.url());
      bundle.missing(what + ": " + failed.getMessage());
      return List.of();
    }
  }

  private <T extends HasMetadata> List<T> objects(
      String file, Class<T> kind, Selection selection, Predicate<T> wanted) {
    List<T> found;
    try {
      var listing = cluster.list(kind, selection);
      listing.gap().ifPresent(bundle::missing);
      if (listing.gap().isPresent()) {
        return List.of();
      }
      found = listing.filter(wanted).items();
    } catch (ClusterException e) {
      bundle.missing(e.getMessage());
      return List.of();
    }
    var path = "objects/" + file + ".yaml";
    var redaction = bundle.redaction(path);
    var serialization = cluster.client().getKubernetesSerialization();
    var text = new StringBuilder();
    for (var each : found) {
      var clean = redaction.object("", serialization.convertValue(each, Map.class));
      text.append(serialization.asYaml(clean));
    }
    bundle.clean(path, text.isEmpty() ? "# none\n" : text.toString());
    return found;
  }

  private boolean isMeant(String name) {
    return scope.set().isEmpty() || scope.set().equals(name);
  }

  private boolean isOfSet(HasMetadata object) {
    var labels = object.getMetadata().getLabels();
    return isMeant(labels == null ? "" : labels.getOrDefault(Labels.SET, ""));
  }

  /** About the set, or about what has a name that begins with its name. */
  private boolean isAboutSet(Event event) {
    var about = event.getInvolvedObject();
    return scope.set().isEmpty()
        || (about != null
            && Objects.requireNonNullElse(about.getName(), "").startsWith(scope.set()));
  }

  private static String nameOf(HasMetadata object) {
    return object.getMetadata().getName();
  }

  private static String end(String text) {
    return text.length() <= MOST_BYTES ? text : text.substring(text.length() - MOST_BYTES);
  }
}
