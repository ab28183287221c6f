package dev.runnerset.testsupport.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * The few requests that the cases need. Bodies are JSON in which names need no quotes and texts may
 * have single ones.
 */
record Api(Target target) {
  static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
          .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
          .build();
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  record Answer(int code, JsonNode body) {
    /** The body, if the code is the expected one. */
    JsonNode expect(int expected) {
      assertThat(code).as("the answer %s", body).isEqualTo(expected);
      return body;
    }
  }

  static String text(JsonNode node, String pointer) {
    return node.at(pointer).asText();
  }

  /** The resourceVersion. */
  static String revision(JsonNode object) {
    return text(object, "/metadata/resourceVersion");
  }

  static JsonNode json(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Answer get(String path) throws IOException, InterruptedException {
    return send("GET", path, "", "");
  }

  Answer create(String path, String body) throws IOException, InterruptedException {
    return send("POST", path, "application/json", body);
  }

  Answer put(String path, JsonNode body) throws IOException, InterruptedException {
    return send("PUT", path, "application/json", body.toString());
  }

  Answer merge(String path, String body) throws IOException, InterruptedException {
    return send("PATCH", path, "application/merge-patch+json", body);
  }

  Answer jsonPatch(String path, String body) throws IOException, InterruptedException {
    return send("PATCH", path, "application/json-patch+json", body);
  }

  Answer delete(String path, String options) throws IOException, InterruptedException {
    return send("DELETE", path, "application/json", options);
  }

  private Answer send(String method, String path, String contentType, String body)
      throws IOException, InterruptedException {
    var request = request(path).timeout(PATIENCE);
    if (!contentType.isEmpty()) {
      request.header("Content-Type", contentType);
    }
    request.method(
        method,
        body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json(body).toString()));
    var response = target.client().send(request.build(), BodyHandlers.ofString());
    boolean json = response.body().startsWith("{");
    return new Answer(
        response.statusCode(), json ? json(response.body()) : MissingNode.getInstance());
  }

  private HttpRequest.Builder request(String path) {
    var uri = URI.create(target.base() + path.replace("<NS>", target.namespace()));
    var request =
        HttpRequest.newBuilder(uri)
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
        target.client().send(request(pathAndQuery).build(), BodyHandlers.ofInputStream());
    assertThat(response.statusCode()).as("the answer to the watch").isEqualTo(200);
    return new WatchStream(response.body());
  }

  /** Begins a watch of what changes from now on. */
  WatchStream watchFromNow(String path, String more) throws IOException, InterruptedException {
    return watch(path + "?watch=true&resourceVersion=" + revision(get(path).expect(200)) + more);
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
