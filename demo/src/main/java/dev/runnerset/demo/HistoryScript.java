package dev.runnerset.demo;

import java.time.Duration;
import java.util.List;

/** The image changes three times while jobs run, the last time back to the first one. */
final class HistoryScript {
  static final List<String> EXPECTED =
      List.of("Completed 2.335.1", "Partial 2.336.1", "Partial 2.336.0", "Completed 2.335.1");
  private static final int WARM = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final World world;
  private final Rollouts rollouts;
  private final Progress progress;
  private int leastWarm = Integer.MAX_VALUE;

  HistoryScript(World world, Progress progress) {
    this.world = world;
    this.rollouts = world.rollouts();
    this.progress = progress;
  }

  Findings.History run(int jobs, int runners) {
    world.begin(WARM, runners);
    world.awaitIdle(WARM);
    until("the first rollout is complete", () -> rollouts.history().equals(EXPECTED.subList(3, 4)));
    world.submit(jobs, Duration.ofSeconds(12));
    world.awaitBusy(jobs);
    world.awaitIdle(WARM);

    progress.step("another image under " + jobs + " running jobs: 2.336.0");
    rollouts.version("2.336.0");
    until(
        "a runner of the new image stands, and an old one went",
        () -> warm() && rollouts.history().size() == 2 && rollouts.free(false) < WARM);
    long busyOnTheOldImage = rollouts.busyOnAnOlderOne();
    long least = leastWarm;

    progress.step("2.336.1, and at once back to 2.335.1, while more jobs come");
    rollouts.version("2.336.1");
    until("it is noted", () -> rollouts.history().size() == 3);
    world.submit(2, Duration.ofSeconds(2));
    rollouts.version("2.335.1");
    world.awaitJobsDone(PATIENCE);
    world.settle(PATIENCE, () -> rollouts.history().equals(EXPECTED));
    world.awaitIdle(WARM);
    return new Findings.History(
        busyOnTheOldImage,
        least,
        rollouts.history().equals(EXPECTED),
        rollouts.free(false),
        rollouts.imagesOfIdlePods());
  }

  /** Notes how few runners were ready for a job, as the service sees it. */
  private boolean warm() {
    leastWarm = Math.min(leastWarm, world.idle());
    return true;
  }

  private void until(String what, java.util.function.BooleanSupplier done) {
    world.await(what, PATIENCE, done, () -> rollouts.history() + "; " + world.readyMessage());
  }
}
