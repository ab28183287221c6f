package dev.runnerset.actions.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.Credentials;
import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.testsupport.TestClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;

/**
 * Canned answers over HTTP: registers whoever asks, and answers everything else from a queue of the
 * test. Keeps the requests and the waits between them; nothing waits really.
 */
final class StubService extends Dispatcher {
  static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  static final String PAT = "MARKER-PAT-0123456789";
  static final String STATISTICS = "{\"totalAssignedJobs\":3,\"totalRunningJobs\":2}";
  static final Clock CLOCK = Clock.fixed(NOW, ZoneOffset.UTC);

  /** Goes on by the waits alone. */
  final TestClock clock = new TestClock(NOW);

  final MockWebServer server;
  final List<RecordedRequest> requests = Collections.synchronizedList(new ArrayList<>());
  final List<Duration> waits = Collections.synchronizedList(new ArrayList<>());
  final ConcurrentLinkedQueue<MockResponse> answers = new ConcurrentLinkedQueue<>();
  volatile String adminToken = jwt(NOW.plusSeconds(3600));
  volatile Function<RecordedRequest, MockResponse> registration = this::registrationStep;
  volatile Function<RecordedRequest, MockResponse> service = request -> planned();

  StubService(MockWebServer server) {
    this.server = server;
    server.setDispatcher(this);
  }

  ActionsService connect() {
    return connect(settings());
  }

  ActionsService connect(ServiceSettings settings) {
    return new SharedConnections(
            (duration, signal) -> {
              waits.add(duration);
              clock.advance(duration);
            })
        .connect(settings);
  }

  ServiceSettings settings() {
    return ServiceSettings.of(
            ConfigUrl.parse(url("/my-org")),
            new Credentials.Token(PAT),
            UserAgent.of("1.2.3", "controller"),
            clock)
        .withAllowedHosts(AllowedHosts.of("127.0.0.1", "localhost", "*.invalid"))
        .withRandom(() -> 0L); // no jitter
  }

  String url(String path) {
    var base = server.url("/").toString();
    return base.substring(0, base.length() - 1) + path;
  }

  StubService then(int status, String body) {
    return then(json(status, body));
  }

  StubService then(MockResponse answer) {
    answers.add(answer);
    return this;
  }

  /** The requests that are not of the registration. */
  List<RecordedRequest> calls() {
    synchronized (requests) {
      return requests.stream().filter(r -> !isRegistration(r)).toList();
    }
  }

  RecordedRequest call() {
    var calls = calls();
    if (calls.size() != 1) {
      throw new AssertionError(calls.size() + " calls: " + calls);
    }
    return calls.getFirst();
  }

  long registrations() {
    synchronized (requests) {
      return requests.stream().filter(r -> path(r).endsWith("/runner-registration")).count();
    }
  }

  @Override
  public MockResponse dispatch(RecordedRequest request) {
    requests.add(request);
    if (isRegistration(request)) {
      return registration.apply(request);
    }
    return service.apply(request);
  }

  private MockResponse planned() {
    var answer = answers.poll();
    return answer == null ? json(599, "{\"message\":\"no answer was planned\"}") : answer;
  }

  MockResponse register() {
    return register(url("/tenant/123/"));
  }

  MockResponse register(String service) {
    return json(200, "{\"url\":\"" + service + "\",\"token\":\"" + adminToken + "\"}");
  }

  /** The answer to one of the three calls of protocol 1.4. */
  MockResponse registrationStep(RecordedRequest request) {
    return path(request).endsWith("/runner-registration")
        ? register()
        : json(201, "{\"token\":\"MARKER-REG\",\"expires_at\":\"2026-11-20T13:00:00Z\"}");
  }

  /** An opened session with that queue, and the counts of {@link #STATISTICS}. */
  static MockResponse opened(Object queue, String token) {
    return json(
        200,
        "{\"sessionId\":\"a-1\",\"ownerName\":\"me\",\"messageQueueUrl\":\"%s\",\"messageQueueAccessToken\":\"%s\",\"statistics\":%s}"
            .formatted(queue, token, STATISTICS));
  }

  static MessageSession open(ActionsService service) {
    if (!(service.openSession(new ScaleSetId(7), "me")
        instanceof OpenSessionResult.Opened(var session))) {
      throw new AssertionError("not opened");
    }
    return session;
  }

  static String path(RecordedRequest request) {
    return request.getUrl().encodedPath();
  }

  static String body(RecordedRequest request) {
    return request.getBody() == null ? "" : request.getBody().utf8();
  }

  static MockResponse json(int status, String body) {
    return new MockResponse.Builder()
        .code(status)
        .setHeader("Content-Type", "application/json; charset=utf-8")
        .body(body)
        .build();
  }

  static String jwt(Instant expiry) {
    return part("{\"alg\":\"RS256\"}")
        + "."
        + part("{\"exp\":" + expiry.getEpochSecond() + "}")
        + ".MARKERSIGNATURE";
  }

  private static String part(String json) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(UTF_8));
  }

  private static boolean isRegistration(RecordedRequest request) {
    return path(request).startsWith("/api/v3/") && "POST".equals(request.getMethod());
  }
}
