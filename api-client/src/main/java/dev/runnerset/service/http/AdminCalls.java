package dev.runnerset.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.service.auth.AdminConnections;
import java.util.Map;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/** Calls to the service with the admin token (protocol 2, 3). Thread-safe. */
final class AdminCalls {
  private final AdminConnections connections;
  private final Exchanges exchanges;
  private final Requests requests;

  AdminCalls(AdminConnections connections, Exchanges exchanges, Requests requests) {
    this.connections = connections;
    this.exchanges = exchanges;
    this.requests = requests;
  }

  /** The same calls in the name of another user agent. */
  AdminCalls as(UserAgent userAgent) {
    return new AdminCalls(connections, exchanges, new Requests(userAgent));
  }

  Exchanges exchanges() {
    return exchanges;
  }

  Requests requests() {
    return requests;
  }

  Outcome get(Endpoint endpoint, String path, Map<String, String> query) {
    return send(endpoint, "GET", new Target(path, query), null);
  }

  Outcome post(Endpoint endpoint, String path, JsonNode body) {
    return send(endpoint, "POST", new Target(path, Map.of()), body);
  }

  Outcome patch(Endpoint endpoint, String path, @Nullable JsonNode body) {
    return send(endpoint, "PATCH", new Target(path, Map.of()), body);
  }

  Outcome delete(Endpoint endpoint, String path) {
    return send(endpoint, "DELETE", new Target(path, Map.of()), null);
  }

  private Outcome send(Endpoint endpoint, String method, Target target, @Nullable JsonNode body) {
    var connection = connections.current();
    var url =
        ServiceUrls.endpoint(
            HttpUrl.get(connection.url().toString()), target.path(), target.query());
    var request = requests.admin(method, url, connection.token(), body);
    return new Outcome(exchanges.send(Exchange.of(endpoint, request)), connection.token());
  }

  private record Target(String path, Map<String, String> query) {}
}
