package dev.runnerset.simulator.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;

/**
 * The requests of one runner (protocol 8.2, protocol 8.3, protocol 8.4). Interrupting the caller
 * aborts a request.
 */
final class RunnerProtocol {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Duration CALL = Duration.ofSeconds(30);
  private static final Duration POLL = Duration.ofSeconds(90);
  private static final String ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

  /** Status and body; the body is a missing node when it was empty or no JSON. */
  record Answer(int status, JsonNode body) {
    boolean isSuccess() {
      return status / 100 == 2;
    }
  }

  private final HttpClient http;
  private final JitConfig config;
  private final String version;
  private final Clock clock;
  private String token = "";

  /**
   * What a runner says.
   *
   * @param version of the runner
   */
  RunnerProtocol(HttpClient http, JitConfig config, String version, Clock clock) {
    this.http = http;
    this.config = config;
    this.version = version;
    this.clock = clock;
  }

  /** The tag if it is a version; else the usual one. */
  static String version(String image) {
    var tag = image.substring(image.lastIndexOf(':') + 1);
    return tag.matches("\\d+(\\.\\d+){2}") ? tag : "2.338.1";
  }

  /** Fetches the access token that the other calls carry. */
  Answer login() throws IOException, InterruptedException {
    var form =
        "grant_type=client_credentials&client_assertion_type="
            + URLEncoder.encode(ASSERTION, StandardCharsets.US_ASCII)
            + "&client_assertion="
            + assertion();
    var answer =
        send(
            HttpRequest.newBuilder(config.authorizationUrl())
                .header("Content-Type", "application/x-www-form-urlencoded")
                .timeout(CALL)
                .POST(BodyPublishers.ofString(form))
                .build());
    token = answer.body().path("access_token").asText();
    return answer;
  }

  private String assertion() {
    var now = clock.instant().getEpochSecond();
    var payload =
        MAPPER
            .createObjectNode()
            .put("iss", config.clientId())
            .put("sub", config.clientId())
            .put("aud", config.authorizationUrl().toString())
            .put("nbf", now)
            .put("exp", now + 300);
    var text =
        encode("{\"alg\":\"RS256\",\"typ\":\"JWT\"}".getBytes(StandardCharsets.US_ASCII))
            + "."
            + encode(payload.toString().getBytes(StandardCharsets.UTF_8));
    try {
      var signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(config.key());
      signature.update(text.getBytes(StandardCharsets.US_ASCII));
      return text + "." + encode(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot sign", e);
    }
  }

  Answer createSession(String owner) throws IOException, InterruptedException {
    var body =
        MAPPER
            .createObjectNode()
            .put("sessionId", "00000000-0000-0000-0000-000000000000")
            .put("ownerName", owner);
    body.putObject("agent").put("name", config.agentName()).put("version", version);
    return post(config.server().resolve("session"), body);
  }

  Answer deleteSession() throws IOException, InterruptedException {
    return send(request(config.server().resolve("session")).timeout(CALL).DELETE().build());
  }

  /** Blocks for as long as the service parks the poll. */
  Answer message(String session) throws IOException, InterruptedException {
    var query =
        "message?sessionId="
            + session
            + "&status=Online&runnerVersion="
            + version
            + "&os=Linux&architecture=X64&disableUpdate=true";
    return send(request(config.server().resolve(query)).timeout(POLL).GET().build());
  }

  Answer acknowledge(String requestId) throws IOException, InterruptedException {
    return post(
        config.server().resolve("acknowledge"),
        MAPPER.createObjectNode().put("runnerRequestId", requestId));
  }

  Answer acquire(String run, String requestId) throws IOException, InterruptedException {
    return post(
        URI.create(run + "/acquirejob"),
        MAPPER.createObjectNode().put("jobMessageId", requestId).put("runnerOS", "Linux"));
  }

  Answer renew(String run, String plan, String job) throws IOException, InterruptedException {
    return post(
        URI.create(run + "/renewjob"),
        MAPPER.createObjectNode().put("planId", plan).put("jobId", job));
  }

  Answer complete(String run, String plan, String job, String conclusion)
      throws IOException, InterruptedException {
    return post(
        URI.create(run + "/completejob"),
        MAPPER
            .createObjectNode()
            .put("planId", plan)
            .put("jobId", job)
            .put("conclusion", conclusion));
  }

  private Answer post(URI uri, ObjectNode body) throws IOException, InterruptedException {
    return send(
        request(uri)
            .header("Content-Type", "application/json")
            .timeout(CALL)
            .POST(BodyPublishers.ofString(body.toString()))
            .build());
  }

  private HttpRequest.Builder request(URI uri) {
    return HttpRequest.newBuilder(uri).header("Authorization", "Bearer " + token);
  }

  private Answer send(HttpRequest request) throws IOException, InterruptedException {
    var response = http.send(request, BodyHandlers.ofByteArray());
    return new Answer(response.statusCode(), parse(response.body()));
  }

  static JsonNode parse(byte[] bytes) {
    try {
      return bytes.length == 0 ? MissingNode.getInstance() : MAPPER.readTree(bytes);
    } catch (IOException notJson) {
      return MissingNode.getInstance();
    }
  }

  private static String encode(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
