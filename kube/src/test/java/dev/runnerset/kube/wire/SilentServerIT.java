package dev.runnerset.kube.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.simulator.network.TcpProxy;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of requests and watches when the other end of a connection is gone unheard. */
final class SilentServerIT {
  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final HeldCertificate CERTIFICATE =
      new HeldCertificate.Builder().addSubjectAlternativeName("127.0.0.1").build();

  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private ServerSocket server;
  private volatile boolean answers = true;

  @BeforeEach
  void listen() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual()
        .start(() -> {
          while (!server.isClosed()) {
            try {
              var socket = server.accept();
              open.add(socket);
              Thread.ofVirtual().start(() -> serve(socket));
            } catch (IOException e) {
              // closed
            }
          }
        });
  }

  @AfterEach
  void close() throws IOException {
    server.close();
    for (var socket : open) {
      socket.close();
    }
  }

  @Test
  void aRequestWithoutAnswerEndsAndTheNextOneGoesOverANewConnection() throws Exception {
    try (var http = client(Duration.ofSeconds(2))) {
      assertThat(get(http, "/a").get(20, TimeUnit.SECONDS).code()).isEqualTo(200);
      answers = false;

      assertThat(failure(get(http, "/api/v1/pods"))).isInstanceOf(SocketTimeoutException.class);
      answers = true;

      assertThat(get(http, "/b").get(20, TimeUnit.SECONDS).code()).isEqualTo(200);
      assertThat(open).hasSize(2);
    }
  }

  @Test
  void aRequestOfALeaseIsGivenUpSoonerThanItsCallerWants() throws Exception {
    try (var http = client(Duration.ofMinutes(1))) {
      answers = false;
      var lease = url("/apis/coordination.k8s.io/v1/namespaces/a/leases/b");
      var request = http.newHttpRequestBuilder().uri(lease).timeout(1, TimeUnit.MINUTES).build();
      long begin = System.nanoTime();

      assertThat(failure(http.sendAsync(request, String.class)))
          .isInstanceOf(SocketTimeoutException.class);
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isLessThan(WakefulHttpClients.LEASE_TIMEOUT.multipliedBy(4));
    }
  }

  @Test
  void aStreamGoesOnForLongerThanARequest() throws Exception {
    try (var http = client(Duration.ofMillis(500))) {
      answers = false;
      var stream = get(http, "/api/v1/pods?watch=true");

      assertThatThrownBy(() -> stream.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
    }
  }

  @Test
  void aSilentWatchIsEnded() throws Exception {
    try (var http = client(Duration.ofMinutes(1))) {
      var ended = new CompletableFuture<Throwable>();
      var _ = watch(http, ended);
      answers = false;

      assertThat(ended.get(20, TimeUnit.SECONDS)).hasMessageContaining("didn't receive pong");
    }
  }

  @Test
  void aWatchWithoutNewsStaysWhileItsPingsAreAnswered() throws Exception {
    try (var http = client(Duration.ofSeconds(1))) {
      var ended = new CompletableFuture<Throwable>();
      var watch = watch(http, ended);
      var quiet = ended.completeOnTimeout(null, LIMIT.toMillis() * 3, TimeUnit.MILLISECONDS);

      assertThat(quiet.get()).isNull();
      assertThat(open).hasSize(1);
      assertThat(watch.sendClose(1000, null)).isTrue();
    }
  }

  @Test
  void aWatchThatIsNotOpenedInTimeIsGivenUp() throws Exception {
    try (var http = client(LIMIT)) {
      answers = false;

      assertThat(failure(opening(http, new CompletableFuture<>())))
          .isInstanceOf(SocketTimeoutException.class);
    }
  }

  /** OkHttp would send it again at once. */
  @Test
  void aWriteIsSentOnceWhateverTheAnswerAsksFor() throws Exception {
    try (var busy = new MockWebServer();
        var http = client(Duration.ofMinutes(1))) {
      busy.enqueue(new MockResponse.Builder().code(503).addHeader("Retry-After", "0").build());
      busy.enqueue(new MockResponse.Builder().code(200).build());
      busy.start();
      var url = "http://127.0.0.1:" + busy.getPort() + "/api/v1/pods";
      var request = http.newHttpRequestBuilder().uri(url).method("POST", "a/b", "{}").build();

      assertThat(http.sendAsync(request, String.class).get(20, TimeUnit.SECONDS).code())
          .isEqualTo(503);
      assertThat(busy.getRequestCount()).isOne();
    }
  }

  /** The proxy acknowledges all bytes, so the kernel has no doubt. */
  @Test
  void requestsThatAreUnderWayOnHttp2FailOnceAPingIsNotAnswered() throws Exception {
    try (var tls = http2();
        var proxy = TcpProxy.before(tls.getPort());
        var http = client(Duration.ofMinutes(1), LIMIT)) {
      var write = patch(http, proxy, "/api/v1/pods");
      assertThat(tls.takeRequest(20, TimeUnit.SECONDS)).isNotNull();
      assertThat(proxy.freezeAll()).isEqualTo(1);

      assertThat(failure(write)).isInstanceOf(IOException.class);
      assertThat(patch(http, proxy, "/b").get(20, TimeUnit.SECONDS).code()).isEqualTo(200);
    }
  }

  /** A second attempt may be sent before the silence is certain. */
  @Test
  void aLeaseIsRenewedOverANewConnectionBeforeAnyPingIsDue() throws Exception {
    try (var tls = http2();
        var proxy = TcpProxy.before(tls.getPort());
        var http = client(Duration.ofMinutes(1), Duration.ofHours(1))) {
      var lease = "/apis/coordination.k8s.io/v1/namespaces/a/leases/b";
      var first = patch(http, proxy, lease);
      assertThat(tls.takeRequest(20, TimeUnit.SECONDS)).isNotNull();
      proxy.freezeAll();

      assertThat(failure(first)).isInstanceOf(SocketTimeoutException.class);
      var codes = new ArrayList<Integer>();
      for (int attempt = 2; attempt <= 3; attempt++) {
        codes.add(
            patch(http, proxy, lease)
                .handle((answer, _) -> answer == null ? 0 : answer.code())
                .get(20, TimeUnit.SECONDS));
      }
      assertThat(codes).endsWith(200);
    }
  }

  /** Answers the second request and later ones. */
  private static MockWebServer http2() throws IOException {
    var keys = new HandshakeCertificates.Builder().heldCertificate(CERTIFICATE).build();
    var tls = new MockWebServer();
    tls.useHttps(keys.sslSocketFactory());
    tls.enqueue(new MockResponse.Builder().headersDelay(1, TimeUnit.MINUTES).build());
    tls.enqueue(new MockResponse.Builder().code(200).build());
    tls.enqueue(new MockResponse.Builder().code(200).build());
    tls.start();
    return tls;
  }

  private static CompletableFuture<HttpResponse<String>> patch(
      HttpClient http, TcpProxy proxy, String path) {
    var url = "https://127.0.0.1:" + proxy.port() + path;
    var request = http.newHttpRequestBuilder().uri(url).method("PATCH", "a/b", "{}").build();
    return http.sendAsync(request, String.class);
  }

  private static Throwable failure(CompletableFuture<?> answer) throws Exception {
    return answer.handle((_, failure) -> failure.getCause()).get(30, TimeUnit.SECONDS);
  }

  private static HttpClient client(Duration timeout) {
    return client(timeout, LIMIT);
  }

  private static HttpClient client(Duration timeout, Duration ping) {
    var config = Config.empty();
    config.setRequestRetryBackoffLimit(0);
    config.setCaCertData(CERTIFICATE.certificatePem());
    HttpClient.Factory clients = new WakefulHttpClients(timeout, ping);
    return clients.newBuilder(config).build();
  }

  private WebSocket watch(HttpClient http, CompletableFuture<Throwable> ended) {
    return opening(http, ended).join();
  }

  private CompletableFuture<WebSocket> opening(
      HttpClient http, CompletableFuture<Throwable> ended) {
    return http.newWebSocketBuilder()
        .uri(URI.create(url("/api/v1/pods?watch=true")))
        .buildAsync(
            new WebSocket.Listener() {
              @Override
              public void onError(WebSocket socket, Throwable error) {
                ended.complete(error);
              }
            });
  }

  private CompletableFuture<HttpResponse<String>> get(HttpClient http, String path) {
    return http.sendAsync(http.newHttpRequestBuilder().uri(url(path)).build(), String.class);
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.getLocalPort() + path;
  }

  /** Answers requests, opens web sockets and answers their pings, as long as it answers at all. */
  private void serve(Socket socket) {
    try (socket) {
      var in = socket.getInputStream();
      for (var head = head(in); !head.isEmpty(); head = head(in)) {
        if (!answers) {
          continue;
        }
        var key = head.replaceFirst("(?is).*sec-websocket-key: *(\\S+).*", "$1");
        if (key.equals(head)) {
          socket
              .getOutputStream()
              .write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(US_ASCII));
        } else {
          socket.getOutputStream().write(upgrade(key).getBytes(US_ASCII));
          pongs(socket);
          return;
        }
      }
    } catch (IOException e) {
      // the client is gone
    }
  }

  private void pongs(Socket socket) throws IOException {
    var in = socket.getInputStream();
    while (in.read() >= 0) {
      int length = in.read() & 0x7f;
      in.readNBytes(4 + length); // mask and text
      if (answers) {
        socket.getOutputStream().write(new byte[] {(byte) 0x8a, 0});
      }
    }
  }

  private static String upgrade(String key) {
    try {
      var sha = MessageDigest.getInstance("SHA-1");
      var text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
      var accept = Base64.getEncoder().encodeToString(sha.digest(text.getBytes(US_ASCII)));
      return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Accept: "
          + accept
          + "\r\n\r\n";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The head of a request without a body; empty at the end. */
  private static String head(InputStream in) throws IOException {
    var head = ByteBuffer.allocate(16 * 1024);
    int next = in.read();
    while (next >= 0) {
      head.put((byte) next);
      var text = new String(head.array(), 0, head.position(), US_ASCII);
      if (text.endsWith("\r\n\r\n")) {
        return text;
      }
      next = in.read();
    }
    return "";
  }
}
