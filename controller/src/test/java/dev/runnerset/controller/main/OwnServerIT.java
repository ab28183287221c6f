package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.runnerset.testcluster.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What a set says when the server of its own, or the way there, cannot be used, each with what to
 * change.
 */
class OwnServerIT {
  private static final String PASSWORD = "marker-proxy-pw";
  private static final ControllerWorld WORLD = new ControllerWorld();
  private static final HeldCertificate AUTHORITY =
      new HeldCertificate.Builder().commonName("company").certificateAuthority(0).build();

  @BeforeAll
  static void start() {
    WORLD.start();
  }

  @AfterAll
  static void stop() {
    WORLD.close();
  }

  /** Made, and then said of its registration. */
  private static String said(String name, String url, String reason, String... fields) {
    WORLD.createAt(url, name, fields);
    WORLD.awaitCondition(name, "Registered", "False", reason);
    WORLD.awaitCondition(name, "Ready", "False", reason);
    var message = WORLD.condition(name, "Registered").orElseThrow().getMessage();
    assertThat(message).doesNotContain(PASSWORD, ControllerWorld.TOKEN);
    return message;
  }

  @Test
  void aPortAtWhichNobodyListens() throws IOException {
    int port = FreePort.find();
    assertThat(said("closed", "https://127.0.0.1:" + port + "/my-org", "ConnectionRefused"))
        .contains("check host and port in spec.githubConfigUrl");
  }

  @Test
  void aPortThatSpeaksHttpWithoutTls() {
    var url = WORLD.url().replace("http:", "https:");
    assertThat(said("plain", url, "ServiceUnavailable"))
        .contains("check the port in spec.githubConfigUrl");
  }

  @Test
  void aPortThatSpeaksSomethingElse() throws IOException {
    try (var banner = new Listening("SSH-2.0-OpenSSH_9.6\r\n")) {
      assertThat(said("ssh", "http://127.0.0.1:" + banner.port() + "/my-org", "ServiceUnavailable"))
          .contains("check the port in spec.githubConfigUrl")
          .doesNotContain("OpenSSH");
    }
  }

  @Test
  void anOrganizationThatTheServerDoesNotKnow() {
    assertThat(said("unknown", WORLD.url().replace("my-org", "no-org"), "NotFound"))
        .contains("The owner does not exist", "spec.githubConfigUrl");
  }

  @Test
  void anAuthorityThatIsNotNamed() throws IOException {
    try (var server = new Listening(server(b -> b.addSubjectAlternativeName("127.0.0.1")))) {
      assertThat(said("no-ca", server.url(), "CertificateNotTrusted"))
          .contains("name that of its authority in spec.githubServerTLS");
    }
  }

  @Test
  void aCertificateThatHasExpired() throws IOException {
    var expired =
        server(b -> b.addSubjectAlternativeName("127.0.0.1").validityInterval(0, 1_000_000));
    try (var server = new Listening(expired)) {
      assertThat(said("expired", server.url(), "CertificateNotTrusted", trusting("expired")))
          .startsWith("The server's certificate, or one that signed it, has expired")
          .doesNotContain("Exception");
    }
  }

  @Test
  void aCertificateOfAnotherHost() throws IOException {
    try (var server = new Listening(server(b -> b.addSubjectAlternativeName("other.example")))) {
      assertThat(said("other-host", server.url(), "CertificateNotTrusted", trusting("other-host")))
          .contains("the host in spec.githubConfigUrl must be one that the certificate names");
    }
  }

  @Test
  void aProxyThatRefusesItsCredentials() throws IOException {
    var proxy = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    proxy.createContext(
        "/",
        exchange -> {
          exchange.getResponseHeaders().add("Proxy-Authenticate", "Basic realm=\"company\"");
          exchange.sendResponseHeaders(407, -1);
          exchange.close();
        });
    proxy.start();
    try {
      WORLD.secret("proxy", "username: me, password: " + PASSWORD);
      assertThat(
              said(
                  "proxied",
                  WORLD.url().replace("127.0.0.1", "localhost"),
                  "ProxyFailed",
                  "proxy: {http: {url: 'http://127.0.0.1:%d', credentialSecretRef: {name: proxy}}}"
                      .formatted(proxy.getAddress().getPort())))
          .contains("check spec.proxy, the secret of its credentials");
    } finally {
      proxy.stop(0);
    }
  }

  /** The certificate of a server that the authority of the company signed. */
  private static HeldCertificate server(UnaryOperator<HeldCertificate.Builder> more) {
    return more.apply(new HeldCertificate.Builder().commonName("server").signedBy(AUTHORITY))
        .build();
  }

  /** The field of a set that names the company's authority, with its config map. */
  private static String trusting(String name) {
    WORLD.api.apply(
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s, namespace: default}, data: {ca.crt: \"%s\"}}"
            .formatted(name, AUTHORITY.certificatePem().replace("\n", "\\n")));
    return "githubServerTLS: {certificateFrom: {configMapKeyRef: {name: %s, key: ca.crt}}}"
        .formatted(name);
  }

  /** A port that greets with some bytes, or asks for TLS; then it closes the connection. */
  private static final class Listening implements AutoCloseable {
    private final ServerSocket socket;
    private final String greeting;

    Listening(String greeting) throws IOException {
      this(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), greeting);
    }

    Listening(HeldCertificate certificate) throws IOException {
      this(
          new HandshakeCertificates.Builder()
              .heldCertificate(certificate, AUTHORITY.certificate())
              .build()
              .sslContext()
              .getServerSocketFactory()
              .createServerSocket(0, 50, InetAddress.getLoopbackAddress()),
          "");
    }

    private Listening(ServerSocket socket, String greeting) {
      this.socket = socket;
      this.greeting = greeting;
      Thread.ofVirtual().start(this::serve);
    }

    int port() {
      return socket.getLocalPort();
    }

    String url() {
      return "https://127.0.0.1:" + port() + "/my-org";
    }

    private void serve() {
      while (!socket.isClosed()) {
        try (var accepted = socket.accept()) {
          greet(accepted);
        } catch (IOException e) {
          // the client does not trust the certificate, or the test is over
        }
      }
    }

    private void greet(Socket accepted) throws IOException {
      accepted.getOutputStream().write(greeting.getBytes(StandardCharsets.US_ASCII));
      accepted.getOutputStream().flush();
      accepted.setSoTimeout((int) TimeUnit.SECONDS.toMillis(1));
      var _ = accepted.getInputStream().read();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
