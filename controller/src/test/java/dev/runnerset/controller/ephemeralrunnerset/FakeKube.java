package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.kube.KubeApi;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** An API server that stores what is posted, and that can refuse or lose its answers. */
final class FakeKube {
  /** What becomes of a POST; the default stores it and answers. */
  enum Fate {
    STORED,
    STORED_BUT_ANSWER_LOST,
    /** Something on the way sent it twice: the name exists. */
    STORED_TWICE,
    LOST,
    /** No answer; stored by {@link #carryOutLate}. */
    LATE,
    STORED_BY_ANOTHER,
    REFUSED
  }

  final ArrayDeque<Fate> fates = new ArrayDeque<>();
  final Map<String, String> storedByPath = new HashMap<>();
  final List<String> requests = new ArrayList<>();
  private final Map<String, String> lateByPath = new HashMap<>();
  final List<String> deletes = new ArrayList<>(); // their bodies
  int changedSince; // so many deletes find their object changed
  int failing; // so many deletes fail after that
  Runnable beforeAnswer = () -> {}; // on the thread of the request
  private @Nullable HttpClient http;
  private final KubernetesSerialization serialization = new KubernetesSerialization();
  private final Config config =
      new ConfigBuilder(Config.empty()).withMasterUrl("http://server.invalid/").build();

  private record Answer(int code, byte[] body) {}

  /** A client with other tags, which this one has none of. */
  private HttpClient.DerivedClientBuilder derived() {
    return fake(
        HttpClient.DerivedClientBuilder.class,
        (method, args) -> method.equals("build") ? http : derived());
  }

  KubeApi api() {
    http =
        fake(
            HttpClient.class,
            (method, args) ->
                switch (method) {
                  case "newHttpRequestBuilder" -> new StandardHttpRequest.Builder();
                  case "sendAsync" -> {
                    beforeAnswer.run();
                    yield answer((HttpRequest) args[0]);
                  }
                  case "newBuilder" -> derived();
                  default -> throw new IllegalStateException(method);
                });
    return new KubeApi(
        fake(
            KubernetesClient.class,
            (method, args) ->
                switch (method) {
                  case "getConfiguration" -> config;
                  case "getHttpClient" -> http;
                  case "getKubernetesSerialization" -> serialization;
                  default -> throw new IllegalStateException(method);
                }));
  }

  private interface Behaviour {
    Object call(String method, Object[] args);
  }

  private static <T> T fake(Class<T> type, Behaviour behaviour) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, args) -> behaviour.call(method.getName(), args)));
  }

  private synchronized CompletableFuture<HttpResponse<byte[]>> answer(HttpRequest request) {
    requests.add(request.method());
    var path = request.uri().getPath();
    if (request.method().equals("GET")) {
      var found = storedByPath.get(path);
      return found == null ? response(404, "") : response(200, found);
    }
    var body = ((StandardHttpRequest) request).bodyString();
    if (request.method().equals("DELETE")) {
      deletes.add(body);
      return changedSince-- > 0
          ? response(409, "changed")
          : failing-- > 0 ? response(500, "no") : response(200, "{}");
    }
    var name = serialization.unmarshal(body, dev.runnerset.crds.EphemeralRunner.class);
    var at = path + "/" + name.getMetadata().getName();
    var fate = fates.isEmpty() ? Fate.STORED : fates.poll();
    boolean taken = storedByPath.containsKey(at);
    return switch (fate) {
      case REFUSED -> response(403, "quota");
      case LOST -> CompletableFuture.failedFuture(new IOException("connection reset"));
      case STORED_BUT_ANSWER_LOST -> {
        storedByPath.putIfAbsent(at, body);
        yield CompletableFuture.failedFuture(new IOException("connection reset"));
      }
      case STORED_TWICE -> {
        storedByPath.putIfAbsent(at, body);
        yield response(409, "exists");
      }
      case LATE -> {
        lateByPath.put(at, body);
        yield CompletableFuture.failedFuture(new IOException("connection reset"));
      }
      case STORED_BY_ANOTHER -> {
        storedByPath.put(at, body.replace("uid-of-set", "uid-of-another"));
        yield response(500, "");
      }
      case STORED -> {
        storedByPath.putIfAbsent(at, body);
        yield taken ? response(409, "exists") : response(201, body);
      }
    };
  }

  /** Stores each object whose request nobody waits for any more, if its name is free. */
  synchronized void carryOutLate() {
    lateByPath.forEach(storedByPath::putIfAbsent);
    lateByPath.clear();
  }

  private static CompletableFuture<HttpResponse<byte[]>> response(int code, String text) {
    var answer = new Answer(code, text.getBytes(StandardCharsets.UTF_8));
    @SuppressWarnings("unchecked") // a proxy knows no type arguments
    HttpResponse<byte[]> response =
        fake(
            HttpResponse.class,
            (method, args) ->
                switch (method) {
                  case "code" -> answer.code();
                  case "body" -> answer.body();
                  case "previousResponse" -> Optional.empty();
                  default -> throw new IllegalStateException(method);
                });
    return CompletableFuture.completedFuture(response);
  }
}
