package dev.runnerset.controller.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ServiceError;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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

    double tokens;

    double filledAt;
    double now;
    int planned;
    int refused;
    int asked;

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
      var wait = turns.ask(set, runner, instant(now));
      if (wait.isPresent()) {
        double until = Duration.between(T0, wait.get().until()).toNanos() / 1e9;
        assertThat(until).as("a wait ends later").isGreaterThan(now);
        at(until + 0.005 * random.nextDouble(), () -> ask(set, runner, since));
        return;
      }
      double sent = now;
      double takes = latency * (0.8 + 0.4 * random.nextDouble());
      at(
          now + takes / 2,
          () -> {
            boolean isTaken = takeToken();
            at(now + takes / 2, () -> answered(set, runner, since, sent, isTaken));
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
      turns.ended(instant(sent), instant(now), isTaken, isTaken ? null : limit(retryAfter, 429));
      if (isTaken) {
        started.add(now - since);
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
    assertThat(world.now).isLessThanOrEqualTo(1.15 * world.least(300));
    assertThat(world.asked).as("passes").isLessThan((int) (60 * world.now));
  }

  /** What is saved up is found by sending it, so that a large bucket costs more refusals. */
  @ParameterizedTest(name = "{0} a second, {1} saved up, Retry-After {2}")
  @CsvSource({
    "1, 1, 0, 16, 1.4",
    "1, 5, 0, 18, 1.1",
    "1, 5, 1, 18, 1.1",
    "1, 50, 0, 40, 1.1",
    "5, 1, 0, 10, 1.5",
    "5, 1, 1, 10, 1.5",
    "5, 50, 0, 35, 1.1",
    "5, 50, 1, 35, 1.1",
    "20, 5, 0, 15, 1.4",
    "20, 20, 0, 30, 1.2",
    "20, 20, 1, 30, 1.2",
    "20, 50, 0, 30, 1.2",
    "100, 20, 0, 30, 2.0",
    "100, 50, 0, 30, 1.5",
    "100, 50, 1, 30, 2.5"
  })
  void cn3ABurstAtOtherServices(
      double perSecond, double bucket, int retryAfter, int mostRefused, double mostTime) {
    var world = burst(perSecond, bucket, retryAfter, 0.05);
    assertThat(world.refused).isLessThanOrEqualTo(mostRefused);
    assertThat(world.now).isLessThanOrEqualTo(mostTime * world.least(300));
    assertThat(world.asked).as("passes").isLessThan(300 * 25);
  }

  /**
   * As fast as 32 calls at once, which is the limit of a connection; the first burst grows to it.
   */
  @ParameterizedTest(name = "answers in {0} s")
  @CsvSource({"0.005", "0.05", "0.15"})
  void cn3WithoutRefusalsThereIsNoLimit(double latency) {
    var world = new World(0, 0, 0);
    world.latency = latency;
    world.burst("linux", 1000, 0);
    world.run();
    double first = world.now;
    world.burst("linux", 1000, first + 60);
    world.run();
    double second = world.now - first - 60;
    assertThat(first).isLessThan(1.5 + 1000 * latency / 32);
    assertThat(second).isLessThanOrEqualTo(0.1 + 1000 * latency / 32);
    assertThat(world.asked).as("passes").isLessThan(2000 * 5);
  }

  /**
   * 300 in turn at 32 at once take ten round trips; the calls at once grow by a quarter with each
   * answer, and who waits learns only slowly what an answer takes.
   */
  @ParameterizedTest(name = "answers in {0} s")
  @CsvSource({"0.5, 9", "2, 36", "18, 330"})
  void cn3AServiceThatIsSlowAndRefusesNothingIsNotSlowedFurther(double latency, double most) {
    var world = new World(0, 0, 0);
    world.latency = latency;
    world.burst("linux", 300, 0);
    world.run();
    assertThat(world.now).isLessThan(most);
    assertThat(world.asked).as("passes").isLessThan((int) Math.max(300 * 12, 90 * world.now));
  }

  /** Nothing is known of how long answers take: each runner comes less and less often. */
  @Test
  void cn3WhileTheServiceHangsRunnersComeSeldom() {
    var world = new World(0, 0, 0);
    world.latency = 30;
    world.burst("linux", 300, 0);
    world.at(20, () -> assertThat(world.asked).isLessThan(300 * 10));
    world.run();
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
          assertThat(wait.until()).isBetween(T0.plusSeconds(1), T0.plusSeconds(2));
          assertThat(wait.why()).as("told, though nothing is limited").isNotNull();
        });
    assertThat(turns.ask("linux", "a", T0.plusMillis(1999))).isPresent();
    assertThat(turns.ask("linux", "a", T0.plusSeconds(2))).isEmpty();
  }

  /** One job now and then, of which some are refused: so little shows nothing of the rate. */
  @Test
  void cn3A429WhileFewAreAskedForKeepsTheRate() {
    var turns = new JitTurns();
    turns.ended(T0, T0, false, limit(0, 429));
    var now = T0.plusSeconds(20);
    double before = turns.perSecond(now);
    assertThat(before).as("found meanwhile").isGreaterThan(100);
    assertThat(turns.ask("linux", "a", now)).isEmpty();
    turns.ended(now, now, true, null);
    turns.ended(now, now, false, limit(0, 429));
    assertThat(turns.perSecond(now)).isEqualTo(before);
    turns.ended(now, now, false, limit(0, 429));
    assertThat(turns.perSecond(now)).as("nothing accepted since").isEqualTo(before / 2);
    assertThat(turns.ask("linux", "a", now)).as("held for one turn").isPresent();
  }

  /** A failure of our own is no answer of the service. */
  @Test
  void cn3ACallWithoutAnAnswerTakesNoMoreAtOnce() {
    var turns = new JitTurns();
    for (int i = 0; i < 4; i++) {
      assertThat(turns.ask("linux", "a", T0)).isEmpty();
      turns.ended(T0, T0, false, null);
    }
    assertThat(turns.ask("linux", "a", T0)).isEmpty();
    assertThat(turns.ask("linux", "b", T0)).isEmpty();
    assertThat(turns.ask("linux", "c", T0)).isPresent();
  }

  /** The host asked to wait: somebody tries after 5 s, since it may have been replaced. */
  @Test
  void cn3ALongWaitIsTriedEveryFiveSeconds() {
    var turns = new JitTurns();
    assertThat(turns.ask("linux", "a", T0)).isEmpty();
    turns.ended(T0, T0, false, limit(60, 429));
    assertThat(turns.ask("linux", "a", T0.plusMillis(4900)))
        .hasValueSatisfying(wait -> assertThat(wait.until()).isEqualTo(T0.plusSeconds(5)));
    var then = T0.plusSeconds(5);
    assertThat(turns.ask("linux", "a", then)).isEmpty();
    double before = turns.perSecond(then);
    turns.ended(then, then, false, limit(55, 0)); // kept back: nothing was sent
    assertThat(turns.perSecond(then)).isEqualTo(before);
    assertThat(turns.ask("linux", "a", then)).isPresent();
  }

  @Test
  void cn3WithoutARefusalForLongTheLimitGoes() {
    var turns = new JitTurns();
    turns.ended(T0, T0, false, limit(0, 429));
    var end = T0.plus(ConnectionTimes.LIMIT_FORGOTTEN_AFTER);
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
    turns.ended(late, late, false, limit(5, 429));
    assertThat(turns.ask("linux", "d", late)).isPresent();
    var before = T0.minusSeconds(3600);
    assertThat(turns.ask("other", "e", before)).isEmpty();
    assertThat(turns.perSecond(before)).as("what was known is from later").isInfinite();
    turns.ended(before, before, false, limit(1, 429));
    assertThat(turns.perSecond(before)).as("the pace goes on").isFinite();
  }
}
