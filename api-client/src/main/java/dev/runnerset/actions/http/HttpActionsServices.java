package dev.runnerset.actions.http;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.auth.AdminConnections;

/** Makes connections to the Actions service. */
public final class HttpActionsServices {
  private HttpActionsServices() {}

  /**
   * A connection; nothing is sent before its first call.
   *
   * @throws IllegalArgumentException if the settings cannot be right, with a sentence for the user
   *     and nothing secret
   */
  public static ActionsService connect(ServiceSettings settings) {
    return connect(settings, CallListener.NONE);
  }

  /** A connection that tells a listener of every attempt of every call. */
  public static ActionsService connect(ServiceSettings settings, CallListener listener) {
    return connect(settings, listener, Waiter.REAL);
  }

  static ActionsService connect(ServiceSettings settings, CallListener listener, Waiter waiter) {
    var clients = HttpClients.of(HttpClients.Kind.of(settings));
    var exchanges = new Exchanges(settings, clients, listener, waiter);
    return new HttpActionsService(
        calls(settings, new Admission(settings.calls().limits(), settings.clock()), exchanges),
        RunnerPages.of(settings, exchanges),
        settings.userAgent(),
        settings.calls().timeouts().pollCall(),
        clients::close);
  }

  /** Calls with a registration of their own. */
  static AdminCalls calls(ServiceSettings settings, Admission admission, Exchanges exchanges) {
    var requests = new Requests(settings.userAgent());
    var api = new HttpRegistrationApi(settings.url(), exchanges, requests);
    var connections = new AdminConnections(api, settings.credentials(), settings.clock());
    return new AdminCalls(connections, admission, exchanges, requests);
  }
}
