package dev.runnerset.e2e.chaos;

import dev.runnerset.e2e.Bars;
import java.util.List;
import java.util.Locale;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;

/**
 * What one fault did.
 *
 * @param said the condition that reported it
 * @param untrue what was said and was not so
 * @param jobsDone jobs that ended from its begin to the end of the run
 * @param restarts how often a program was started again
 */
record Found(
    ChaosFault fault,
    Seconds seconds,
    String said,
    List<String> untrue,
    long jobsDone,
    long restarts) {
  /**
   * How long the fault and its traces lasted.
   *
   * @param reported from its begin to a condition that tells of it; null if none did
   * @param well from its end until each set was well; null if one did not become well
   * @param oldestNumbers how old the numbers of jobs were at most, while no problem was reported
   * @param longestWait how long a job waited at most for its start while its set said that it was
   *     well
   * @param unreadable for how long nobody could read the sets at most
   */
  record Seconds(
      @Nullable Double held,
      @Nullable Double reported,
      @Nullable Double well,
      double oldestNumbers,
      double longestWait,
      double unreadable) {}

  /** A row for the table of docs/develop/chaos.md, and what the table has no room for. */
  String row() {
    return "| `%s` | %s | %s | %s | %s | %s | unread %s s, %d jobs, %d restarts: %s"
        .formatted(
            fault.id(),
            whole(seconds.held()),
            whole(seconds.reported()),
            whole(seconds.longestWait()),
            whole(seconds.oldestNumbers()),
            whole(seconds.well()),
            whole(seconds.unreadable()),
            jobsDone,
            restarts,
            said.isEmpty() ? "nothing was reported" : said);
  }

  private static String whole(@Nullable Double value) {
    return value == null ? "" : String.format(Locale.ROOT, "%.0f", value);
  }

  void check(SoftAssertions softly) {
    softly.assertThat(untrue).as("%s: what was said and not so", fault.id()).isEmpty();
    if (fault.words().must()) {
      Bars.within(
          softly, fault.bar().toSeconds(), seconds.reported(), "%s was reported", fault.id());
    }
    double bar = fault.wellWithin().toSeconds();
    Bars.within(softly, bar, seconds.well(), "all were well after %s", fault.id());
  }
}
