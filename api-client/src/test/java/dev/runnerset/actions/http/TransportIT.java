package dev.runnerset.actions.http;

import static dev.runnerset.actions.http.ErrorsIT.error;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceError.Obstacle;
import dev.runnerset.simulator.network.TcpProxy;
import dev.runnerset.testcluster.FreePort;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import jdk.net.ExtendedSocketOptions;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import mockwebserver3.junit5.StartStop;
import okhttp3.Request;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Test;

/** Proxies, certificates and time limits (protocol 6). */
final class TransportIT {
  private static final ScaleSetId ID = new ScaleSetId(7);
  private static final String SET = "{\"id\":7,\"name\":\"s\"}";

  @StartStop final MockWebServer server = new MockWebServer();

  @Test
  void aProxyThatAsksForCredentialsGetsThem() {
    var stub = new StubService(server).then(200, SET);
    var inner = stub.service;
    stub.registration = request -> guarded(request, stub::registrationStep);
    stub.service = request -> guarded(request, inner);
    var proxy =
        new ProxySetting.Server(URI.create("http://127.0.0.1:" + server.getPort()), "me", "pw");
    var settings =
        settings(stub, "http://service.invalid/my-org")
            .withProxy(new ProxySetting(proxy, null, List.of("other.invalid"), false));

    assertThat(stub.connect(settings).scaleSet(ID)).isPresent();
    assertThat(stub.requests)
        .anySatisfy(request ->
            assertThat(request.getRequestLine())
                .startsWith("POST http://service.invalid/api/v3/orgs/my-org/"));
  }

  @Test
  void aProxyThatRefusesTheCredentialsIsNotAskedForEver() {
    var stub = new StubService(server);
    stub.registration = request -> new MockResponse.Builder().code(407).build();
    var proxy =
        new ProxySetting.Server(URI.create("http://127.0.0.1:" + server.getPort()), "me", "MARKER");
    var settings =
        settings(stub, "http://service.invalid/my-org")
            .withProxy(new ProxySetting(proxy, null, List.of(), false));
    var error = error(stub.connect(settings), s -> s.scaleSet(ID));
    assertThat(obstacle(error)).isEqualTo(Obstacle.PROXY);
    assertThat(error.details().sentence() + settings).doesNotContain("MARKER");
    assertThat(stub.requests).hasSize(2);
  }

  @Test
  void theKernelAsksWhetherTheOtherEndOfAConnectionIsThere() throws IOException {
    var kind = new StubService(server).settings().kind();
    try (var socket = HttpClients.of(kind).polls().socketFactory().createSocket()) {
      assertThat(socket.getKeepAlive()).isTrue();
      int idle = socket.getOption(ExtendedSocketOptions.TCP_KEEPIDLE);
      int between = socket.getOption(ExtendedSocketOptions.TCP_KEEPINTERVAL);
      int probes = socket.getOption(ExtendedSocketOptions.TCP_KEEPCOUNT);
      assertThat(Duration.ofSeconds(idle + (long) between * probes))
          .isEqualTo(ProbedSockets.SILENT_FOR)
          .isEqualTo(Duration.ofSeconds(25));
    }
  }

  /** The proxy acknowledges all bytes, so the kernel has no doubt; the poll may take 65 s. */
  @Test
  void aPollOfHttp2EndsOnceItsConnectionCarriesNothing() {
    var certificate = new HeldCertificate.Builder().addSubjectAlternativeName("127.0.0.1").build();
    server.useHttps(
        new HandshakeCertificates.Builder()
            .heldCertificate(certificate)
            .build()
            .sslSocketFactory());
    var stub = new StubService(server);
    var settings =
        stub.settings()
            .withTrustedAuthorities(TrustedAuthorities.fromPem(certificate.certificatePem()));
    var polls =
        HttpClients.of(new HttpClients.Kind(settings.calls().timeouts(), settings.route(), true))
            .polls();
    try (var proxy = TcpProxy.before(server.getPort())) {
      stub.service =
          request -> {
            proxy.freezeAll();
            return new MockResponse.Builder().headersDelay(60, TimeUnit.SECONDS).build();
          };
      var poll = new Request.Builder().url("https://127.0.0.1:" + proxy.port() + "/poll").build();
      long begin = System.nanoTime();
      assertThatThrownBy(() -> polls.newCall(poll).execute()).isInstanceOf(IOException.class);
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(50));
      assertThat(stub.requests).hasSize(1);
    }
  }

  @Test
  void hostsOfNoProxyAreReachedDirectly() {
    var stub = new StubService(server).then(200, SET);
    var nobody = ProxySetting.Server.open(URI.create("http://proxy.invalid:3128"));
    var settings =
        stub.settings()
            .withProxy(new ProxySetting(nobody, nobody, List.of(server.getHostName()), false));
    assertThat(stub.connect(settings).scaleSet(ID)).isPresent();
  }

  @Test
  void refusesProxiesItCannotUse() {
    for (var url :
        List.of(
            "https://proxy:3128",
            "proxy:3128",
            "http:///",
            "http://u:MARKER@p",
            "http://proxy:99999")) {
      assertThatThrownBy(() -> ProxySetting.Server.open(URI.create(url)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageNotContaining("MARKER");
    }
  }

  @Test
  void anAuthorityOfOnesOwnIsTrustedOnceNamed() {
    var authority = new HeldCertificate.Builder().certificateAuthority(0).build();
    var leaf =
        new HeldCertificate.Builder()
            .signedBy(authority)
            .addSubjectAlternativeName(server.getHostName())
            .build();
    server.useHttps(
        new HandshakeCertificates.Builder().heldCertificate(leaf).build().sslSocketFactory());
    var stub = new StubService(server).then(200, SET);

    var strangers = error(stub.connect(), s -> s.scaleSet(ID));
    assertThat(obstacle(strangers)).isEqualTo(Obstacle.CERTIFICATE_UNTRUSTED);
    assertThat(stub.waits).as("a certificate stays what it is").isEmpty();
    assertThat(stub.requests).isEmpty();

    var trusting =
        stub.settings()
            .withTrustedAuthorities(TrustedAuthorities.fromPem(authority.certificatePem()));
    assertThat(stub.connect(trusting).scaleSet(ID)).isPresent();
  }

  @Test
  void theSystemsAuthoritiesStayTrusted() {
    var own = new HeldCertificate.Builder().certificateAuthority(0).build().certificate();
    var system = TrustedAuthorities.trusting(List.of()).getAcceptedIssuers();
    assertThat(system).hasSizeGreaterThan(10);
    assertThat(TrustedAuthorities.trusting(List.of(own)).getAcceptedIssuers())
        .contains(system)
        .contains(own);
  }

  @Test
  void refusesAuthoritiesThatAreNone() {
    for (var pem :
        List.of("", "x", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----")) {
      assertThatThrownBy(() -> TrustedAuthorities.fromPem(pem))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("trusted authorities");
    }
  }

  @Test
  void aServiceThatCannotBeReachedIsUnavailable() throws Exception {
    int free = FreePort.find();
    var stub = new StubService(server);
    var settings = settings(stub, "http://127.0.0.1:" + free + "/my-org?token=MARKER");
    var error = error(stub.connect(settings), s -> s.scaleSet(ID));
    assertThat(obstacle(error)).isEqualTo(Obstacle.CONNECTION_REFUSED);
    assertThat(error.details().message()).contains("no connection: Failed to connect");
    assertThat(error.details().sentence()).doesNotContain("MARKER");
    assertThat(stub.waits).hasSize(4);
  }

  @Test
  void aServiceThatFailsIsNoMatterOfTheNetwork() {
    var stub = new StubService(server).then(503, "");
    var error =
        error(stub.connect(stub.settings().withRetry(RetryRules.NONE)), s -> s.scaleSet(ID));
    assertThat(obstacle(error)).isEqualTo(Obstacle.UNKNOWN);
  }

  private static Obstacle obstacle(ServiceError error) {
    return ((ServiceError.Unavailable) error).obstacle();
  }

  static ServiceSettings settings(StubService stub, String url) {
    var some = stub.settings();
    return ServiceSettings.of(
            ConfigUrl.parse(url), some.credentials(), some.userAgent(), some.clock())
        .withRoute(some.route())
        .withRandom(some.calls().random());
  }

  private static MockResponse guarded(
      RecordedRequest request, Function<RecordedRequest, MockResponse> behind) {
    var expected =
        "Basic " + Base64.getEncoder().encodeToString("me:pw".getBytes(StandardCharsets.UTF_8));
    var given = request.getHeaders().get("Proxy-Authorization");
    if (expected.equals(given)) {
      return behind.apply(request);
    }
    return new MockResponse.Builder()
        .code(407)
        .setHeader("Proxy-Authenticate", "Basic realm=\"p\"")
        .build();
  }
}
