package dev.runnerset.actions.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceError.Obstacle;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.testcluster.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import mockwebserver3.MockResponse;
import mockwebserver3.MockResponseBody;
import mockwebserver3.MockWebServer;
import mockwebserver3.junit5.StartStop;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import okio.Buffer;
import okio.BufferedSink;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What may stand where the service is expected. Each ends in an error that says what to check,
 * before the deadline of the call, and with nothing secret in it.
 */
final class HostileServersIT {
  /** Of a call that ends by its deadline alone. */
  private static final Duration SHORT = Duration.ofSeconds(2);

  /** Of the others; a slow machine needs seconds for a handshake. */
  private static final Duration LONG = Duration.ofSeconds(20);

  private Duration whole = LONG;
  private static final String HTML = "<html><title>Log in</title>MARKER</html>";

  @StartStop final MockWebServer server = new MockWebServer();

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      emptyValue = "",
      textBlock =
          """
          # what | error | obstacle | what to check
          an endless body                     | Malformed   | ''                    | URL and the proxy
          an endless body of an error         | Malformed   | ''                    | URL and the proxy
          a page to log in                    | Malformed   | ''                    | URL and the proxy
          JSON that is cut                    | Malformed   | ''                    | URL and the proxy
          an empty body                       | Malformed   | ''                    | URL and the proxy
          JSON of something else              | Malformed   | ''                    | URL and the proxy
          a body that drips                   | Unavailable | UNKNOWN               | host and port of the URL
          headers and then nothing            | Unavailable | UNKNOWN               | host and port of the URL
          no answer                           | Unavailable | UNKNOWN               | host and port of the URL
          a registration that does not answer | Unavailable | UNKNOWN               | host and port of the URL
          another protocol                    | Unavailable | OTHER_PROTOCOL        | scheme and port of the URL
          http at the port of https           | Unavailable | OTHER_PROTOCOL        | scheme and port of the URL
          https at the port of http           | Unavailable | OTHER_PROTOCOL        | scheme and port of the URL
          a closed port                       | Unavailable | CONNECTION_REFUSED    | host and port of the URL
          a host without an address           | Unavailable | HOST_UNKNOWN          | name server
          an authority that is not trusted    | Unavailable | CERTIFICATE_UNTRUSTED | trust its authority
          a certificate that has expired      | Unavailable | CERTIFICATE_EXPIRED   | renew the certificate
          a certificate of another host       | Unavailable | CERTIFICATE_OF_OTHER_HOST | host of the URL
          a port of https that says so        | Unavailable | OTHER_PROTOCOL        | scheme and port of the URL
          a host that leads to https          | Unavailable | OTHER_PROTOCOL        | scheme and port of the URL
          a proxy that refuses credentials    | Unavailable | PROXY                 | credentials of the proxy
          a proxy that is not there           | Unavailable | PROXY                 | host, port
          a proxy that has no way             | Unavailable | PROXY                 | proxy
          """)
  void isReported(String what, String error, String obstacle, String check) throws IOException {
    whole = "UNKNOWN".equals(obstacle) ? SHORT : LONG;
    var stub = new StubService(server);
    try (var raw = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      var settings = settings(what, stub, raw);
      var service = stub.connect(settings);
      var begin = System.nanoTime();
      var failure =
          catchThrowableOfType(ServiceException.class, () -> service.scaleSet(new ScaleSetId(7)));
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .as("at its deadline, with time for a slow machine")
          .isLessThan(whole.plusSeconds(20));
      assertThat(failure.error().getClass().getSimpleName()).isEqualTo(error);
      if (failure.error() instanceof ServiceError.Unavailable unavailable) {
        assertThat(unavailable.obstacle()).isEqualTo(Obstacle.valueOf(obstacle));
      }
      assertThat(failure).hasMessageContaining(check).hasMessageNotContaining("MARKER");
      assertThat(failure).as("words for users").hasMessageNotContaining("Exception");
      assertThat(failure.error().advice()).contains(check);
    }
  }

  private ServiceSettings settings(String what, StubService stub, ServerSocket raw)
      throws IOException {
    var answer = new MockResponse.Builder();
    switch (what) {
      case "an endless body" -> stub.then(answer.body(new Endless()).build());
      case "an endless body of an error" -> stub.then(answer.code(500).body(new Endless()).build());
      case "a page to log in" ->
          stub.then(answer.setHeader("Content-Type", "text/html").body(HTML).build());
      case "JSON that is cut" -> stub.then(200, "{\"id\":7,\"name\":\"MARKER");
      case "an empty body" -> stub.then(200, "");
      case "JSON of something else" -> stub.then(200, "{\"access_token\":\"MARKER\"}");
      case "a body that drips" ->
          stub.then(
              answer
                  .body("{\"id\":7}" + " ".repeat(60))
                  .throttleBody(1, 1, TimeUnit.SECONDS)
                  .build());
      case "headers and then nothing" ->
          stub.then(answer.body("{\"id\":7}").bodyDelay(60, TimeUnit.SECONDS).build());
      case "no answer" -> stub.then(answer.headersDelay(60, TimeUnit.SECONDS).build());
      case "a registration that does not answer" ->
          stub.registration = _ -> answer.headersDelay(60, TimeUnit.SECONDS).build();
      case "https at the port of http" -> present(certificate("localhost"));
      case "an authority that is not trusted" -> {
        present(certificate(server.getHostName()));
        return at(stub, stub.url("/my-org"));
      }
      case "a certificate that has expired" -> {
        var authority = new HeldCertificate.Builder().certificateAuthority(0).build();
        var end = StubService.NOW.minus(Duration.ofDays(30)).toEpochMilli();
        present(
            new HeldCertificate.Builder()
                .signedBy(authority)
                .addSubjectAlternativeName(server.getHostName())
                .validityInterval(0, end)
                .build());
        return trusting(stub, authority);
      }
      case "a certificate of another host" -> {
        var other = certificate("other.example");
        present(other);
        return trusting(stub, other);
      }
      case "another protocol" -> {
        speak(raw, "SSH-2.0-MARKER\r\n");
        return at(stub, "http://127.0.0.1:" + raw.getLocalPort() + "/my-org");
      }
      case "http at the port of https" -> {
        speak(raw, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n");
        return at(stub, "https://127.0.0.1:" + raw.getLocalPort() + "/my-org");
      }
      case "a port of https that says so" -> {
        speak(raw, "HTTP/1.0 400 Bad Request\r\n\r\nMARKER sent an HTTP request to HTTPS\n");
        return at(stub, "http://127.0.0.1:" + raw.getLocalPort() + "/my-org");
      }
      case "a host that leads to https" -> {
        speak(raw, "HTTP/1.1 301 Moved\r\nLocation: https://127.0.0.1/x\r\n\r\n");
        return at(stub, "http://127.0.0.1:" + raw.getLocalPort() + "/my-org");
      }
      case "a closed port" -> {
        return at(stub, "http://127.0.0.1:" + FreePort.find() + "/my-org");
      }
      case "a host without an address" -> {
        return at(stub, "https://service.invalid/my-org");
      }
      case "a proxy that refuses credentials" -> {
        speak(raw, "HTTP/1.1 407 MARKER\r\nProxy-Authenticate: Basic realm=\"MARKER\"\r\n\r\n");
        return proxied(stub, raw.getLocalPort());
      }
      case "a proxy that has no way" -> {
        speak(raw, "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");
        return proxied(stub, raw.getLocalPort());
      }
      case "a proxy that is not there" -> {
        return proxied(stub, FreePort.find());
      }
      default -> throw new IllegalArgumentException(what);
    }
    return what.equals("https at the port of http")
        ? at(stub, "http://127.0.0.1:" + server.getPort() + "/my-org")
        : at(stub, stub.url("/my-org"));
  }

  /** One attempt, within that time by the clock of this machine. */
  private ServiceSettings at(StubService stub, String url) {
    return TransportIT.settings(stub, url)
        .withRetry(RetryRules.NONE)
        .withTimeouts(
            new Timeouts(whole, whole.plusSeconds(60), whole, whole.plusSeconds(60), whole));
  }

  private ServiceSettings trusting(StubService stub, HeldCertificate authority) {
    return at(stub, stub.url("/my-org"))
        .withTrustedAuthorities(TrustedAuthorities.fromPem(authority.certificatePem()));
  }

  private ServiceSettings proxied(StubService stub, int port) {
    var proxy =
        new ProxySetting.Server(URI.create("http://127.0.0.1:" + port), "me", "MARKER-PASSWORD");
    return at(stub, "https://service.invalid/my-org")
        .withProxy(new ProxySetting(proxy, proxy, List.of(), false));
  }

  private void present(HeldCertificate certificate) {
    server.useHttps(
        new HandshakeCertificates.Builder()
            .heldCertificate(certificate)
            .build()
            .sslSocketFactory());
  }

  private static HeldCertificate certificate(String host) {
    return new HeldCertificate.Builder().addSubjectAlternativeName(host).build();
  }

  /** Says the words to each who connects, once he has said something, until the socket closes. */
  private static void speak(ServerSocket socket, String words) {
    Thread.ofVirtual()
        .start(() -> {
          try {
            while (true) {
              greet(socket.accept(), words);
            }
          } catch (IOException e) {
            return; // closed, at the end of the test
          }
        });
  }

  private static void greet(Socket peer, String words) throws IOException {
    try (peer) {
      var unused = peer.getInputStream().read(new byte[8_192]);
      peer.getOutputStream().write(words.getBytes(US_ASCII));
    }
  }

  /** Of 10 GB by its header, and more in fact. */
  private static final class Endless implements MockResponseBody {
    @Override
    public long getContentLength() {
      return 10_000_000_000L;
    }

    @Override
    public void writeTo(BufferedSink sink) throws IOException {
      var spaces = new Buffer().writeUtf8(" ".repeat(8_192));
      while (true) {
        sink.write(spaces.clone(), spaces.size());
      }
    }
  }
}
