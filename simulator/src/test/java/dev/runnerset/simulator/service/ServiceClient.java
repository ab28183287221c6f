package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;

/** Speaks the protocol as a controller, a listener and a runner do. */
public final class ServiceClient {
  public static final String TOKEN = "pat-1";
  public static final String SETS = "/rest/_apis/runtime/runnerscalesets";
  public static final String AGENTS = "/rest/_apis/distributedtask/pools/0/agents";
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  public final URI root;
  public String admin = "";

  public record Answer(int status, String text, HttpResponse<String> response) {
    public JsonNode json() {
      try {
        return MAPPER.readTree(text);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  public record Session(int set, String id, String url, String token) {}

  public ServiceClient(ActionsServiceServer server) {
    root = server.url();
  }

  public Answer call(String method, String path, String authorization, String body) {
    return send(request(method, path, authorization, body).build());
  }

  public HttpRequest.Builder request(
      String method, String path, String authorization, String body) {
    return HttpRequest.newBuilder(path.startsWith("http") ? URI.create(path) : root.resolve(path))
        .header("Authorization", authorization)
        .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
  }

  public Answer send(HttpRequest request) {
    try {
      var response = http.send(request, BodyHandlers.ofString());
      return new Answer(response.statusCode(), response.body(), response);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public CompletableFuture<Answer> sendAsync(HttpRequest request) {
    return http.sendAsync(request, BodyHandlers.ofString())
        .thenApply(r -> new Answer(r.statusCode(), r.body(), r));
  }

  public Answer admin(String method, String path, String body) {
    return call(method, path, "Bearer " + admin, body);
  }

  public Answer registrationToken(String pat) {
    return call(
        "POST", "/api/v3/orgs/acme/actions/runners/registration-token", "Bearer " + pat, "");
  }

  public void login() {
    var token = registrationToken(TOKEN).json().get("token").asText();
    var body = "{\"url\":\"" + root + "/acme\",\"runner_event\":\"register\"}";
    admin =
        call("POST", "/api/v3/actions/runner-registration", "RemoteAuth " + token, body)
            .json()
            .get("token")
            .asText();
  }

  public int createSet(String name) {
    return admin("POST", SETS, "{\"name\":\"" + name + "\",\"runnerGroupId\":1}")
        .json()
        .get("id")
        .asInt();
  }

  public Answer openSession(int set) {
    return admin("POST", SETS + "/" + set + "/sessions", "{\"ownerName\":\"me\"}");
  }

  public Session session(int set) {
    return session(set, openSession(set).json());
  }

  public Session session(int set, JsonNode json) {
    return new Session(
        set,
        json.get("sessionId").asText(),
        json.get("messageQueueUrl").asText(),
        json.get("messageQueueAccessToken").asText());
  }

  public HttpRequest poll(Session session, long cursor, int capacity) {
    var query = cursor > 0 ? "?lastMessageId=" + cursor : "";
    return request("GET", session.url() + query, "Bearer " + session.token(), "")
        .header("X-ScaleSetMaxCapacity", Integer.toString(capacity))
        .build();
  }

  public Answer delete(Session session, long message) {
    return call("DELETE", session.url() + "/" + message, "Bearer " + session.token(), "");
  }

  public JsonNode jit(int set, String name) {
    return admin(
            "POST",
            SETS + "/" + set + "/generatejitconfig",
            "{\"name\":\"" + name + "\",\"workFolder\":\"\"}")
        .json();
  }

  public static JsonNode inner(Answer answer) {
    try {
      return MAPPER.readTree(answer.json().get("body").asText());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
