package dev.runnerset.controller.features.places;

import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.Statistics;
import dev.runnerset.base.Detail;
import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.EphemeralRunnerSet;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads how many jobs wait for the sets that have no place: a poll without capacity may end without
 * news (DM16). One reading is under way for a credential. Thread-safe.
 */
public final class HeldSets {
  /** The time between two readings with one credential. */
  public static final Duration PERIOD = Duration.ofSeconds(1);

  /** A set is read no sooner again. */
  @Detail static final Duration AGAIN = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(HeldSets.class);
  private static final Slot<Reading> READING = new Slot<>(new Reading(Instant.EPOCH, false));

  private final Ports ports;
  private final Memories ofSets;
  private final Executor threads;
  private final Clock clock;

  private record Reading(Instant begun, boolean isUnderWay) {}

  private record Held(EphemeralRunnerSet set, String uid, Reading last) {}

  /**
   * What the readings need.
   *
   * @param held the sets without a place that take jobs
   * @param counts reads the counts of a set; blocks
   * @param learned takes the jobs that wait, and when they were asked for; whether that is news
   * @param news takes a set whose jobs have changed
   */
  public record Ports(
      Supplier<Stream<EphemeralRunnerSet>> held,
      Function<EphemeralRunnerSet, Optional<Statistics>> counts,
      Learned learned,
      Consumer<SetKey> news) {}

  /** Takes how many jobs wait. */
  @FunctionalInterface
  public interface Learned {
    /** Whether the number is another one than before. */
    boolean test(EphemeralRunnerSet set, int waiting, Instant askedAt);
  }

  /**
   * Has read nothing yet.
   *
   * @param ofSets what the process remembers of runner sets
   * @param threads one thread for each credential
   */
  public HeldSets(Ports ports, Memories ofSets, Executor threads, Clock clock) {
    this.ports = ports;
    this.ofSets = ofSets;
    this.threads = threads;
    this.clock = clock;
  }

  /** One round, each {@link #PERIOD}. Does not block. */
  public void round() {
    var byCredential = new HashMap<ConnectionKey, List<Held>>();
    ports
        .held()
        .get()
        .forEach(set ->
            Ownership.setUid(set)
                .ifPresent(uid ->
                    byCredential
                        .computeIfAbsent(RunnerConnections.keyOf(set), _ -> new ArrayList<>())
                        .add(new Held(set, uid, ofSets.of(uid).get(READING)))));
    byCredential.values().forEach(this::readOne);
  }

  /** The one whose counts are the oldest. */
  private void readOne(List<Held> sets) {
    if (sets.stream().anyMatch(each -> each.last().isUnderWay())) {
      return;
    }
    var now = clock.instant();
    var next =
        sets.stream().min(Comparator.comparing((Held each) -> each.last().begun())).orElseThrow();
    boolean isSetBack = next.last().begun().isAfter(now); // an administrator may set the clock
    if (!isSetBack && Duration.between(next.last().begun(), now).compareTo(AGAIN) < 0) {
      return;
    }
    note(next, new Reading(now, true));
    try {
      threads.execute(() -> {
        try {
          read(next.set());
        } finally {
          note(next, new Reading(now, false));
        }
      });
    } catch (RejectedExecutionException e) { // the process ends
      note(next, new Reading(now, false));
    }
  }

  private void note(Held held, Reading reading) {
    ofSets.of(held.uid()).put(READING, reading);
  }

  private void read(EphemeralRunnerSet set) {
    var askedAt = clock.instant();
    try {
      var counts = ports.counts().apply(set);
      if (counts.filter(c -> ports.learned().test(set, c.available(), askedAt)).isPresent()) {
        ports.news().accept(SetKey.of(set));
      }
    } catch (ServiceException | InvalidConnectionException | KubernetesClientException e) {
      LOG.atDebug()
          .addKeyValue("namespace", set.getMetadata().getNamespace())
          .addKeyValue("set", set.getMetadata().getName())
          .addKeyValue("error", e.getMessage())
          .log("the jobs that wait could not be read; they are read again");
    }
  }
}
