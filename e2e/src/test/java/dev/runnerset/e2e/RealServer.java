package dev.runnerset.e2e;

import dev.runnerset.crds.Crds;
import dev.runnerset.testcluster.PlainManifests;
import dev.runnerset.testcluster.TestCluster;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Assumptions;

/** The one real control plane that the tests of this JVM share, and plain requests to it. */
public final class RealServer {
  private RealServer() {}

  /** The cluster with CRDs and manifests; the calling test is skipped where there is none. */
  public static TestCluster cluster() {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
    return TestCluster.shared(List.of(Crds.yaml(), PlainManifests.identities()));
  }

  /** The administrator of that cluster, in a new namespace of that name. */
  public static KubernetesClient adminIn(String namespace) {
    var admin = cluster().adminClient();
    var made = new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build();
    admin.resource(made).create();
    return admin;
  }

  /** An HTTP client with the identity and the trust of a fabric8 client. */
  public static HttpClient http(KubernetesClient client) {
    try {
      var tls = SSLContext.getInstance("TLS");
      var config = client.getConfiguration();
      tls.init(SSLUtils.keyManagers(config), SSLUtils.trustManagers(config), null);
      return HttpClient.newBuilder().sslContext(tls).build();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** The status of one request. */
  static int status(
      HttpClient http,
      URI base,
      String token,
      String method,
      String path,
      String type,
      String body) {
    var request =
        HttpRequest.newBuilder(base.resolve(path))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", type)
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
