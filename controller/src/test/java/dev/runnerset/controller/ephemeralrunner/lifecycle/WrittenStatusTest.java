package dev.runnerset.controller.ephemeralrunner.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** When what we wrote is taken for wiped: never because a cache is behind. */
final class WrittenStatusTest {
  /** {@code storedAs} and the situation's version are resourceVersions. */
  record Row(
      String rule,
      RunnerSituation written,
      @Nullable String storedAs,
      RunnerSituation seen,
      boolean wiped) {
    @Override
    public String toString() {
      return rule;
    }
  }

  private static RunnerSituation empty(String version) {
    return RunnerSituation.of("version=" + version);
  }

  private static RunnerSituation running() {
    return RunnerSituation.of("RUNNING");
  }

  private static RunnerSituation failed() {
    return RunnerSituation.of("over=FAILED/deregistered");
  }

  static Stream<Row> rows() {
    return Stream.of(
        new Row("a cache that is behind", running(), "7", empty("6"), false),
        new Row("behind by a digit", running(), "10", empty("9"), false),
        new Row("our own version", running(), "7", empty("7"), false),
        new Row("wiped", running(), "7", empty("8"), true),
        new Row("wiped, then marked", running(), "9", empty("10").and("busy"), true),
        new Row("marked", running(), "7", running().and("busy version=8"), false),
        new Row(
            "a later write of ours, unheard of", running(), "7", failed().and("version=8"), false),
        new Row("an end, wiped", failed(), "7", empty("8"), true),
        new Row(
            "an end without its condition",
            failed(),
            "7",
            RunnerSituation.of("FAILED version=8"),
            true),
        new Row("an end that was taken back", failed(), "7", running().and("version=8"), true),
        new Row("an end", failed(), "7", failed().and("version=8"), false),
        new Row("nobody reported our version", running(), null, empty("8"), false),
        new Row("versions of another kind", running(), "a", empty("b"), false));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isWiped(Row row) {
    var status = row.written().observed().observedStatus();
    var written = new WrittenStatus(status, row.storedAs());
    assertThat(written.isWipedFrom(row.seen().observed().runner())).isEqualTo(row.wiped());
  }
}
