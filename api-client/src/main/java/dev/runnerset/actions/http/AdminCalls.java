package dev.runnerset.actions.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.actions.auth.AdminConnection;
import dev.runnerset.actions.auth.AdminConnections;
import java.time.Instant;
import java.util.Map;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/** Calls to the service with the admin token (protocol 2, protocol 3). Thread-safe. */
final class AdminCalls {
  private final AdminConnections connections;
  private final Admission admission;
  private final Exchanges exchanges;
  private final Requests requests;

  AdminCalls(
      AdminConnections connections, Admission admission, Exchanges exchanges, Requests requests) {
    this.connections = connections;
    this.admission = admission;
    this.exchanges = exchanges;
    this.requests = requests;
  }

  /** A copy with another user agent. */
  AdminCalls as(UserAgent userAgent) {
    return new AdminCalls(connections, admission, exchanges, new Requests(userAgent));
  }

  Exchanges exchanges() {
    return exchanges;
  }

  Requests requests() {
    return requests;
  }

  CallResult get(Endpoint endpoint, String path, Map<String, String> query) {
    return send(endpoint, "GET", path, query, null);
  }

  CallResult post(Endpoint endpoint, String path, JsonNode body) {
    return send(endpoint, "POST", path, Map.of(), body);
  }

  CallResult patch(Endpoint endpoint, String path, @Nullable JsonNode body) {
    return send(endpoint, "PATCH", path, Map.of(), body);
  }

  CallResult delete(Endpoint endpoint, String path) {
    return send(endpoint, "DELETE", path, Map.of(), null);
  }

  private CallResult send(
      Endpoint endpoint,
      String method,
      String path,
      Map<String, String> query,
      @Nullable JsonNode body) {
    var call = new Call(endpoint, method, path, query, body, exchanges.deadline());
    return admission.call(method + " " + path, () -> authorized(call));
  }

  /**
   * A token that the service refuses is replaced once; the call was not carried out. A 404 that
   * names no exception of the service may come from where the service was before it moved.
   */
  private CallResult authorized(Call call) {
    var connection = connections.current(call.deadline());
    var first = once(call, connection);
    if (first.is(404) && first.failure().isUntyped()) {
      connections.doubt(connection);
    }
    return first.is(401)
        ? connections
            .insteadOf(connection, call.deadline())
            .map(other -> once(call, other))
            .orElse(first)
        : first;
  }

  private CallResult once(Call call, AdminConnection connection) {
    var base = HttpUrl.get(connection.url().toString());
    var url = ServiceUrls.endpoint(base, call.path(), call.query());
    var request = requests.admin(call.method(), url, connection.token(), call.body());
    var exchange = Exchange.of(call.endpoint(), request).until(call.deadline());
    return new CallResult(exchanges.send(exchange), connection.token());
  }

  private record Call(
      Endpoint endpoint,
      String method,
      String path,
      Map<String, String> query,
      @Nullable JsonNode body,
      Instant deadline) {}
}
