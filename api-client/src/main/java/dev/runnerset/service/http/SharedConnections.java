package dev.runnerset.service.http;

import dev.runnerset.service.ActionsService;

/**
 * Connections to the Actions service that share what they can: equal settings have one registration
 * with its admin token, its limits and its rests, and all of the same times, proxy and authorities
 * have one HTTP client. A thousand sets of one credential register once an hour and not a thousand
 * times (protocol 1.6). Thread-safe.
 */
public final class SharedConnections {
  private final Waiter waiter;
  private final SharedValues<HttpClients.Kind, HttpClients> clients =
      new SharedValues<>(HttpClients::of, HttpClients::close);
  private final SharedValues<ServiceSettings, Core> cores =
      new SharedValues<>(this::core, Core::end);

  private record Core(AdminCalls calls, Runnable close) {
    void end() {
      close.run();
    }
  }

  /** None yet. */
  public SharedConnections() {
    this(Waiter.REAL);
  }

  SharedConnections(Waiter waiter) {
    this.waiter = waiter;
  }

  /**
   * A connection; nothing is sent before its first call. Closing it frees what no other uses.
   *
   * @throws IllegalArgumentException if the settings cannot be right, with a sentence for the user
   *     and nothing secret
   */
  public ActionsService connect(ServiceSettings settings) {
    var core = cores.lease(settings);
    return new HttpActionsService(
        core.value().calls(),
        settings.userAgent(),
        settings.timeouts().pollCall(),
        core.giveBack());
  }

  private Core core(ServiceSettings settings) {
    var lease = clients.lease(HttpClients.Kind.of(settings));
    try {
      var exchanges = new Exchanges(settings, lease.value(), CallListener.NONE, waiter);
      return new Core(HttpActionsServices.calls(settings, exchanges), lease.giveBack());
    } catch (RuntimeException e) {
      lease.giveBack().run();
      throw e;
    }
  }
}
