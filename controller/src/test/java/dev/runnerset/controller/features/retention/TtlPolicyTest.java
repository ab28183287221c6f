package dev.runnerset.controller.features.retention;

import static dev.runnerset.controller.ephemeralrunner.outcome.Finished.T0;
import static dev.runnerset.controller.ephemeralrunner.outcome.Finished.runner;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.ephemeralrunner.outcome.Finished;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class TtlPolicyTest {
  /** {@code seconds} after the runner finished. */
  record Row(String rule, Finished runner, long seconds, String expected) {
    @Override
    public String toString() {
      return rule;
    }
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("RT6: one second before", failed("6h", null), 21_599, "remains PT1S"),
        new Row("RT6: at zero", failed("6h", null), 21_600, "expired"),
        new Row("RT6: one second after", failed("6h", null), 21_601, "expired"),
        new Row("RT4: durations add up", succeeded(null, "1h30m"), 0, "remains PT1H30M"),
        new Row("a TTL of 0s: at completion", succeeded(null, "0s"), 0, "expired"),
        new Row("0s before the end, by a clock ahead", succeeded(null, "0s"), -1, "remains PT1S"),
        new Row("RT6: the failed TTL is not for a success", succeeded("0s", null), 9, "stays"),
        new Row("RT6: nor the reverse", failed(null, "0s"), 9, "stays"),
        new Row(
            "e11: canceled but a success",
            succeeded("0s", "1h").jobResult("canceled"),
            9,
            "remains PT59M51S"),
        new Row("RT5: no rule", runner("a").failed(), 9_999_999, "stays"),
        new Row("RT1: no condition", failed("0s", "0s").condition(null), 9, "stays"),
        new Row(
            "RT1: no condition, whatever the phase",
            failed("0s", "0s").condition(null).phase(RunnerPhase.FAILED),
            9,
            "stays"),
        new Row("RT1: Unknown", failed("0s", "0s").condition("Unknown"), 9, "stays"),
        new Row("RT10: retained", failed("0s", null).retained(), 9, "stays"),
        new Row("e10: on its way out", failed("0s", null).terminating(), 9, "stays"),
        new Row("RT2: standalone, its own TTL", failed("0s", null).standalone(), 9, "expired"),
        new Row("standalone without one", runner("a").failed().standalone(), 9_999, "stays"),
        new Row("negative: no rule", failed("-1h", null), 9_999, "stays"),
        new Row("unparsable: no rule", failed("soon", null), 9_999, "stays"),
        new Row("no transition time: never", failed("0s", null).since(null), 9, "stays"),
        new Row("an unreadable one: never", failed("0s", null).since("yesterday"), 9, "stays"),
        new Row(
            "a time zone counts",
            failed("0s", null).since("2026-11-20T14:00:01+02:00"),
            0,
            "remains PT1S"));
  }

  private static Finished failed(String failed, String succeeded) {
    return runner("a").failed().ttl(failed, succeeded);
  }

  private static Finished succeeded(String failed, String succeeded) {
    return runner("a").succeeded().ttl(failed, succeeded);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void decides(Row row) {
    var now = T0.plusSeconds(row.seconds());
    assertThat(words(row.runner().made(), now)).isEqualTo(row.expected());
  }

  private static String words(EphemeralRunner runner, Instant now) {
    return TtlPolicy.isOver(runner, now)
        ? "expired"
        : TtlPolicy.endOfTime(runner)
            .map(end -> "remains " + Duration.between(now, end))
            .orElse("stays");
  }

  static LongStream seeds() {
    return LongStream.range(0, 500);
  }

  /** Against a reckoning in milliseconds that shares nothing with the policy. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void agreesWithTheNaiveReckoning(long seed) {
    var random = new Random(seed);
    var ttls = new String[] {null, "0s", "1s", "90s", "2m", "1h", "250ms", "-3s", "x"};
    var millis = new long[] {-1, 0, 1000, 90_000, 120_000, 3_600_000, 250, -1, -1};
    int failed = random.nextInt(ttls.length);
    int succeeded = random.nextInt(ttls.length);
    var status = new String[] {null, "Unknown", "True", "False"}[random.nextInt(4)];
    boolean retained = random.nextInt(8) == 0;
    boolean terminating = random.nextInt(8) == 0;
    var given = runner("a").condition(status).ttl(ttls[failed], ttls[succeeded]);
    EphemeralRunner made = (retained ? given.retained() : given).made();
    if (terminating) {
      made.getMetadata().setDeletionTimestamp("2026-11-20T12:00:00Z");
    }
    long elapsed = random.nextLong(-2_000, 4_000_000);
    long ttl =
        "True".equals(status) ? millis[succeeded] : "False".equals(status) ? millis[failed] : -1;
    String expected;
    if (ttl < 0 || retained || terminating) {
      expected = "stays";
    } else if (ttl - elapsed <= 0) {
      expected = "expired";
    } else {
      expected = "remains " + Duration.ofMillis(ttl - elapsed);
    }
    Instant now = T0.plusMillis(elapsed);
    assertThat(words(made, now)).as("seed %d", seed).isEqualTo(expected);
  }
}
