package dev.runnerset.actions.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A service that leads to another host of the network, as who may make a set may run one (CN6). */
class SteeredRequestsIT {
  private static final ScaleSetId ID = new ScaleSetId(7);
  private static final String SECRET = "root hunter2 AKIA4711";

  private final MockWebServer server = new MockWebServer();
  private final MockWebServer internal = new MockWebServer();
  private StubService stub = new StubService(server);

  @BeforeEach
  void start() throws IOException {
    server.start();
    internal.start();
    internal.enqueue(new MockResponse.Builder().code(403).body(SECRET).build());
    stub = new StubService(server);
  }

  @AfterEach
  void stop() {
    server.close();
    internal.close();
  }

  /** Only the port of the "GitHub" is listed. */
  private ActionsService connected() {
    return stub.connect(
        stub.settings()
            .withAllowedHosts(
                AllowedHosts.of("127.0.0.1:" + server.getPort(), "localhost:" + server.getPort())));
  }

  private String secretPath() {
    return "http://127.0.0.1:" + internal.getPort() + "/api/v1/secrets";
  }

  @Test
  void theQueueOfASessionIsNoOtherHost() {
    stub.then(StubService.opened(secretPath(), "t"));
    var session = StubService.open(connected());
    refused(() -> session.poll(0, 1));
    refused(() -> session.acknowledge(5));
  }

  @Test
  void theRegistrationIsNotRedirectedToAnotherHost() {
    stub.registration =
        request -> new MockResponse.Builder().code(307).addHeader("Location", secretPath()).build();
    var service = connected();
    refused(() -> service.scaleSet(ID));
  }

  @Test
  void theServiceThatARegistrationNamesIsNoOtherHost() {
    var first = stub.registration;
    stub.registration =
        request ->
            StubService.path(request).endsWith("/runner-registration")
                ? StubService.json(
                    200,
                    "{\"url\":\"%s\",\"token\":\"%s\"}".formatted(secretPath(), stub.adminToken))
                : first.apply(request);
    var service = connected();
    refused(() -> service.scaleSet(ID));
  }

  @Test
  void aReadIsNotRedirectedToAnotherHost() {
    stub.then(new MockResponse.Builder().code(302).addHeader("Location", secretPath()).build());
    var service = connected();
    refused(() -> service.scaleSet(ID));
  }

  /** The same host at another scheme or port is another service. */
  @Test
  void aRedirectAtTheSameHostAndPortIsFollowed() {
    stub.then(new MockResponse.Builder().code(307).addHeader("Location", stub.url("/x")).build())
        .then(200, "{\"id\":7,\"name\":\"linux\",\"runnerGroupId\":1}");
    assertThat(connected().scaleSet(ID)).isPresent();
  }

  @Test
  void aHostOfAPrivateAddressIsNotConnectedTo() {
    var service =
        stub.connect(
            TransportIT.settings(stub, "https://localhost:" + internal.getPort() + "/my-org")
                .withAllowedHosts(AllowedHosts.of("127.0.0.1")));
    var error = refused(() -> service.scaleSet(ID));
    assertThat(error.details().message())
        .contains(
            "localhost:" + internal.getPort() + " has a private address",
            "adds localhost:" + internal.getPort() + " to allowedHosts");
  }

  @Test
  void aProxyThatASetNamesIsNotConnectedToAtAPrivateAddress() {
    var proxy = ProxySetting.Server.open(URI.create("http://127.0.0.1:" + internal.getPort()));
    var settings =
        TransportIT.settings(stub, "https://github.com/my-org").withAllowedHosts(AllowedHosts.NONE);
    var theirs = stub.connect(settings.withProxy(new ProxySetting(null, proxy, List.of(), false)));
    refused(() -> theirs.scaleSet(ID));
    var ours = stub.connect(settings.withProxy(new ProxySetting(null, proxy, List.of(), true)));
    var reached = catchThrowableOfType(ServiceException.class, () -> ours.scaleSet(ID));
    assertThat(obstacle(reached)).isNotEqualTo(ServiceError.Obstacle.HOST_NOT_ALLOWED);
    assertThat(internal.getRequestCount()).as("the proxy of the environment").isPositive();
  }

  /** Other programs answer with words of their own: an API server, a database, a web page. */
  @Test
  void whatHasNotTheFormOfTheServicesErrorsIsNotQuoted() {
    for (var body :
        List.of(
            SECRET,
            "\"" + SECRET + "\"",
            "<html>" + SECRET + "</html>",
            "{\"message\":\"" + SECRET + "\"}",
            "{\"kind\":\"Status\",\"message\":\"" + SECRET + "\",\"reason\":\"Forbidden\"}",
            "{\"typeName\":\"" + SECRET + "\"}",
            "{\"documentation_url\":\"" + SECRET + "\"}")) {
      stub.then(
          new MockResponse.Builder()
              .code(403)
              .addHeader("Content-Type", "application/json")
              .addHeader("ActivityId", SECRET)
              .addHeader("X-GitHub-Request-Id", SECRET)
              .body(body)
              .build());
      var failed = catchThrowableOfType(ServiceException.class, () -> connected().scaleSet(ID));
      assertThat(failed.error().details().sentence()).doesNotContain("hunter2").contains("403");
    }
  }

  @Test
  void theServicesOwnErrorIsQuotedInTwoHundredCharacters() {
    for (var body :
        List.of(
            "{\"typeName\":\"GitHub.X.AccessDeniedException\",\"message\":\"no %s\"}",
            "{\"message\":\"no %s\",\"documentation_url\":\"https://docs.github.com/rest\"}")) {
      stub.then(403, body.formatted("x".repeat(500)));
      var failed = catchThrowableOfType(ServiceException.class, () -> connected().scaleSet(ID));
      assertThat(failed.error().details().message()).startsWith("no x").hasSize(200);
    }
  }

  private ServiceError refused(Runnable call) {
    var failed = catchThrowableOfType(ServiceException.class, call::run);
    assertThat(failed).isNotNull();
    assertThat(obstacle(failed)).isEqualTo(ServiceError.Obstacle.HOST_NOT_ALLOWED);
    assertThat(failed.getMessage()).doesNotContain("hunter2");
    assertThat(internal.getRequestCount()).isZero();
    assertThat(stub.waits).as("asking again cannot help").isEmpty();
    return failed.error();
  }

  private static ServiceError.Obstacle obstacle(ServiceException failed) {
    return ((ServiceError.Unavailable) failed.error()).obstacle();
  }
}
