package dev.runnerset.controller.autoscalingrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.autoscalingrunnerset.OtherControllers.Read;
import dev.runnerset.controller.autoscalingrunnerset.OtherControllers.State;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When another controller counts as gone (WR11), by reads of its lease each 10 s. */
final class OtherControllersTest {
  private static final Duration LASTS = Duration.ofSeconds(15);

  private Read lease = new Read.Failed();
  private long nanos;
  private int reads;
  private final OtherControllers others =
      new OtherControllers(
          name -> {
            reads++;
            return lease;
          },
          () -> nanos);

  /** Each read of a row is a version, or no lease, or why there is none. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "seen for the first time, however old              | 1                    | FRESH",
        "renewed each time                                 | 1 2 3                | FRESH",
        "unchanged for less than its duration and a minute | 1 1 1 1 1 1 1        | FRESH",
        "unchanged for longer                              | 1 1 1 1 1 1 1 1 1    | STALE",
        "the same process comes back, or its next version  | 1 1 1 1 1 1 1 2 2    | FRESH",
        "gone for a moment                                 | none none none       | FRESH",
        "gone for a minute         | none none none none none none none           | STALE",
        "not allowed                                       | forbidden            | NOT_VISIBLE",
        "allowed since                                     | forbidden 1          | FRESH",
        "a server that fails makes nobody stale | 1 1 1 1 1 1 1 failed failed     | FRESH",
        "nothing could be read yet                         | failed               | FRESH",
      })
  void wr11AControllerIsGoneOnceItsLeaseStandsUnchanged(String what, String all, State expected) {
    var last = State.FRESH;
    for (var read : all.split(" ")) {
      lease =
          switch (read) {
            case "none" -> new Read.Seen("", Duration.ZERO);
            case "forbidden" -> new Read.NotAllowed();
            case "failed" -> new Read.Failed();
            default -> seen(read);
          };
      last = others.of("team-a/runnerset-controller");
      nanos += OwnershipTimes.READ_EVERY.toNanos();
    }
    assertThat(last).as(what).isEqualTo(expected);
  }

  private static Read seen(String version) {
    return new Read.Seen(version, LASTS);
  }

  @Test
  void aLeaseIsReadOnceForAllSets() {
    lease = seen("1");
    for (int set = 0; set < 100; set++) {
      assertThat(others.of("a/runnerset-controller")).isEqualTo(State.FRESH);
    }
    assertThat(reads).isEqualTo(1);
  }
}
