package dev.runnerset.controller.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ServiceError;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** JIT configs at the pace of a simulated service, in simulated time (CN3). */
class JitTurnsTest {
  private static final Instant T0 = Instant.parse("2026-11-22T08:00:00Z");

  /** What happens next; events of one time happen in the order in which they were planned. */
  private record Event(double at, int number, Runnable what) {}

  /** A bucket of tokens, and runners that ask it when they have their turn. */
  private static final class World {
    final JitTurns turns = new JitTurns();
    final SplittableRandom random = new SplittableRandom(7);
    final PriorityQueue<Event> events =
        new PriorityQueue<>(Comparator.comparing(Event::at).thenComparing(Event::number));
    final List<Double> started = new ArrayList<>();
    final Map<String, Double> waits = new HashMap<>();
    final double perSecond;
    final double bucket;
    final int retryAfter;

    /** Of an answer, in seconds. */
    double latency = 0.05;

    /** The number of a call that is answered at once; none if negative. */
    int outlier = -1;

    int sentCalls;
    final PriorityQueue<Double> lines = new PriorityQueue<>(Collections.nCopies(32, 0.0));

    double tokens;
    double filledAt;
    double now;

    /** When the last runner had its JIT config; what was planned for others may come later. */
    double ended;

    int planned;
    int refused;
    int asked;

    /** Asked and had to come back. */
    int futile;

    final Map<String, Integer> visits = new HashMap<>();
    final Map<String, Runnable> comesByRunner = new HashMap<>();

    World(double perSecond, double bucket, int retryAfter) {
      this.perSecond = perSecond;
      this.bucket = bucket;
      this.retryAfter = retryAfter;
      this.tokens = bucket;
    }

    void at(double time, Runnable what) {
      events.add(new Event(time, planned++, what));
    }

    void burst(String set, int runners, double time) {
      for (int i = 0; i < runners; i++) {
        var name = set + "-" + i;
        at(time, () -> ask(set, name, time));
      }
    }

    void run() {
      while (!events.isEmpty()) {
        var event = events.remove();
        now = event.at();
        event.what().run();
      }
    }

    private static Instant instant(double time) {
      return T0.plusNanos((long) (time * 1e9));
    }

    void ask(String set, String runner, double since) {
      asked++;
      int visit = visits.merge(runner, 1, Integer::sum);
      var wait = turns.ask(set, runner, instant(now));
      if (wait.isPresent()) {
        double until = Duration.between(T0, wait.get().until()).toNanos() / 1e9;
        assertThat(until).as("a wait ends later").isGreaterThan(now);
        Runnable comes =
            () -> {
              if (visits.get(runner) == visit) {
                ask(set, runner, since);
              }
            };
        comesByRunner.put(runner, comes);
        at(until + 0.005 * random.nextDouble(), comes);
        futile++;
        return;
      }
      double sent = now;
      double takes = sentCalls++ == outlier ? 0.005 : latency * (0.8 + 0.4 * random.nextDouble());
      // a connection sends 32 at once: the first of its lines that is free takes the call
      double begins = Math.max(now, lines.remove());
      lines.add(begins + takes);
      at(
          begins + takes / 2,
          () -> {
            boolean isTaken = takeToken();
            at(begins + takes, () -> answered(set, runner, since, sent, isTaken));
          });
    }

    private boolean takeToken() {
      if (perSecond == 0) {
        return true;
      }
      tokens = Math.min(bucket, tokens + (now - filledAt) * perSecond);
      filledAt = now;
      if (tokens < 1) {
        return false;
      }
      tokens--;
      return true;
    }

    private void answered(String set, String runner, double since, double sent, boolean isTaken) {
      var woken =
          isTaken
              ? turns.accepted(instant(sent), instant(now))
              : turns.failed(instant(sent), instant(now), limit(retryAfter, 429));
      woken.forEach(other ->
          at(now + 0.005 * random.nextDouble(), comesByRunner.getOrDefault(other, () -> {})));
      if (isTaken) {
        started.add(now - since);
        ended = now;
        waits.put(runner, now - since);
      } else {
        refused++;
        at(now + 0.2, () -> ask(set, runner, since));
      }
    }

    double least(int runners) {
      return (runners - bucket) / perSecond;
    }
  }

  private static ServiceError limit(int retryAfter, int status) {
    return new ServiceError.RateLimited(
        new ServiceError.Details("POST x", status, "", "slow down", "", ""),
        retryAfter == 0 ? null : Duration.ofSeconds(retryAfter));
  }

  private static World burst(double perSecond, double bucket, int retryAfter, double latency) {
    var world = new World(perSecond, bucket, retryAfter);
    world.latency = latency;
    world.burst("linux", 300, 0);
    world.run();
    assertThat(world.started).hasSize(300);
    return world;
  }

  /** The bar: of 300 JIT configs at 5 a second 10 refusals, and 1.15 times the least time. */
  @ParameterizedTest(name = "{0} saved up, Retry-After {1}, answers in {2} s")
  @CsvSource({
    "2, 0, 0.005",
    "5, 0, 0.005",
    "5, 1, 0.005",
    "5, 0, 0.05",
    "5, 1, 0.05",
    "5, 0, 0.15",
    "5, 1, 0.15",
    "5, 1, 0.3"
  })
  void cn3ABurstAtFiveASecondMeetsTheBar(double bucket, int retryAfter, double latency) {
    var world = burst(5, bucket, retryAfter, latency);
    assertThat(world.refused).isLessThanOrEqualTo(10);
    assertThat(world.ended).isLessThanOrEqualTo(1.15 * world.least(300));
    assertThat(world.asked).as("cheap").isLessThan((int) (300 + 100 * world.ended));
  }

  /** What is saved up is found by sending it, so that a large bucket costs more refusals. */
  @ParameterizedTest(name = "{0} a second, {1} saved up, Retry-After {2}")
  @CsvSource({
    "1, 1, 0, 16, 1.4",
    "1, 5, 0, 18, 1.1",
    "1, 5, 1, 18, 1.1",
    "1, 50, 0, 50, 1.1",
    "5, 1, 0, 10, 1.5",
    "5, 1, 1, 10, 1.5",
    "5, 50, 0, 50, 1.1",
    "5, 50, 1, 50, 1.1",
    "20, 5, 0, 15, 1.4",
    "20, 20, 0, 30, 1.2",
    "20, 20, 1, 30, 1.2",
    "20, 50, 0, 45, 1.2",
    "100, 20, 0, 30, 2.1",
    "100, 50, 0, 30, 2.1",
    "100, 50, 1, 30, 2.5"
  })
  void cn3ABurstAtOtherServices(
      double perSecond, double bucket, int retryAfter, int mostRefused, double mostTime) {
    var world = burst(perSecond, bucket, retryAfter, 0.05);
    assertThat(world.refused).isLessThanOrEqualTo(mostRefused);
    assertThat(world.ended).isLessThanOrEqualTo(mostTime * world.least(300));
  }

  /**
   * As fast as 32 calls at once, which is the limit of a connection, whatever its answers take; the
   * first burst has a slow start of four round trips.
   */
  @ParameterizedTest(name = "{0} runners, answers in {1} s, but call {2} at once")
  @CsvSource({
    "300, 0.005, -1",
    "1000, 0.05, -1",
    "300, 0.3, -1",
    "300, 0.3, 0",
    "300, 0.5, -1",
    "300, 0.5, 20",
    "300, 1, -1",
    "300, 1, 0"
  })
  void cn3WithoutRefusalsThereIsNoLimit(int runners, double latency, int outlier) {
    var world = new World(0, 0, 0);
    world.latency = latency;
    world.outlier = outlier;
    world.burst("linux", runners, 0);
    world.run();
    double first = world.ended;
    assertThat(world.futile).isLessThan(runners + (int) (100 * first));
    world.burst("other", runners, first + 60);
    world.run();
    double second = world.ended - first - 60;
    double least = Math.ceil(runners / 32.0) * latency;
    assertThat(first).isLessThan(0.05 + 1.3 * least + 4 * latency);
    assertThat(second).isLessThan(0.05 + 1.3 * least);
  }

  /** Of two sets of one credential one has 300 runners: a job of the other one waits two turns. */
  @Test
  void cn3AJobOfAnotherSetWaitsBehindFewCalls() {
    var world = new World(5, 5, 0);
    world.burst("linux", 300, 0);
    for (int i = 0; i < 10; i++) {
      world.burst("other" + i, 1, 6 + 4.13 * i);
    }
    world.run();
    for (int i = 0; i < 10; i++) {
      assertThat(world.waits.get("other" + i + "-0")).isLessThan(1);
    }
  }

  @Test
  void cn3TwoSetsThatWaitHaveHalfOfTheTurnsEach() {
    var world = new World(5, 5, 0);
    world.burst("linux", 100, 0);
    world.burst("other", 100, 5);
    world.run();
    double other =
        world.waits.entrySet().stream()
            .filter(entry -> entry.getKey().startsWith("other"))
            .filter(entry -> entry.getValue() < 20)
            .count();
    assertThat(other).isBetween(40.0, 60.0);
  }

  /** Other calls tell nothing of the rate of JIT configs; what they are asked to wait holds all. */
  @Test
  void cn3A429OfAnotherCallHoldsJitConfigsForItsTimeOnly() {
    var turns = new JitTurns();
    turns.limited(T0, limit(2, 429));
    assertThat(turns.perSecond(T0)).isInfinite();
    assertThat(turns.ask("linux", "a", T0))
        .hasValueSatisfying(wait -> {
          assertThat(wait.until()).isEqualTo(T0.plusSeconds(2));
          assertThat(wait.why()).as("told, though nothing is limited").isNotNull();
        });
    assertThat(turns.ask("linux", "a", T0.plusSeconds(2))).isEmpty();
  }

  /** One job now and then, of which some are refused: so little shows nothing of the rate. */
  @Test
  void cn3A429WhileFewAreAskedForKeepsTheRate() {
    var turns = new JitTurns();
    turns.failed(T0, T0, limit(0, 429));
    var now = T0.plusSeconds(20);
    double before = turns.perSecond(now);
    assertThat(before).as("found meanwhile").isGreaterThan(100);
    assertThat(turns.ask("linux", "a", now)).isEmpty();
    turns.accepted(now, now);
    turns.failed(now, now, limit(0, 429));
    assertThat(turns.perSecond(now)).isEqualTo(before);
    turns.failed(now, now, limit(0, 429));
    assertThat(turns.perSecond(now)).as("nothing accepted since").isEqualTo(before / 2);
    assertThat(turns.ask("linux", "a", now)).as("held for one turn").isPresent();
  }

  /** The host asked to wait: somebody tries after 5 s, since it may have been replaced. */
  @Test
  void cn3ALongWaitIsTriedEveryFiveSeconds() {
    var turns = new JitTurns();
    assertThat(turns.ask("linux", "a", T0)).isEmpty();
    turns.failed(T0, T0, limit(60, 429));
    assertThat(turns.ask("linux", "a", T0.plusMillis(4900)))
        .hasValueSatisfying(wait -> assertThat(wait.until()).isEqualTo(T0.plusSeconds(5)));
    var then = T0.plusSeconds(5);
    assertThat(turns.ask("linux", "a", then)).isEmpty();
    double before = turns.perSecond(then);
    turns.failed(then, then, limit(55, 0)); // kept back: nothing was sent
    assertThat(turns.perSecond(then)).isEqualTo(before);
    assertThat(turns.ask("linux", "a", then)).isPresent();
  }

  @Test
  void cn3WithoutARefusalForLongTheLimitGoes() {
    var turns = new JitTurns();
    turns.failed(T0, T0, limit(0, 429));
    var end = T0.plus(JitPace.FORGOTTEN_AFTER);
    assertThat(turns.perSecond(end)).isFinite();
    assertThat(turns.perSecond(end.plusMillis(1))).isInfinite();
  }

  /** A call that never ended, and a clock that was put back, hold nobody for ever. */
  @Test
  void cn3NothingHoldsRunnersForEver() {
    var turns = new JitTurns();
    assertThat(turns.ask("linux", "a", T0)).isEmpty();
    assertThat(turns.ask("linux", "b", T0)).isEmpty();
    assertThat(turns.ask("linux", "c", T0)).isPresent();
    assertThat(turns.ask("linux", "c", T0.plusSeconds(60))).isEmpty();
    var late = T0.plusSeconds(60);
    turns.failed(late, late, limit(5, 429));
    assertThat(turns.ask("linux", "d", late)).isPresent();
    var before = T0.minusSeconds(3600);
    assertThat(turns.ask("other", "e", before)).isEmpty();
    assertThat(turns.perSecond(before)).as("what was known is from later").isInfinite();
    assertThat(turns.accepted(before, before)).as("nor is anybody due").isEmpty();
  }
}
