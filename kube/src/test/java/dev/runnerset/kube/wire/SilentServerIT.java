package dev.runnerset.kube.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of requests and watches when the other end of a connection is gone unheard. */
final class SilentServerIT {
  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final Pings PINGS = new Pings(Duration.ofMillis(200), LIMIT);

  private final AtomicInteger clients = new AtomicInteger();
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
  void aRequestWithoutAnswerEndsAndTheNextOneGoesOverANewClient() throws Exception {
    try (var http = client(Duration.ofSeconds(2))) {
      awaitAnswer(http);
      answers = false;

      assertThatThrownBy(() -> http.send(get("/api/v1/pods"), BodyHandlers.ofString()))
          .isInstanceOf(HttpTimeoutException.class);
      answers = true;

      awaitAnswer(http);
      assertThat(clients).hasValue(2);
    }
  }

  @Test
  void aRequestOfALeaseIsGivenUpSoonerThanItsCallerWants() {
    try (var http = client(Duration.ofMinutes(1))) {
      answers = false;
      var lease = URI.create(url("http", "/apis/coordination.k8s.io/v1/namespaces/a/leases/b"));
      var request = HttpRequest.newBuilder(lease).timeout(Duration.ofMinutes(1)).build();
      long begin = System.nanoTime();

      assertThatThrownBy(() -> http.send(request, BodyHandlers.ofString()))
          .isInstanceOf(HttpTimeoutException.class);
      assertThat(Duration.ofNanos(System.nanoTime() - begin))
          .isLessThan(RenewedHttpClient.LEASE_TIMEOUT.multipliedBy(4));
    }
  }

  @Test
  void aSilentWatchIsEndedAndLaterRequestsGoOverANewClient() throws Exception {
    try (var http = client(Duration.ofMinutes(1))) {
      var ended = new CompletableFuture<Throwable>();
      var _ = watch(http, ended);
      answers = false;

      assertThat(ended.get(20, TimeUnit.SECONDS)).hasMessageContaining("no answer to a ping");
      assertThat(clients).hasValue(2);
    }
  }

  @Test
  void requestsThatAreUnderWayFailOnceAPingIsNotAnswered() throws Exception {
    try (var http = client(Duration.ofMinutes(1))) {
      var _ = watch(http, new CompletableFuture<>());
      answers = false;

      var request = http.sendAsync(get("/api/v1/pods"), BodyHandlers.ofString());

      assertThat(request.handle((answer, failure) -> failure).get(20, TimeUnit.SECONDS))
          .isInstanceOf(HttpTimeoutException.class)
          .hasMessage("no answer, nor to a ping of a watch");
    }
  }

  @Test
  void requestsOfALaterClientFailToo() throws Exception {
    try (var http = client(Duration.ofMinutes(1))) {
      var _ = watch(http, new CompletableFuture<>());
      awaitAnswer(http);
      answers = false;
      var brief = HttpRequest.newBuilder(get("/a").uri()).timeout(Duration.ofMillis(100)).build();
      assertThatThrownBy(() -> http.send(brief, BodyHandlers.ofString()))
          .isInstanceOf(HttpTimeoutException.class);
      assertThat(clients).as("the watch is on the first").hasValue(2);

      var request = http.sendAsync(get("/api/v1/pods"), BodyHandlers.ofString());

      assertThat(request.handle((answer, failure) -> failure).get(20, TimeUnit.SECONDS))
          .hasMessage("no answer, nor to a ping of a watch");
      assertThat(clients).hasValue(3);
    }
  }

  @Test
  void aCallerThatCancelsARequestCancelsItOnTheWire() throws Exception {
    try (var http = client(Duration.ofMinutes(1))) {
      answers = false;
      var request = http.sendAsync(get("/api/v1/pods"), BodyHandlers.ofString());

      request.cancel(true);

      assertThat(http.awaitTermination(Duration.ZERO)).isFalse();
      http.shutdown();
      assertThat(http.awaitTermination(Duration.ofSeconds(20))).isTrue();
    }
  }

  @Test
  void aWatchWithoutNewsStaysWhileItsPingsAreAnswered() throws Exception {
    try (var http = client(Duration.ofMinutes(1))) {
      var ended = new CompletableFuture<Throwable>();
      var watch = watch(http, ended);
      var quiet = ended.completeOnTimeout(null, LIMIT.toMillis() * 2, TimeUnit.MILLISECONDS);

      assertThat(quiet.get()).isNull();
      assertThat(watch.isInputClosed()).isFalse();
      assertThat(clients).hasValue(1);
      watch.abort();
    }
  }

  /** The client has a connection then: a request that runs out of time later met silence on it. */
  private void awaitAnswer(HttpClient http) throws IOException, InterruptedException {
    var patient = HttpRequest.newBuilder(get("/b").uri()).timeout(Duration.ofSeconds(20)).build();
    assertThat(http.send(patient, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
  }

  private RenewedHttpClient client(Duration timeout) {
    return new RenewedHttpClient(
        () -> {
          clients.incrementAndGet();
          return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        },
        timeout,
        PINGS);
  }

  private WebSocket watch(HttpClient http, CompletableFuture<Throwable> ended) {
    return http.newWebSocketBuilder()
        .buildAsync(
            URI.create(url("ws", "/api/v1/pods?watch=true")),
            new WebSocket.Listener() {
              @Override
              public void onError(WebSocket socket, Throwable error) {
                ended.complete(error);
              }
            })
        .join();
  }

  private HttpRequest get(String path) {
    return HttpRequest.newBuilder(URI.create(url("http", path))).build();
  }

  private String url(String scheme, String path) {
    return scheme + "://127.0.0.1:" + server.getLocalPort() + path;
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
