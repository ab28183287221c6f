package dev.runnerset.controller.removal;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;

import java.time.Instant;
import java.util.stream.Stream;

/** A runner, and whether a rule that removes runners without a job takes it. */
public record GoingRow(String runner, Runners made, boolean goes) {
  /** What each such rule does at that moment. */
  public static Stream<GoingRow> ofEachRule(Instant now) {
    return Stream.of(
        new GoingRow("idle", idle("a"), true),
        new GoingRow("its container runs, not registered", idle("a").unregistered(), true),
        new GoingRow("of an older revision", idle("a").older(), true),
        new GoingRow("busy", busy("a"), false),
        new GoingRow("its job is over, its container runs", busy("a").completedIn(1), false),
        new GoingRow("refused a moment ago", idle("a").suspectUntil(now.plusSeconds(1)), false),
        new GoingRow("a removal failed a moment ago", idle("a").retryAt(now.plusSeconds(1)), false),
        new GoingRow("being deleted", idle("a").terminating(), false),
        new GoingRow("asked to go", idle("a").askedToGo(), false),
        new GoingRow("ended", idle("a").endedAt(T0), false));
  }

  @Override
  public String toString() {
    return runner;
  }
}
