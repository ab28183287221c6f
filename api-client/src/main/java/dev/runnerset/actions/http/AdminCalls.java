package dev.runnerset.actions.http;

import java.time.Instant;
import java.util.Map;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/** Calls to the service with the admin token (protocol 2, protocol 3). Thread-safe. */
record AdminCalls(
    AdminConnections connections, Admission admission, Exchanges exchanges, Requests requests) {
  /** A copy with another user agent. */
  AdminCalls as(UserAgent userAgent) {
    return new AdminCalls(connections, admission, exchanges, new Requests(userAgent));
  }

  /** A call without a query, about the things with these ids. */
  Answer send(Endpoint endpoint, @Nullable Object body, Object... ids) {
    return send(new Call(endpoint, endpoint.path(ids), Map.of(), body, exchanges.deadline()));
  }

  /** A search. */
  Answer find(Endpoint endpoint, Map<String, String> query) {
    return send(new Call(endpoint, endpoint.path(), query, null, exchanges.deadline()));
  }

  private Answer send(Call call) {
    return admission.call(call.endpoint().method + " " + call.path(), () -> authorized(call));
  }

  /**
   * A token that the service refuses is replaced once; the call was not carried out. A 404 that
   * names no exception of the service may come from where the service was before it moved; to the
   * call that a broker does not know it is the usual answer (protocol 3.12).
   */
  private Answer authorized(Call call) {
    var connection = connections.current(call.deadline());
    var first = once(call, connection);
    if (first.is(404) && first.isUntyped() && call.endpoint() != Endpoint.LIST_OFFERS) {
      connections.doubt(connection);
    }
    return first.is(401)
        ? connections
            .insteadOf(connection, call.deadline())
            .map(other -> once(call, other))
            .orElse(first)
        : first;
  }

  /** The URL of a call of the service that is made with another token. */
  HttpUrl url(String path, Instant deadline) {
    return url(connections.current(deadline), path, Map.of());
  }

  private static HttpUrl url(AdminConnection connection, String path, Map<String, String> query) {
    return ServiceUrls.endpoint(HttpUrl.get(connection.url().toString()), path, query);
  }

  private Answer once(Call call, AdminConnection connection) {
    var url = url(connection, call.path(), call.query());
    var request = requests.of(call.endpoint(), url, "Bearer " + connection.token(), call.body());
    return exchanges.send(call.endpoint(), request, new CancelSignal(), call.deadline());
  }

  private record Call(
      Endpoint endpoint,
      String path,
      Map<String, String> query,
      @Nullable Object body,
      Instant deadline) {}
}
