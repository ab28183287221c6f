package dev.runnerset.demo.scenario;

import dev.runnerset.demo.figures.Found;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.Rollouts;
import dev.runnerset.demo.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The image changes three times while jobs run, the last time back to the first one; the history
 * was full before.
 */
final class HistoryScript {
  static final List<String> EXPECTED =
      List.of("Completed 2.338.1", "Partial 2.339.1", "Partial 2.339.0", "Completed 2.338.1");
  private static final int WARM = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The script ends its jobs once it has read the history. */
  private static final Duration UNTIL_ENDED = Duration.ofHours(1);

  private final World world;
  private final Rollouts rollouts;
  private final Progress progress;
  private final Found found;
  private int leastWarm = Integer.MAX_VALUE;

  HistoryScript(World world, Progress progress, Found found) {
    this.world = world;
    this.rollouts = world.rollouts();
    this.progress = progress;
    this.found = found;
  }

  Found run(int jobs, int runners) {
    progress.step("a set with a history of " + LongHistory.ENTRIES + ", then the controller");
    world.make(WARM, runners);
    world.leaveStatus(LongHistory.status(world.now()));
    world.start();
    world.awaitReady(WARM);
    until("the first rollout is complete", () -> rollouts.current().equals(EXPECTED.getLast()));
    world.submit(jobs, UNTIL_ENDED);
    world.awaitBusy(jobs);
    world.awaitIdle(WARM);
    // a warm runner that the controller takes for a starting one is replaced first
    until("the set counts " + WARM + " idle runners", this::countsTheWarmOnes);

    progress.step("another image under " + jobs + " running jobs: 2.339.0");
    rollouts.version("2.339.0");
    until(
        "a runner of the new image stands, and an old one went",
        () -> warm() && isCurrent("2.339.0") && rollouts.free(false) < WARM);
    long busyOnTheOldImage = rollouts.busyOnAnOlderOne();
    long least = leastWarm;

    progress.step("2.339.1, and at once back to 2.338.1, while more jobs come");
    rollouts.version("2.339.1");
    until("it is noted", () -> isCurrent("2.339.1"));
    world.submit(2, Duration.ofSeconds(2));
    rollouts.version("2.338.1");
    world.endJobs();
    world.awaitJobsDone(PATIENCE);
    world.settle(PATIENCE, this::isAsExpected);
    world.awaitIdle(WARM);
    var revisions = rollouts.revisions();
    var wanted = new ArrayList<>(LongHistory.revisions());
    wanted.removeAll(LongHistory.leastWorth());
    var others = revisions.stream().skip(EXPECTED.size()).toList();
    return found
        .atLeast("busyOnTheOldImage", "busy-ones-kept-their-image", 1, busyOnTheOldImage)
        // the replacements come first: as many stand as there were
        .atLeast("leastWarm", "least-warm-runners", WARM, least)
        .isTrue("historyAsExpected", "history-as-expected", isAsExpected())
        .equal("idleOfAnOlderImage", "idle-of-an-older-image", 0, rollouts.free(false))
        .equal("imagesOfIdlePods", "images-of-idle-pods", 1, rollouts.imagesOfIdlePods())
        .equal(
            "entries", "a-full-history-stays-of-100-entries", LongHistory.ENTRIES, revisions.size())
        .isTrue("leastWorthGone", "the-entries-of-least-worth-go", others.equals(wanted))
        .isTrue(
            "initialStays",
            "the-initial-entry-stays",
            revisions.contains(LongHistory.revisions().getLast()));
  }

  private boolean countsTheWarmOnes() {
    var set = world.set();
    var runners = set == null ? null : set.statusOrNone().runners();
    return runners != null && runners.idle() >= WARM;
  }

  private boolean isAsExpected() {
    return rollouts.newest(EXPECTED.size()).equals(EXPECTED);
  }

  private boolean isCurrent(String version) {
    return rollouts.current().endsWith(" " + version);
  }

  /** Notes how few runners were ready for a job, as the service sees it. */
  private boolean warm() {
    leastWarm = Math.min(leastWarm, world.idle());
    return true;
  }

  private void until(String what, BooleanSupplier done) {
    world.await(
        what, PATIENCE, done, () -> rollouts.newest(EXPECTED.size()) + "; " + world.readyMessage());
  }
}
