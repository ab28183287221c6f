package dev.runnerset.controller.autoscalingrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.autoscalingrunnerset.OtherControllers.Read;
import dev.runnerset.controller.autoscalingrunnerset.OtherControllers.State;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

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

  record Row(String what, List<Read> reads, State last) {}

  private static Read seen(String version) {
    return new Read.Seen(version, LASTS);
  }

  private static final Read NONE = new Read.Seen("", Duration.ZERO);

  static Stream<Row> rows() {
    return Stream.of(
        new Row("seen for the first time, however old", List.of(seen("1")), State.FRESH),
        new Row("renewed each time", List.of(seen("1"), seen("2"), seen("3")), State.FRESH),
        new Row(
            "unchanged for less than its duration and a minute",
            List.of(seen("1"), seen("1"), seen("1"), seen("1"), seen("1"), seen("1"), seen("1")),
            State.FRESH),
        new Row(
            "unchanged for longer",
            List.of(
                seen("1"), seen("1"), seen("1"), seen("1"), seen("1"), seen("1"), seen("1"),
                seen("1"), seen("1")),
            State.STALE),
        new Row(
            "the same process comes back, or its next version",
            List.of(
                seen("1"), seen("1"), seen("1"), seen("1"), seen("1"), seen("1"), seen("1"),
                seen("2"), seen("2")),
            State.FRESH),
        new Row("gone for a moment", List.of(NONE, NONE, NONE), State.FRESH),
        new Row(
            "gone for a minute", List.of(NONE, NONE, NONE, NONE, NONE, NONE, NONE), State.STALE),
        new Row("not allowed", List.of(new Read.NotAllowed()), State.NOT_VISIBLE),
        new Row("allowed since", List.of(new Read.NotAllowed(), seen("1")), State.FRESH),
        new Row(
            "a server that fails makes nobody stale",
            List.of(
                seen("1"),
                seen("1"),
                seen("1"),
                seen("1"),
                seen("1"),
                seen("1"),
                seen("1"),
                new Read.Failed(),
                new Read.Failed()),
            State.FRESH),
        new Row("nothing could be read yet", List.of(new Read.Failed()), State.FRESH));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void wr11AControllerIsGoneOnceItsLeaseStandsUnchanged(Row row) {
    var last = State.FRESH;
    for (var read : row.reads()) {
      lease = read;
      last = others.of("team-a/runnerset-controller");
      nanos += OtherControllers.READ_EVERY.toNanos();
    }
    assertThat(last).isEqualTo(row.last());
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
