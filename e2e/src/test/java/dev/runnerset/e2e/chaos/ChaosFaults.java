package dev.runnerset.e2e.chaos;

import static dev.runnerset.e2e.chaos.ChaosFault.Hits.ALL_SETS;
import static dev.runnerset.e2e.chaos.ChaosFault.Hits.ONE_SET;
import static dev.runnerset.e2e.chaos.ChaosFault.Needs.CONTROL_PLANE;
import static dev.runnerset.e2e.chaos.ChaosFault.Needs.PROXY;
import static dev.runnerset.e2e.chaos.ChaosFault.Needs.PROXY_ALONE;

import dev.runnerset.e2e.ProgramLease;
import dev.runnerset.e2e.SeparateSet;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What goes wrong in the scenario {@code chaos}. */
final class ChaosFaults {
  private static final Consumer<ChaosPlace> NOTHING = place -> {};
  private static final Duration LATENCY = Duration.ofMillis(300);

  /** As a kubelet waits before it starts a container again that crashed. */
  private static final Duration DOWN = Duration.ofSeconds(5);

  /** One reset in so many looks, on average. */
  private static final int SELDOM = 4;

  /** What a service that is not reached is called, whoever notices it. */
  private static final String UNREACHED =
      "Unavailable|ConnectionRefused|ConnectionReset|ConnectionFailed|ConnectionClosed|ServiceUnavailable|Unanswered|TimedOut|Timeout";

  /**
   * What is reported of a listener that is gone, or of a controller that may not write for a
   * moment.
   */
  private static final String NOT_HELD =
      "NotHeld|HolderLost|Ready Stopped|not sent, because the lease|this process may change nothing now";

  /** Nothing: for a set that is to be well while others are hit. */
  static final ChaosFault NOTHING_AT_ALL = ChaosFault.of("nothing", ONE_SET, 0, NOTHING, NOTHING);

  /** What is reported where a request to the API server ended without an answer. */
  private static final String UNANSWERED =
      NOT_HELD
          + "|Connection reset|SocketException|IOException|HttpTimeoutException|no answer in time|terminated the handshake"
          + "|StartUnknown|ClusterError";

  private ChaosFaults() {}

  /** Each of them. */
  static List<ChaosFault> all() {
    return Stream.of(ofTheService(), ofThePrograms(), ofTheApiServer())
        .flatMap(List::stream)
        .toList();
  }

  /** Between the programs and the service of one set; runners reach the service all the time. */
  private static List<ChaosFault> ofTheService() {
    return List.of(
        ChaosFault.of(
            "service-slow",
            ONE_SET,
            20,
            place -> place.wire().latency(LATENCY),
            place -> place.wire().latency(Duration.ZERO)),
        ChaosFault.of("service-resets", ONE_SET, 20, place -> place.wire().resetAll(), NOTHING)
            .every(place -> {
              if (place.oneIn(SELDOM)) {
                place.wire().resetAll();
              }
            })
            .maybeReported(UNREACHED),
        // a poll without an answer is as it should be for 50 s, and doubted after 70 s
        ChaosFault.of("service-half-open", ONE_SET, 5, place -> place.wire().freezeAll(), NOTHING)
            // a runner whose registration is asked for on a dead connection does wait
            .maybeReported("PollUnanswered|StartSlow|" + UNREACHED)
            .within(80),
        ChaosFault.of(
                "service-outage",
                ONE_SET,
                60,
                place -> place.wire().refuse(),
                place -> place.wire().acceptAgain())
            .reported(UNREACHED),
        ChaosFault.of(
            "service-tokens-ended",
            ONE_SET,
            5,
            place -> place.set().service().control().endTokens(),
            NOTHING),
        ChaosFault.of(
                "webhook-down",
                ONE_SET,
                10,
                place -> place.set().apply(webhook(place)),
                place -> place.set().delete(webhook(place)))
            .needs(CONTROL_PLANE)
            .reported("failed calling webhook"));
  }

  private static String webhook(ChaosPlace place) {
    return SeparateSet.DEAD_POD_WEBHOOK.formatted(place.set().namespace());
  }

  private static List<ChaosFault> ofThePrograms() {
    return List.of(
        ChaosFault.of(
            "controller-killed",
            ALL_SETS,
            6,
            place -> place.programs().kill(place.world().controller(), DOWN),
            NOTHING),
        ChaosFault.of(
                "listener-killed",
                ALL_SETS,
                6,
                place -> place.programs().kill(place.world().listener(), DOWN),
                NOTHING)
            .maybeReported(NOT_HELD),
        paused(
            "controller-paused",
            ProgramLease.CONTROLLER,
            place -> place.world().controller(),
            place -> place.world().moreControllers("controller-beside")),
        paused(
                "listener-paused",
                ProgramLease.LISTENER,
                place -> place.world().listener(),
                place -> place.world().moreListeners("listener-beside"))
            .maybeReported(NOT_HELD));
  }

  /** It sleeps beyond its lease while another takes over, and then wakes beside it. */
  private static ChaosFault paused(
      String id, ProgramLease lease, ChaosPlace.Chosen program, ChaosPlace.Chosen other) {
    return ChaosFault.of(
        id,
        ALL_SETS,
        20,
        place -> place.programs().pause(program.in(place), other.in(place), lease),
        place -> place.programs().goOn(program.in(place), lease));
  }

  private static List<ChaosFault> ofTheApiServer() {
    return List.of(
        ChaosFault.of(
                "api-server-killed",
                ALL_SETS,
                8,
                place -> place.server().killApiServer(),
                place -> place.server().startApiServerAgain())
            .needs(CONTROL_PLANE)
            .maybeReported(UNANSWERED),
        ChaosFault.of(
                "etcd-paused",
                ALL_SETS,
                12,
                place -> place.server().pauseEtcd(),
                place -> place.server().resumeEtcd())
            .needs(CONTROL_PLANE)
            // a start whose writes wait for etcd does take longer than it should
            .maybeReported(UNANSWERED + "|StartSlow"),
        ChaosFault.of(
                "api-slow",
                ALL_SETS,
                6,
                place -> place.api().latency(LATENCY),
                place -> place.api().latency(Duration.ZERO))
            .needs(PROXY)
            .maybeReported(UNANSWERED),
        ChaosFault.of("api-resets", ALL_SETS, 6, place -> place.api().resetAll(), NOTHING)
            .every(place -> {
              if (place.oneIn(SELDOM)) {
                place.api().resetAll();
              }
            })
            .needs(PROXY)
            .maybeReported(UNANSWERED),
        ChaosFault.of("api-half-open", ALL_SETS, 5, place -> place.api().freezeAll(), NOTHING)
            // the API server of the demo answers no ping
            .needs(CONTROL_PLANE)
            // a runner that is made on a dead connection does take longer than it should
            .maybeReported(UNANSWERED + "|StartSlow"),
        ChaosFault.of(
                "api-refused",
                ALL_SETS,
                8,
                place -> place.api().refuse(),
                place -> place.api().acceptAgain())
            .needs(PROXY_ALONE)
            .maybeReported(UNANSWERED));
  }
}
