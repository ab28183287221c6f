package dev.runnerset.actions.http;

import dev.runnerset.actions.ActionsService;
import java.time.Clock;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Connections to the Actions service that share what they can: equal settings have one registration
 * with its admin token; all of the same times, proxy and authorities have one HTTP client; and all
 * of one host share the number of calls that it may hold, since a host that hangs does so for every
 * credential. A thousand sets of one credential register once an hour and not a thousand times
 * (protocol 1.6). Thread-safe.
 */
public final class SharedConnections {
  private final Waiter waiter;
  private final SharedValues<HttpClients.Kind, HttpClients> clients =
      new SharedValues<>(HttpClients::of, HttpClients::close);
  private final SharedValues<ServiceSettings, Core> cores =
      new SharedValues<>(this::core, core -> core.close().run());

  private final SharedValues<Way, Admission> admissions =
      new SharedValues<>(way -> new Admission(way.limits(), way.clock()), admission -> {});

  /** What hangs together: a host, as it is reached. */
  private record Way(
      String authority, @Nullable ProxySetting proxy, CallLimits limits, Clock clock) {
    static Way of(ServiceSettings settings) {
      return new Way(
          settings.url().uri().getAuthority().toLowerCase(Locale.ROOT),
          settings.route().proxy(),
          settings.calls().limits(),
          settings.clock());
    }
  }

  private record Core(
      AdminCalls calls,
      GitHubApi gitHub,
      WorkflowRuns runs,
      BearerSource bearers,
      Runnable close) {}

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
        core.value().gitHub(),
        core.value().runs(),
        core.value().bearers(),
        settings.userAgent(),
        settings.calls().timeouts().pollCall(),
        core.giveBack());
  }

  private Core core(ServiceSettings settings) {
    var client = clients.lease(settings.kind());
    var admission = admissions.lease(Way.of(settings));
    Runnable giveBack =
        () -> {
          admission.giveBack().run();
          client.giveBack().run();
        };
    try {
      var exchanges =
          new Exchanges(
              client.value(),
              settings.url(),
              settings.route(),
              settings.calls(),
              settings.clock(),
              waiter);
      var requests = new Requests(settings.userAgent());
      var gitHub = new GitHubApi(settings.url(), exchanges, requests);
      var bearers =
          BearerSource.of(
              gitHub,
              settings.credentials(),
              settings.clock(),
              settings.calls().timeouts().whole());
      var connections = new AdminConnections(gitHub, bearers, settings.clock());
      var calls = new AdminCalls(connections, admission.value(), exchanges, requests);
      return new Core(calls, gitHub, new WorkflowRuns(gitHub), bearers, giveBack);
    } catch (RuntimeException e) {
      giveBack.run();
      throw e;
    }
  }
}
