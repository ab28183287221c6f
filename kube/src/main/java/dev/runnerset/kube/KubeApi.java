package dev.runnerset.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.base.ShortText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayInputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes to the API server, each with exactly one request: fabric8's own {@code patch} reads the
 * object first, which costs a request and needs a permission that the listener does not have. Every
 * call blocks for at most {@link #TIMEOUT_SECONDS} and is safe for concurrent use. A failure throws
 * {@link KubernetesClientException} with the server's code and status.
 *
 * <p>Not final: the random world (docs/adr/0040) plays the API server in its place.
 */
public class KubeApi {
  /** The longest a request may take. */
  public static final int TIMEOUT_SECONDS = 30;

  /**
   * The most objects of one answer to a list. Objects may have 1.5 MiB each, and an answer is read
   * at once.
   */
  public static final long PAGE = 25;

  /** The longest that reading a log may take. */
  public static final int LOG_SECONDS = 3;

  /** Of these, the longest that the second read may take. */
  private static final int LOG_AGAIN_SECONDS = 1;

  /** The most lines of a log. */
  static final int LOG_LINES = 40;

  /** The lines of a log where {@link #LOG_LINES} are too long together. */
  static final int LOG_FEW_LINES = 4;

  /** The most bytes of a log. */
  static final int LOG_BYTES = 16 * 1024;

  /** The longest part of a proxy's page in an error, in characters. */
  private static final int LONGEST_PAGE = 500;

  private static final int UNPROCESSABLE = 422;

  private static final String MERGE_PATCH = "application/merge-patch+json";
  private static final String JSON_PATCH = "application/json-patch+json";
  private static final String JSON = "application/json";

  /** A patch counts for one of so many in {@link #patchesTake}. */
  private static final int AVERAGED = 8;

  /** The most that one counts there: a single late answer says little. */
  private static final Duration COUNTED_AT_MOST = Duration.ofMillis(500);

  private final KubernetesClient client;
  private final LongSupplier nanoTime;
  private final AtomicLong patchNanos = new AtomicLong();

  /**
   * Requests go through the client's connection and with its identity. No time is measured: {@link
   * #patchesTake} is zero.
   */
  public KubeApi(KubernetesClient client) {
    this(client, () -> 0);
  }

  /**
   * Requests through that client; measures how long patches take.
   *
   * @param nanoTime a clock that no administrator sets, as {@link System#nanoTime}
   */
  public KubeApi(KubernetesClient client, LongSupplier nanoTime) {
    this.client = client;
    this.nanoTime = nanoTime;
  }

  /**
   * How long a patch of a status takes at present, from here and back: a moving average of those
   * that were answered well, each counted as half a second at most; zero before the first.
   */
  public Duration patchesTake() {
    return Duration.ofNanos(patchNanos.get());
  }

  /**
   * Creates the object; the answer is the stored one. One that is stored under another name, as a
   * mutating webhook may have it, is deleted at once and is a failure with the code 422: nobody
   * would find it again.
   */
  public <T extends HasMetadata> T create(T object) {
    @SuppressWarnings("unchecked") // the server answers with the kind that was sent
    var stored = (T) read(create(object, ""), object.getClass());
    var sent = object.getMetadata().getName();
    if (sent == null || sent.equals(stored.getMetadata().getName())) {
      return stored;
    }
    throw renamed(object, Resource.of(stored), Preconditions.uid(stored));
  }

  /** The stored object: created now, or the one that has the name already. */
  public <T extends HasMetadata> T createOrGet(Class<T> kind, T object) {
    try {
      return create(object);
    } catch (KubernetesClientException e) {
      var there = e.getCode() == 409 ? get(kind, Resource.of(object)) : null;
      if (there == null) {
        throw e;
      }
      return there;
    }
  }

  private KubernetesClientException renamed(
      HasMetadata sent, Resource stored, Preconditions wanted) {
    boolean deleted;
    try {
      deleted = delete(stored, wanted);
    } catch (KubernetesClientException e) {
      deleted = false;
    }
    return new KubernetesClientException(
        "the API server made the %s %s under the name %s, which %s: %s changes metadata.name; %s"
            .formatted(
                sent.getKind(),
                sent.getMetadata().getName(),
                stored.name(),
                deleted ? "was deleted again" : "is to be deleted",
                LostFields.CHANGED_BY,
                LostFields.ADVICE),
        UNPROCESSABLE,
        null);
  }

  /**
   * Asks the server whether it would take the object, without storing it.
   *
   * @return the object as the server would store it
   */
  public <T extends HasMetadata> JsonNode dryRunCreate(T object) {
    return read(create(object, "?dryRun=All"), JsonNode.class);
  }

  /** Like dryRunCreate(), but the server refuses a field that it does not know. */
  public <T extends HasMetadata> JsonNode strictDryRunCreate(T object) {
    return read(create(object, "?dryRun=All&fieldValidation=Strict"), JsonNode.class);
  }

  private <T extends HasMetadata> byte[] create(T object, String query) {
    var at = Resource.of(object);
    var body = client.getKubernetesSerialization().asJson(object);
    return send("POST", at.collectionPath() + query, JSON, body, at);
  }

  /**
   * Writes what differs between two values of the writer's own part of the status, by one merge
   * patch (WR2); nothing where they are equal.
   *
   * @return the stored object, or the given one if nothing was written
   */
  public <T extends HasMetadata, S> T writeStatus(T object, S before, S after) {
    return writeStatus(object, JsonNodeFactory.instance.objectNode(), before, after);
  }

  /** Like writeStatus(), but a 409 if the object has changed since it was read. */
  public <T extends HasMetadata, S> T writeStatusIfUnchanged(T object, S before, S after) {
    return writeStatus(object, MergePatch.ifUnchanged(object), before, after);
  }

  private <T extends HasMetadata, S> T writeStatus(T object, ObjectNode body, S before, S after) {
    @SuppressWarnings("unchecked") // the server answers with the kind that was sent
    var kind = (Class<T>) object.getClass();
    return MergePatch.between(before, after)
        .map(status -> mergeStatusBody(kind, Resource.of(object), body.set("status", status)))
        .orElse(object);
  }

  /** Merges into {@code /status}; null values clear. The answer is the stored object. */
  public <T extends HasMetadata> T mergeStatus(Class<T> kind, Resource at, JsonNode status) {
    return mergeStatusBody(kind, at, JsonNodeFactory.instance.objectNode().set("status", status));
  }

  /** A merge patch of {@code /status} with a whole body, as for a resourceVersion precondition. */
  public <T extends HasMetadata> T mergeStatusBody(Class<T> kind, Resource at, JsonNode body) {
    long begun = nanoTime.getAsLong();
    var answer = send("PATCH", at.path() + "/status", MERGE_PATCH, body.toString(), at);
    long took = Math.min(nanoTime.getAsLong() - begun, COUNTED_AT_MOST.toNanos());
    patchNanos.accumulateAndGet(took, (average, last) -> average + (last - average) / AVERAGED);
    return read(answer, kind);
  }

  /** A JSON patch of {@code /status}; a failing {@code test} is a 422. */
  public <T extends HasMetadata> T jsonPatchStatus(
      Class<T> kind, Resource at, JsonNode operations) {
    return read(send("PATCH", at.path() + "/status", JSON_PATCH, operations.toString(), at), kind);
  }

  /** A merge patch of the object itself. */
  public <T extends HasMetadata> T merge(Class<T> kind, Resource at, JsonNode body) {
    return read(send("PATCH", at.path(), MERGE_PATCH, body.toString(), at), kind);
  }

  /** Like merge(), but empty if the object is gone or has another uid or version than the body. */
  public <T extends HasMetadata> Optional<T> mergeIfThere(
      Class<T> kind, Resource at, JsonNode body) {
    try {
      return Optional.of(merge(kind, at, body));
    } catch (KubernetesClientException e) {
      throwUnlessGone(e);
      return Optional.empty();
    }
  }

  /** Reads the object from the server, or null when there is none. */
  public <T extends HasMetadata> @Nullable T get(Class<T> kind, Resource at) {
    try {
      return read(send("GET", at.path(), JSON, null, at), kind);
    } catch (KubernetesClientException e) {
      if (e.getCode() == 404) {
        return null;
      }
      throw e;
    }
  }

  /** All objects of the kind in the namespace that have the labels. */
  public <T extends HasMetadata> List<T> list(
      Class<T> kind, String namespace, Map<String, String> labels) {
    var matching = client.resources(kind).inNamespace(namespace).withLabels(labels);
    var all = new ArrayList<T>();
    String next = null;
    do {
      var page = matching.list(new ListOptionsBuilder().withLimit(PAGE).withContinue(next).build());
      all.addAll(page.getItems());
      next = page.getMetadata().getContinue();
    } while (next != null && !next.isEmpty());
    return all;
  }

  /**
   * Objects of the kind in the namespace by their fields, without those beyond {@code most}.
   *
   * @param fields a field selector, as {@code involvedObject.kind=Pod,reason!=Pulled}
   */
  public <T extends HasMetadata> List<T> first(
      Class<T> kind, String namespace, String fields, long most) {
    var options = new ListOptionsBuilder().withFieldSelector(fields).withLimit(most).build();
    return client.resources(kind).inNamespace(namespace).list(options).getItems();
  }

  /** Reads the object with all its fields, also those that this version does not know. */
  public JsonNode getWhole(Resource at) {
    return read(send("GET", at.path(), JSON, null, at), JsonNode.class);
  }

  /** The OpenAPI v3 document of a group and version, which any identity may read. */
  public JsonNode openApi(String groupAndVersion) {
    var at = new Resource("/openapi/v3/apis", "", groupAndVersion, "");
    return read(send("GET", at.apiPath() + "/" + groupAndVersion, JSON, null, at), JsonNode.class);
  }

  /**
   * The last lines of a container's log: at most {@link #LOG_LINES} and {@link #LOG_BYTES}. Blocks
   * for at most {@link #LOG_SECONDS}: the node of the pod may be gone.
   *
   * <p>The server counts the bytes from the first of these lines on, so it cuts off the end where
   * lines are long: then fewer lines are read, and half a line is left out.
   */
  public String logEnd(Resource pod, String container) {
    var most = readLog(pod, container, LOG_LINES, LOG_SECONDS - LOG_AGAIN_SECONDS);
    if (most.length < LOG_BYTES) {
      return new String(most, StandardCharsets.UTF_8);
    }
    try {
      var few = readLog(pod, container, LOG_FEW_LINES, LOG_AGAIN_SECONDS);
      var lines =
          few.length < LOG_BYTES ? new String(few, StandardCharsets.UTF_8) : wholeLines(few);
      return lines.isEmpty() ? wholeLines(most) : lines;
    } catch (KubernetesClientException e) {
      return wholeLines(most);
    }
  }

  private byte[] readLog(Resource pod, String container, int lines, int seconds) {
    var path =
        "%s/log?container=%s&tailLines=%d&limitBytes=%d"
            .formatted(pod.path(), container, lines, LOG_BYTES);
    return send("GET", path, JSON, null, pod, seconds);
  }

  private static String wholeLines(byte[] log) {
    var text = new String(log, StandardCharsets.UTF_8);
    return text.substring(0, text.lastIndexOf('\n') + 1);
  }

  /**
   * Deletes the object; its dependents follow in the background.
   *
   * @return false if the object is gone already, or does not meet the preconditions
   */
  public boolean delete(Resource at, Preconditions preconditions) {
    var options = JsonNodeFactory.instance.objectNode().put("propagationPolicy", "Background");
    var wanted = options.putObject("preconditions");
    if (preconditions.uid() != null) {
      wanted.put("uid", preconditions.uid());
    }
    if (preconditions.resourceVersion() != null) {
      wanted.put("resourceVersion", preconditions.resourceVersion());
    }
    try {
      send("DELETE", at.path(), JSON, options.toString(), at);
      return true;
    } catch (KubernetesClientException e) {
      throwUnlessGone(e);
      return false;
    }
  }

  /** Throws it, unless the object is gone, or is not the one that the request meant. */
  private static void throwUnlessGone(KubernetesClientException e) {
    if (e.getCode() != 404 && e.getCode() != 409) {
      throw e;
    }
  }

  private <T> T read(byte[] body, Class<T> kind) {
    return client.getKubernetesSerialization().unmarshal(new ByteArrayInputStream(body), kind);
  }

  private byte[] send(
      String method, String path, String contentType, @Nullable String body, Resource at) {
    return send(method, path, contentType, body, at, TIMEOUT_SECONDS);
  }

  private byte[] send(
      String method,
      String path,
      String contentType,
      @Nullable String body,
      Resource at,
      int seconds) {
    var master = client.getConfiguration().getMasterUrl();
    var base = master.endsWith("/") ? master.substring(0, master.length() - 1) : master;
    var request =
        client
            .getHttpClient()
            .newHttpRequestBuilder()
            .uri(base + path)
            .header("Accept", JSON)
            .method(method, contentType, body)
            .build();
    // A POST is sent once. The library would repeat it after a lost answer or a 5xx, and the answer
    // to the second would prove nothing about the first, which may be carried out later.
    var http = method.equals("POST") ? onceOnly() : client.getHttpClient();
    var answer = await(method, at, http.sendAsync(request, byte[].class), seconds);
    if (answer.code() >= 200 && answer.code() < 300) {
      return answer.body() == null ? new byte[0] : answer.body();
    }
    throw failure(method, at, answer);
  }

  private HttpClient onceOnly() {
    var settings = new RequestConfigBuilder(client.getConfiguration().getRequestConfig());
    return client
        .getHttpClient()
        .newBuilder()
        .tag(settings.withRequestRetryBackoffLimit(0).build())
        .build();
  }

  private static HttpResponse<byte[]> await(
      String method, Resource at, CompletableFuture<HttpResponse<byte[]>> future, int seconds) {
    try {
      return future.get(seconds, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      var cause = e.getCause() == null ? e : e.getCause();
      throw new KubernetesClientException(method + " " + at + ": " + cause, cause);
    } catch (TimeoutException e) {
      future.cancel(true);
      throw new KubernetesClientException(method + " " + at + ": no answer in time", e);
    } catch (InterruptedException e) {
      future.cancel(true);
      Thread.currentThread().interrupt();
      throw new KubernetesClientException(
          method + " " + at + ": interrupted", new InterruptedIOException());
    }
  }

  private KubernetesClientException failure(
      String method, Resource at, HttpResponse<byte[]> answer) {
    var text = answer.body() == null ? "" : new String(answer.body(), StandardCharsets.UTF_8);
    Status status = null;
    try {
      status = client.getKubernetesSerialization().unmarshal(text, Status.class);
    } catch (RuntimeException e) {
      // a proxy's page, not a status: its text is the message
    }
    var words =
        status != null && status.getMessage() != null
            ? status.getMessage()
            : ShortText.of(text, LONGEST_PAGE);
    return new KubernetesClientException(
        method + " " + at + ": " + answer.code() + " " + words, answer.code(), status);
  }
}
