package dev.runnerset.cli.ui;

import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.ClusterException;
import dev.runnerset.cli.cluster.Selection;
import dev.runnerset.cli.view.RunnerView;
import dev.runnerset.cli.view.SetView;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Follows the sets and runners of a cluster into a {@link FleetModel}: one list and one watch for
 * each kind, and nothing while nothing changes. It goes on by itself when the API server was away.
 */
public final class FleetWatch implements AutoCloseable {
  private static final Duration LOOK = Duration.ofMillis(500);

  /** A watch ends and begins again every few minutes: that is no outage. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final FleetModel model;
  private final Cluster cluster;
  private final Clock clock;
  private final KindWatch<AutoScalingRunnerSet> sets;
  private final KindWatch<EphemeralRunner> runners;
  private final Thread looks;
  private volatile Instant lastSeen;

  /** Begins to follow; the rest comes in a moment. */
  public FleetWatch(Cluster cluster, Selection selection, FleetModel model, Clock clock) {
    this.model = model;
    this.cluster = cluster;
    this.clock = clock;
    lastSeen = clock.instant();
    sets =
        new KindWatch<>(
            cluster,
            AutoScalingRunnerSet.class,
            selection,
            clock,
            set -> model.put(SetView.of(set), SetDetail.of(set)),
            model::removeSet);
    runners =
        new KindWatch<>(
            cluster,
            EphemeralRunner.class,
            Selection.of(selection.namespace()), // the labels are of sets
            clock,
            runner -> model.put(RunnerView.of(runner)),
            model::removeRunner);
    looks = Thread.ofVirtual().name("ui-link").start(this::look);
  }

  /**
   * Waits until both kinds were read, or are refused.
   *
   * @throws ClusterException if the cluster cannot be used, as when the kinds are not installed
   */
  public void awaitFirst(Duration atMost) throws InterruptedException {
    var deadline = clock.instant().plus(atMost);
    while (!sets.isDecided() || !runners.isDecided()) {
      var failure = sets.failure().or(runners::failure);
      boolean isOver = clock.instant().isAfter(deadline);
      if (failure.isPresent() && (isOver || !isSlow(failure.get()))) {
        throw cluster.failed(failure.get());
      }
      if (isOver) {
        throw new ClusterException("No API server answers at " + cluster.url());
      }
      Thread.sleep(20);
    }
    lastSeen = clock.instant();
  }

  /** A server that has much to do is asked again. */
  private static boolean isSlow(Throwable failure) {
    for (var each = failure; each != null; each = each.getCause()) {
      if (each instanceof TimeoutException) {
        return true;
      }
    }
    return false;
  }

  private void look() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        Thread.sleep(LOOK);
        var now = clock.instant();
        var open = Stream.of(sets, runners).filter(kind -> kind.gap().isEmpty()).toList();
        boolean isLive = open.stream().allMatch(KindWatch::isFollowing);
        lastSeen = isLive ? now : lastSeen;
        model.note(new FleetModel.Notes(isLive ? "" : banner(now), gaps()));
        sets.restart();
        runners.restart();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String banner(Instant now) {
    var seen = lastSeen;
    if (Duration.between(seen, now).compareTo(PATIENCE) < 0) {
      return "";
    }
    var time = seen.truncatedTo(ChronoUnit.SECONDS);
    return "The cluster has not answered since %s; what is shown is its state then. %s"
        .formatted(time, why().orElse("It is asked again and again."));
  }

  private Optional<String> why() {
    return sets.failure().or(runners::failure).map(each -> cluster.failed(each).getMessage() + ".");
  }

  private List<String> gaps() {
    return Stream.of(sets, runners)
        .flatMap(kind -> Stream.concat(kind.gap().stream(), kind.unread().stream()))
        .toList();
  }

  @Override
  public void close() {
    looks.interrupt();
    sets.close();
    runners.close();
    model.close();
  }
}
