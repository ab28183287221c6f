package dev.runnerset.simulator.service;

import java.net.URI;
import java.time.Clock;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The simulated Actions service on a port of 127.0.0.1: GitHub's REST root under {@code /api/v3},
 * the service under {@code /rest}, its message queue, the broker and run service that runners use,
 * and the control interface under {@code /_control}.
 */
public final class ActionsServiceServer implements AutoCloseable {
  /** How late a timed event may be when nobody calls. */
  private static final long TICK_MILLIS = 50;

  private final HttpPort http;
  private final ScheduledExecutorService ticker;
  private final ServiceState state;
  private final Control control;
  private final String scheme;

  private ActionsServiceServer(Options options, Service service) {
    state = service.state;
    control = new Control(service);
    var controlApi = new ControlApi(control);
    scheme = options.tls().isPresent() ? "https" : "http";
    http =
        HttpPort.open(
            options.port(),
            options.tls().orElse(null),
            request ->
                !request.segments().isEmpty() && request.segments().getFirst().equals("_control")
                    ? controlApi.answer(request)
                    : service.answer(request));
    state.root(url());
    state.front(url());
    ticker =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("service-ticker").factory());
    var ticking =
        ticker.scheduleAtFixedRate(
            service.state::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    if (ticking.isDone()) {
      throw new IllegalStateException("the ticker did not start");
    }
  }

  /**
   * Starts with random ids.
   *
   * @param clock the time of leases, tokens and job times; the length of parked polls is real time
   * @throws java.io.UncheckedIOException if the port is taken
   */
  public static ActionsServiceServer start(Options options, Clock clock) {
    return start(options, clock, UUID::randomUUID);
  }

  /** Starts with ids from {@code ids}. */
  public static ActionsServiceServer start(Options options, Clock clock, Supplier<UUID> ids) {
    return new ActionsServiceServer(options, new Service(options, clock, ids));
  }

  /** {@code http://127.0.0.1:PORT}, without a trailing slash. */
  public URI url() {
    return URI.create(scheme + "://127.0.0.1:" + http.port());
  }

  /** What a runner set's {@code githubConfigUrl} is: the URL of an organisation at this service. */
  public URI configUrl(String organization) {
    return URI.create(state.front() + "/" + organization);
  }

  /**
   * Something stands in front of it from now on: controllers and listeners get that URL wherever
   * the service names itself. Runners are sent to {@link #url} still.
   */
  public void reachedAt(URI front) {
    state.front(front);
  }

  public Control control() {
    return control;
  }

  /** Stops at once; parked polls end without an answer. */
  @Override
  public void close() {
    ticker.shutdownNow();
    http.close();
  }
}
