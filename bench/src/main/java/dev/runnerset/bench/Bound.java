package dev.runnerset.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.CreateScaleSetResult;
import dev.runnerset.actions.Credentials;
import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.PollResult;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.http.AllowedHosts;
import dev.runnerset.actions.http.ServiceSettings;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509TrustManager;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/**
 * The bound: a program without operator and cache, which does for each assigned job the writes that
 * the two programs do, on the same objects, and nothing else. It holds a message session, one watch
 * of pods, and a thread for each runner. It ends with its standard input.
 *
 * <p>It is no product: what fails ends it.
 */
final class Bound {
  /** What a name and an uid stand for in the shapes. */
  static final String NAME = "@NAME@";

  static final String UID = "@UID@";
  static final String JIT_CONFIG = "@JIT@";
  static final String RUNNER_ID = "@RUNNER-ID@";
  static final String AGENT = "runnerset-bound";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String MERGE = "application/merge-patch+json";
  private static final int CAPACITY = 2_000;

  /** Requests at a time; more would only wait in the API server. */
  private static final int AT_ONCE = 64;

  private final Order order;
  private final ActionsService service;
  private final OkHttpClient http;
  private final Semaphore turns = new Semaphore(AT_ONCE, true);
  private final Map<String, Run> runByName = new ConcurrentHashMap<>();

  /**
   * What it is to do.
   *
   * @param server the URL of the API server, with a slash at its end
   * @param authority the certificate of its authority, as PEM in Base64
   * @param set the name of the scale set that it makes, and of whose runners the names begin with
   */
  record Order(
      String server,
      String authority,
      String token,
      String configUrl,
      String serviceToken,
      String namespace,
      String set,
      Shapes shapes) {}

  /** What one runner's thread waits for. */
  private record Run(CompletableFuture<Void> running, CompletableFuture<Void> ended) {}

  private Bound(Order order) throws GeneralSecurityException, IOException {
    this.order = order;
    service =
        ServiceSettings.of(
                ConfigUrl.parse(order.configUrl()), new Credentials.Token(order.serviceToken()))
            .withAllowedHosts(AllowedHosts.of("127.0.0.1"))
            .connect();
    var trust = SSLUtils.trustManagers(order.authority(), null, false, null, null);
    var tls = SSLUtils.sslContext(new KeyManager[0], trust);
    http =
        new OkHttpClient.Builder()
            .sslSocketFactory(tls.getSocketFactory(), (X509TrustManager) trust[0])
            .readTimeout(Duration.ZERO)
            .build();
  }

  /** Does what the {@link Order} in the file says. */
  public static void main(String[] args) throws Exception {
    var bound = new Bound(JSON.readValue(Path.of(args[0]).toFile(), Order.class));
    Thread.ofPlatform().daemon().name("watch").start(bound::watch);
    Thread.ofPlatform().daemon().name("messages").start(() -> guarded(bound::listen));
    int _ = System.in.read();
    System.exit(0);
  }

  private void listen() {
    var wanted = new NewScaleSet(order.set(), RunnerGroupId.DEFAULT, List.of(order.set()));
    var set = (CreateScaleSetResult.Created) service.createScaleSet(wanted);
    var id = set.scaleSet().id();
    var session = ((OpenSessionResult.Opened) service.openSession(id, AGENT)).session();
    long last = 0;
    for (int made = 0; true; ) {
      if (session.poll(last, CAPACITY) instanceof PollResult.Message message) {
        last = message.messageId();
        for (var event : message.events()) {
          if (event instanceof JobEvent.JobAssigned) {
            var name = order.set() + "-" + ++made;
            Thread.startVirtualThread(() -> guarded(() -> live(id, name)));
          }
        }
        session.acknowledge(last);
      }
    }
  }

  private static void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  /** One runner from its first write to its last. */
  private void live(ScaleSetId id, String name) {
    var run =
        runByName.computeIfAbsent(
            name, _ -> new Run(new CompletableFuture<>(), new CompletableFuture<>()));
    var shapes = order.shapes();
    var runners =
        "apis/runnerset.dev/v1alpha1/namespaces/" + order.namespace() + "/ephemeralrunners";
    var core = "api/v1/namespaces/" + order.namespace();
    var runner = runners + "/" + name;
    var uid = uid(send("POST", runners, shapes.runner().replace(NAME, name)));
    var registered = (JitConfigResult.Registered) service.generateJitConfig(id, name, "");
    var number = Long.toString(registered.runner().id().value());
    var jit = Base64.getEncoder().encodeToString(registered.config().encoded().getBytes(UTF_8));
    var secret = shapes.secret().replace(NAME, name).replace(UID, uid).replace(JIT_CONFIG, jit);
    send("POST", core + "/secrets", secret.replace(RUNNER_ID, number));
    var pod = shapes.pod().replace(NAME, name).replace(UID, uid).replace(RUNNER_ID, number);
    send("POST", core + "/pods", pod);
    run.running().join();
    var running = shapes.running().replace(NAME, name).replace(RUNNER_ID, number);
    send("PATCH", runner + "/status", running);
    send("PATCH", runner + "/status", shapes.busy());
    run.ended().join();
    send("PATCH", runner + "/status", shapes.completed());
    send("DELETE", runner, "{\"preconditions\":{\"uid\":\"" + uid + "\"}}");
    send("PATCH", runner, "{\"metadata\":{\"finalizers\":null}}");
    runByName.remove(name);
  }

  private static String uid(String object) {
    try {
      return JSON.readTree(object).at("/metadata/uid").asText();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String send(String verb, String path, String body) {
    var type = verb.equals("PATCH") ? MERGE : "application/json";
    var request = request(path).method(verb, RequestBody.create(body, MediaType.get(type))).build();
    turns.acquireUninterruptibly();
    try (Response response = http.newCall(request).execute()) {
      var answer = response.body().string();
      if (!response.isSuccessful()) {
        throw new IllegalStateException(verb + " " + path + ": " + answer);
      }
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(verb + " " + path, e);
    } finally {
      turns.release();
    }
  }

  private Request.Builder request(String path) {
    return new Request.Builder()
        .url(order.server() + path)
        .header("Authorization", "Bearer " + order.token())
        .header("User-Agent", AGENT);
  }

  /** Follows the pods; the API server ends a watch from time to time. */
  private void watch() {
    var path = "api/v1/namespaces/" + order.namespace() + "/pods?watch=true";
    while (true) {
      try (var response = http.newCall(request(path).build()).execute()) {
        var lines = response.body().source();
        for (var line = lines.readUtf8Line(); line != null; line = lines.readUtf8Line()) {
          see(JSON.readTree(line).path("object"));
        }
      } catch (IOException e) {
        System.err.println("watch of pods: " + e);
      }
    }
  }

  private void see(JsonNode pod) {
    var run = runByName.get(pod.path("metadata").path("name").asText());
    var phase = pod.path("status").path("phase").asText();
    if (run != null && !phase.equals("Pending")) {
      run.running().complete(null);
      if (!phase.equals("Running")) {
        run.ended().complete(null);
      }
    }
  }
}
