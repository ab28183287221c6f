package dev.runnerset.kube;

import dev.runnerset.base.Causes;
import dev.runnerset.base.Installation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Optional;

/**
 * Looks whether a program can work with the cluster before the program starts. What is missing is
 * an {@link UnreachableClusterException}, whose sentence names the command to run. Blocks for its
 * requests.
 */
public final class StartCheck {
  private final KubernetesClient client;

  public StartCheck(KubernetesClient client) {
    this.client = client;
  }

  /**
   * The program may list objects of that kind.
   *
   * @param namespace empty for all
   */
  public <T extends HasMetadata> StartCheck lists(Class<T> kind, Optional<String> namespace) {
    var one = new ListOptionsBuilder().withLimit(1L).build();
    var objects = client.resources(kind);
    var name = HasMetadata.getFullResourceName(kind);
    try {
      var _ =
          namespace.isPresent()
              ? objects.inNamespace(namespace.get()).list(one)
              : objects.inAnyNamespace().list(one);
      return this;
    } catch (KubernetesClientException e) {
      throw e.getCode() == HttpURLConnection.HTTP_NOT_FOUND
          ? refused("the API server does not know " + name + ": run " + Installation.UPGRADE, e)
          : refused("cannot list " + name, e.getCode(), e);
    }
  }

  /** The program may hold a lease in that namespace; nothing is stored. */
  public StartCheck holdsLeases(String namespace, String name) {
    var lease = new Lease();
    lease.setMetadata(
        new ObjectMetaBuilder().withName(name + "-check").withNamespace(namespace).build());
    lease.setSpec(new LeaseSpec());
    try {
      var _ = new KubeApi(client).dryRunCreate(lease);
      return this;
    } catch (KubernetesClientException e) {
      throw e.getCode() == HttpURLConnection.HTTP_NOT_FOUND
          ? refused("there is no namespace " + namespace + ": run " + Installation.UPGRADE, e)
          : refused("cannot hold a lease in the namespace " + namespace, e.getCode(), e);
    }
  }

  private UnreachableClusterException refused(
      String what, int code, KubernetesClientException cause) {
    var server = client.getConfiguration().getMasterUrl();
    return refused(what + ": " + why(server, code, cause), cause);
  }

  private static String why(String server, int code, KubernetesClientException cause) {
    if (code <= 0) {
      return "the API server "
          + server
          + " does not answer ("
          + Causes.innermost(cause)
          + "): look at the server, or name another with --kubeconfig";
    }
    return switch (code) {
      case HttpURLConnection.HTTP_UNAUTHORIZED ->
          "the API server " + server + " refuses the credentials: look at the kubeconfig";
      case HttpURLConnection.HTTP_FORBIDDEN ->
          Denial.words(cause) + ": run " + Installation.UPGRADE;
      default -> "the API server " + server + " answers " + code + ": " + Denial.words(cause);
    };
  }

  private static UnreachableClusterException refused(
      String sentence, KubernetesClientException cause) {
    return new UnreachableClusterException(sentence.lines().findFirst().orElse(sentence), cause);
  }
}
