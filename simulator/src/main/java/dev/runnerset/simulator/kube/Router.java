package dev.runnerset.simulator.kube;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.runnerset.simulator.kube.http.Call;
import dev.runnerset.simulator.kube.http.Reply;
import dev.runnerset.simulator.kube.http.ResourcePath;
import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.read.Discovery;
import dev.runnerset.simulator.kube.read.OpenApi;
import dev.runnerset.simulator.kube.status.ApiException;
import dev.runnerset.simulator.kube.store.Cluster;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every request: delayed or failed if a fault says so, answered, counted. */
final class Router implements HttpHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Router.class);

  private final Cluster cluster;
  private final ResourceVerbs verbs;
  private final RequestCounters counters;
  private final Faults faults;
  private final Discovery discovery;
  private final OpenApi openApi;

  Router(Cluster cluster, ResourceVerbs verbs, RequestCounters counters, Faults faults) {
    this.cluster = cluster;
    this.verbs = verbs;
    this.counters = counters;
    this.faults = faults;
    this.discovery = new Discovery(cluster.catalog());
    this.openApi = new OpenApi(cluster.catalog());
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    // not try-with-resources on the exchange: it would be closed before an error could be answered
    try {
      Call call = Call.of(exchange);
      delay(faults.latency());
      send(exchange, answer(call));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // the server is closing
    } catch (IOException e) {
      LOG.atDebug().addKeyValue("why", e.getMessage()).log("client went away");
    } finally {
      exchange.close();
    }
  }

  private static void delay(Duration latency) throws InterruptedException {
    if (!latency.isZero()) {
      Thread.sleep(latency);
    }
  }

  private Reply answer(Call call) {
    String[] counted = {"other", "/" + firstSegment(call.path()), ""};
    Reply reply;
    try {
      reply = dispatch(call, counted);
    } catch (ApiException e) {
      reply = Reply.json(e.code(), e.status());
    } catch (RuntimeException e) {
      LOG.atError().setCause(e).addKeyValue("path", call.path()).log("request failed");
      ApiException error = ApiException.of(500, "InternalError", "Internal error occurred");
      reply = Reply.json(500, error.status());
    }
    int code = reply instanceof Reply.Full full ? full.code() : 200;
    counters.count(
        new RequestCounters.Key(call.writer(), counted[0], counted[1], counted[2], code));
    return reply;
  }

  private static String firstSegment(String path) {
    String[] parts = path.split("/", 3);
    return parts.length > 1 ? parts[1] : "";
  }

  private Reply dispatch(Call call, String[] counted) {
    Optional<ResourcePath> resource = ResourcePath.parse(call.path());
    if (resource.isEmpty()) {
      counted[0] = call.method().equals("GET") ? "get" : "other";
      return document(call);
    }
    ResourcePath path = resource.get();
    ResourceType type =
        cluster
            .catalog()
            .find(path.group(), path.version(), path.plural())
            .orElseThrow(ApiException::noSuchPath);
    String verb = ResourceVerbs.verb(call, path);
    counted[0] = verb;
    counted[1] = type.qualified();
    counted[2] = path.sub();
    if (call.wantsWebSocket()) {
      // 200 without a body: fabric8 takes this for a refusal and watches by a plain GET
      return new Reply.Full(200, "application/json", new byte[0]);
    }
    faults.check(call.writer(), type, verb);
    return verbs.carryOut(verb, type, path, call);
  }

  private Reply document(Call call) {
    String path = call.path();
    if (!call.method().equals("GET")) {
      throw ApiException.methodNotAllowed();
    }
    if (path.startsWith("/openapi/")) {
      return Reply.json(200, openApi.find(path).orElseThrow(ApiException::noSuchPath));
    }
    return switch (path) {
      case "/healthz", "/livez", "/readyz" -> Reply.text("ok");
      case "/version" -> Reply.json(200, Discovery.version());
      case "/_counters" -> Reply.json(200, counters.json());
      default -> Reply.json(200, discovery.find(path).orElseThrow(ApiException::noSuchPath));
    };
  }

  private static void send(HttpExchange exchange, Reply reply)
      throws IOException, InterruptedException {
    drain(exchange);
    switch (reply) {
      case Reply.Full(int code, String type, byte[] body) -> {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
      }
      case Reply.Stream(Reply.Writer writer) -> {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
          writer.writeTo(out);
        }
      }
    }
  }

  /** What is left of a refused body is read, or the connection could not be used again. */
  private static void drain(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().skip(Call.MAX_BODY_BYTES);
  }
}
