package dev.runnerset.testsupport.apiserver;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Callable;

/** The few requests the cases need. */
record Api(Target target) {
  static final JsonMapper MAPPER = JsonMapper.builder().build();
  static final String MERGE = "application/merge-patch+json";
  static final String JSON_PATCH = "application/json-patch+json";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  record Answer(int code, JsonNode body) {
    /** The body, if the code is the expected one. */
    JsonNode expect(int expected) {
      if (code != expected) {
        throw new AssertionError("expected " + expected + " but got " + code + ": " + body);
      }
      return body;
    }

    JsonNode expect(int expected, String reason) {
      JsonNode status = expect(expected);
      Expect.equal("reason of the Status", reason, status.path("reason").asText());
      return status;
    }
  }

  String widgets() {
    return "/apis/" + Widgets.GROUP + "/v1/namespaces/" + target.namespace() + "/widgets";
  }

  String core(String plural) {
    return "/api/v1/namespaces/" + target.namespace() + "/" + plural;
  }

  String leases() {
    return "/apis/coordination.k8s.io/v1/namespaces/" + target.namespace() + "/leases";
  }

  Answer get(String path) throws IOException, InterruptedException {
    return send("GET", path, "", "");
  }

  Answer create(String path, String json) throws IOException, InterruptedException {
    return send("POST", path, "application/json", json);
  }

  Answer put(String path, JsonNode body) throws IOException, InterruptedException {
    return send("PUT", path, "application/json", body.toString());
  }

  Answer merge(String path, String json) throws IOException, InterruptedException {
    return send("PATCH", path, MERGE, json);
  }

  Answer jsonPatch(String path, String json) throws IOException, InterruptedException {
    return send("PATCH", path, JSON_PATCH, json);
  }

  Answer delete(String path) throws IOException, InterruptedException {
    return send("DELETE", path, "", "");
  }

  Answer delete(String path, String options) throws IOException, InterruptedException {
    return send("DELETE", path, "application/json", options);
  }

  Answer send(String method, String path, String contentType, String body)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = request(path).timeout(PATIENCE);
    if (!contentType.isEmpty()) {
      request.header("Content-Type", contentType);
    }
    request.method(
        method,
        body.isEmpty()
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(body));
    HttpResponse<String> response =
        target.client().send(request.build(), HttpResponse.BodyHandlers.ofString());
    boolean json = response.body().startsWith("{");
    return new Answer(
        response.statusCode(), json ? MAPPER.readTree(response.body()) : MissingNode.getInstance());
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(target.base() + path))
            .header("Accept", "application/json")
            .header("User-Agent", "api-contract");
    if (target.token() != null) {
      request.header("Authorization", "Bearer " + target.token());
    }
    return request;
  }

  /** Begins a watch; the caller closes it. */
  WatchStream watch(String pathAndQuery) throws IOException, InterruptedException {
    HttpResponse<InputStream> response =
        target
            .client()
            .send(request(pathAndQuery).build(), HttpResponse.BodyHandlers.ofInputStream());
    if (response.statusCode() != 200) {
      throw new AssertionError("the watch was answered " + response.statusCode());
    }
    return new WatchStream(response.body());
  }

  /** Asks again until the path is not found. */
  void awaitGone(String path) throws Exception {
    await(path + " to be gone", () -> get(path).code() == 404);
  }

  /** Asks until it is so; a server's controllers may take up to 60 s to notice. */
  static void await(String what, Callable<Boolean> question) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!question.call()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited 60 s in vain for " + what);
      }
      Thread.sleep(50);
    }
  }
}
