package dev.runnerset.simulator.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Raw requests to the Kubernetes API: one each, where the client's typed patch would read first.
 * Blocking, thread-safe.
 */
final class KubeCalls {
  private static final long TIMEOUT_SECONDS = 30;
  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final int OVERLOADED = 429;
  static final String JSON = "application/json";
  static final String MERGE_PATCH = "application/merge-patch+json";

  /** An answer; any status is one. */
  record Answer(int status, JsonNode body) {
    boolean isSuccess() {
      return status / 100 == 2;
    }
  }

  private final HttpClient http;
  private final String root;
  private final Duration patience;

  KubeCalls(KubernetesClient client) {
    this(client.getHttpClient(), root(client.getConfiguration().getMasterUrl()), Duration.ZERO);
  }

  private KubeCalls(HttpClient http, String root, Duration patience) {
    this.http = http;
    this.root = root;
    this.patience = patience;
  }

  private static String root(String url) {
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  /**
   * The same requests, but each one is repeated for so long while the API server is gone or
   * overloaded, as a kubelet does. A repeated request may find that the first one took effect.
   */
  KubeCalls patient(Duration forSoLong) {
    return new KubeCalls(http, root, forSoLong);
  }

  Answer get(String path) throws IOException {
    return send(http.newHttpRequestBuilder().uri(root + path));
  }

  Answer post(String path, JsonNode body) throws IOException {
    return send(
        http.newHttpRequestBuilder().uri(root + path).method("POST", JSON, body.toString()));
  }

  Answer patch(String path, JsonNode body) throws IOException {
    return send(
        http.newHttpRequestBuilder()
            .uri(root + path)
            .method("PATCH", MERGE_PATCH, body.toString()));
  }

  Answer delete(String path, JsonNode options) throws IOException {
    return send(
        http.newHttpRequestBuilder().uri(root + path).method("DELETE", JSON, options.toString()));
  }

  private Answer send(io.fabric8.kubernetes.client.http.HttpRequest.Builder request)
      throws IOException {
    long until = System.nanoTime() + patience.toNanos();
    while (true) {
      boolean last = System.nanoTime() - until >= 0;
      try {
        var answer = once(request);
        if (last || (answer.status() != OVERLOADED && answer.status() < 500)) {
          return answer;
        }
      } catch (IOException e) {
        if (last || Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
      try {
        Pause.of(AGAIN);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
  }

  private Answer once(io.fabric8.kubernetes.client.http.HttpRequest.Builder request)
      throws IOException {
    var sent = http.sendAsync(request.build(), byte[].class);
    try {
      var response = sent.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      var body = response.body();
      return new Answer(response.code(), RunnerProtocol.parse(body == null ? new byte[0] : body));
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("no answer from the API server: " + e, e);
    } catch (InterruptedException e) {
      sent.cancel(true);
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
