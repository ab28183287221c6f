package dev.runnerset.listener.session;

import static dev.runnerset.listener.demand.Heard.message;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.listener.demand.Heard;
import dev.runnerset.listener.metrics.ListenerMeter;
import dev.runnerset.listener.session.FakeService.SessionFaults;
import dev.runnerset.listener.session.context.DesiredState.Stop;
import dev.runnerset.listener.session.context.DesiredState.StopReason;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A loop whose sessions are lost in every way, and whose messages cannot all be read: each fault
 * costs seconds and not the life of a session, every message is acknowledged once it is applied
 * (I8), and the demand at the end is the true one.
 */
final class LostSessionsSimTest {
  private static final int JOBS = 8;
  private static final double HEALED = 900;
  private static final double LONGEST_BACKOFF = 61; // a loop that dies is started ever later

  static LongStream seeds() {
    var given = Long.getLong("seed");
    return given != null ? LongStream.of(given) : LongStream.range(0, Long.getLong("seeds", 500));
  }

  /** Some kinds of faults are off in a world, so that the others show. */
  private static double share(Random random, double most) {
    return random.nextBoolean() ? 0 : random.nextDouble() * most;
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aFaultCostsSecondsAndNoMessageIsLost(long seed) {
    var random = new Random(seed);
    var world = new FakeWorld();
    world.service.random = random;
    world.service.faults =
        new SessionFaults(
            share(random, 0.4),
            share(random, 0.4),
            share(random, 0.4),
            share(random, 0.4),
            0, // an opening that nobody heard of cannot be ended: it costs the session's life
            share(random, 0.3));
    int poison = messages(world, random);
    world.deadly = share(random, 0.05);
    world.at(
        HEALED,
        () -> {
          world.service.faults = SessionFaults.NONE;
          world.deadly = 0;
        });
    // the counts of redelivered messages are those of their first delivery in this world
    world.at(HEALED + 50, () -> world.service.say(message("1000: a0")));
    world.at(HEALED + 200, () -> world.desire(new Stop(StopReason.SHUTDOWN)));
    new LastingLoop(world.context(), world.listener, false).run();

    assertThat(world.deafSeconds)
        .as("seed %d: %d faults in %s", seed, world.service.faultsHit, world.events)
        .isLessThan(
            1 + 5.0 * world.service.faultsHit + 2.0 * poison + LONGEST_BACKOFF * world.deaths);
    assertThat(world.service.backlog()).as("seed %d: not acknowledged", seed).isZero();
    assertThat(world.counted(ListenerMeter.MESSAGES_SKIPPED))
        .as("seed %d", seed)
        .isGreaterThanOrEqualTo(poison);
    assertThat(world.events.stream().filter(e -> e.startsWith("demand ")).toList().getLast())
        .as("seed %d: %s", seed, world.events)
        .startsWith("demand 0@");
    for (int job = 0; job < JOBS; job++) {
      var marked = world.events.indexOf("done r" + job);
      var acknowledged = world.events.indexOf("ack " + (3 * JOBS + 1 + job));
      assertThat(marked).as("seed %d: I8, job %d", seed, job).isBetween(0, acknowledged);
    }
    assertThat(world.service.open).as("seed %d: left open", seed).isEmpty();
  }

  /** Jobs that begin and end, with messages between them that cannot be read; how many of these. */
  private static int messages(FakeWorld world, Random random) {
    int poison = 0;
    for (int i = 0; i < 3 * JOBS; i++) {
      var id = i + 1;
      var odd = random.nextInt(4) == 0;
      poison += odd ? 1 : 0;
      var counts = Heard.counts("a" + (1 + random.nextInt(JOBS)));
      world.at(
          10 + 20.0 * i + random.nextDouble(),
          () -> {
            world.service.atStart = counts;
            world.service.say(
                odd
                    ? new Message(
                        id,
                        random.nextBoolean() ? counts : null,
                        List.of(),
                        List.of("element 1"),
                        false)
                    : message(id + ": a" + counts.assigned() + "; assigned j" + id));
          });
    }
    for (int job = 0; job < JOBS; job++) {
      var id = 3 * JOBS + 1 + job;
      var text = "%d: a%d; completed j%d on r%d".formatted(id, JOBS - 1 - job, job, job);
      world.at(
          500 + 20.0 * job + 1,
          () -> {
            world.service.atStart = message(text).statistics();
            world.service.say(message(text));
          });
    }
    return poison;
  }
}
