package dev.runnerset.e2e.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Thousands of worlds, each of its seed: I1 to I9 and RR1 to RR4 hold at every moment, in crowded
 * worlds also DM6 and DM12, and when nothing goes wrong any more, everything settles. {@code
 * -Dseed=N} plays one of each kind, {@code -Dseeds=N} so many small ones, and fewer crowded ones.
 */
final class RandomWorldIT {
  private static final long SEEDS = 2_000;

  @ParameterizedTest(name = "{0}")
  @EnumSource
  void theInvariantsHoldAndEverythingSettles(World.Kind kind) {
    var only = Long.getLong("seed");
    var seeds =
        only != null
            ? LongStream.of(only)
            : LongStream.range(0, kind.seeds(Long.getLong("seeds", SEEDS)));
    var failed = new ConcurrentHashMap<Long, String>();
    var jobs = new AtomicLong();
    var faults = new AtomicLong();
    var seconds = new AtomicLong();
    var crashes = new AtomicLong();
    var losses = new AtomicLong();
    var reruns = new AtomicLong();
    var began = System.nanoTime();
    seeds
        .parallel()
        .forEach(seed -> {
          if (failed.size() > 5) {
            return;
          }
          try {
            var result = Worlds.play(kind, seed);
            jobs.addAndGet(result.jobs());
            faults.addAndGet(result.faults());
            seconds.addAndGet(result.seconds());
            crashes.addAndGet(result.lives() - 2);
            losses.addAndGet(result.losses());
            reruns.addAndGet(result.reruns());
          } catch (AssertionError e) {
            failed.put(seed, e.getMessage());
          }
        });
    System.out.printf(
        "%s: %d jobs, %d lost, %d run again, %d faults, %d crashes, %d virtual hours, %d s%n",
        kind,
        jobs.get(),
        losses.get(),
        reruns.get(),
        faults.get(),
        crashes.get(),
        seconds.get() / 3600,
        (System.nanoTime() - began) / 1_000_000_000);
    assertThat(failed.values()).isEmpty();
  }
}
