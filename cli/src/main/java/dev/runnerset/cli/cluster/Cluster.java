package dev.runnerset.cli.cluster;

import dev.runnerset.crds.ApiGroup;
import dev.runnerset.kube.Denial;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.HttpURLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cluster, as one person may read it. Each call is one request or more and blocks; safe for
 * concurrent use.
 */
public final class Cluster implements AutoCloseable {
  /** How many objects a request asks for: 10,000 runners come in 20 answers. */
  private static final long PAGE = 500;

  private final KubernetesClient client;
  private final String namespace;

  /**
   * For a client, which is closed with this.
   *
   * @param namespace the default for commands that name no namespace
   */
  public Cluster(KubernetesClient client, String namespace) {
    this.client = client;
    this.namespace = namespace;
  }

  /** For requests that no method here has. */
  public KubernetesClient client() {
    return client;
  }

  /** The default namespace. */
  public String namespace() {
    return namespace;
  }

  /** The address of the API server. */
  public String url() {
    return client.getMasterUrl().toString();
  }

  /**
   * The objects of a kind.
   *
   * @throws ClusterException if the cluster cannot be used, or the kind is one of ours and is not
   *     installed
   */
  public <T extends HasMetadata> Listing<T> list(Class<T> kind, Selection selection) {
    try {
      return Listing.of(pages(selected(kind, selection)));
    } catch (KubernetesClientException e) {
      return switch (e.getCode()) {
        case HttpURLConnection.HTTP_FORBIDDEN ->
            Listing.missing(gap(e, "list", kind, selection.namespace()));
        case HttpURLConnection.HTTP_NOT_FOUND -> throw notInstalled(kind, e);
        default -> throw failed(e);
      };
    }
  }

  /**
   * The object of that name; empty if there is none.
   *
   * @throws ClusterException if the cluster cannot be used, or the object may not be read
   */
  public <T extends HasMetadata> Optional<T> get(Class<T> kind, String in, String name) {
    var found = find(kind, in, name);
    found
        .gap()
        .ifPresent(gap -> {
          throw new ClusterException(gap.sentence());
        });
    return found.items().stream().findFirst();
  }

  /**
   * The object of that name, as a list of one or none; a missing right is a gap.
   *
   * @param in its namespace; empty for a kind of the whole cluster
   * @throws ClusterException if the cluster cannot be used
   */
  public <T extends HasMetadata> Listing<T> find(Class<T> kind, String in, String name) {
    var all = client.resources(kind);
    try {
      var found = (in.isEmpty() ? all.withName(name) : all.inNamespace(in).withName(name)).get();
      return Listing.of(found == null ? List.of() : List.of(found));
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_FORBIDDEN) {
        return Listing.missing(gap(e, "get", kind, in));
      }
      throw failed(e);
    }
  }

  private static Gap gap(
      KubernetesClientException refusal,
      String verb,
      Class<? extends HasMetadata> kind,
      String namespace) {
    return Denial.of(refusal)
        .map(Gap::of)
        .orElseGet(() -> Gap.missingRight(verb, resource(kind), namespace));
  }

  /** The failure of a request in a sentence. */
  public ClusterException failed(KubernetesClientException failure) {
    return ClusterException.of(failure, url());
  }

  /**
   * The last lines of the log of a container, by one request. The method getLog of fabric8 first
   * lists and watches the pod, for which a person may lack the rights.
   *
   * @return null if the pod is gone
   * @throws KubernetesClientException if the API server refuses
   */
  public @Nullable String log(String in, String pod, String container, int lines) {
    return client.raw(
        "/api/v1/namespaces/%s/pods/%s/log?container=%s&tailLines=%d"
            .formatted(encoded(in), encoded(pod), encoded(container), lines));
  }

  /** As one part of a URL: the name of a pod in a status may be anything. */
  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  /**
   * Why something could not be read: the right that is missing, or what else failed.
   *
   * @param resource as a role names it, as {@code pods/log}
   */
  public String unread(KubernetesClientException failure, String verb, String resource, String in) {
    return failure.getCode() == HttpURLConnection.HTTP_FORBIDDEN && Denial.of(failure).isEmpty()
        ? Gap.missingRight(verb, resource, in).sentence()
        : failed(failure).getMessage();
  }

  /** A list or watch that was refused, as the right that is missing. */
  public Gap gap(
      KubernetesClientException refused, Class<? extends HasMetadata> kind, Selection selection) {
    return gap(refused, "list", kind, selection.namespace());
  }

  /** The objects that are meant, for a list or a watch; nothing is sent yet. */
  public <T extends HasMetadata>
      FilterWatchListDeletable<T, ? extends KubernetesResourceList<T>, Resource<T>> selected(
          Class<T> kind, Selection selection) {
    var all = client.resources(kind);
    var here =
        selection.namespace().isEmpty()
            ? all.inAnyNamespace()
            : all.inNamespace(selection.namespace());
    return selection.labels().isEmpty() ? here : here.withLabelSelector(selection.labels());
  }

  private static <T extends HasMetadata> List<T> pages(
      FilterWatchListDeletable<T, ? extends KubernetesResourceList<T>, Resource<T>> selected) {
    var found = new ArrayList<T>();
    String next = null;
    do {
      var page = selected.list(new ListOptionsBuilder().withLimit(PAGE).withContinue(next).build());
      found.addAll(page.getItems());
      next = page.getMetadata() == null ? null : page.getMetadata().getContinue();
    } while (next != null && !next.isEmpty());
    return found;
  }

  private ClusterException notInstalled(Class<? extends HasMetadata> kind, Exception e) {
    return resource(kind).endsWith(ApiGroup.NAME)
        ? new KindMissingException(
            "The cluster at "
                + url()
                + " has no resource "
                + resource(kind)
                + ": install runnerset there (docs/start/install.md), or choose another context"
                + " with --context")
        : new KindMissingException("The cluster has no resource " + resource(kind) + ": " + e);
  }

  /** As a role names it, with its group. */
  static String resource(Class<? extends HasMetadata> kind) {
    var group = HasMetadata.getGroup(kind);
    var plural = HasMetadata.getPlural(kind);
    return group == null || group.isEmpty() ? plural : plural + "." + group;
  }

  /** Ends its connections. */
  @Override
  public void close() {
    client.close();
  }
}
