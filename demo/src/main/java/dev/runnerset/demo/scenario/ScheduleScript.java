package dev.runnerset.demo.scenario;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.ScheduleStatus;
import dev.runnerset.demo.figures.Found;
import dev.runnerset.demo.programs.VirtualDays;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.World;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A set follows its schedule through days of spring and autumn, each change seconds after a jump of
 * the schedule's clock; then its mode changes. One session holds all of that.
 */
final class ScheduleScript {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** A jump ends so long before the expected change. */
  private static final Duration AHEAD = Duration.ofSeconds(5);

  private static final String SCHEDULE =
      """
      {"schedule": [
        {"name": "office", "timeZone": "Europe/Berlin", "start": "0 7 * * 1-5",
         "duration": "12h", "minRunners": 4, "maxRunners": 20},
        {"name": "night", "timeZone": "Europe/Berlin", "start": "30 2 * * *",
         "duration": "3h", "maxRunners": 2}]}
      """;

  /**
   * A change that must come.
   *
   * @param then the next change after it
   */
  private record Change(
      String what, String at, List<String> active, int idle, int capacity, String then) {}

  private static final Change OPENS =
      new Change(
          "Friday, 07:00 of winter: the office opens",
          "2026-03-27T06:00:00Z",
          List.of("office"),
          4,
          20,
          "2026-03-27T18:00:00Z");

  private static final List<Change> CHANGES =
      List.of(
          new Change(
              "Friday, 19:00: the office closes over running jobs",
              "2026-03-27T18:00:00Z",
              List.of(),
              1,
              10,
              "2026-03-28T01:30:00Z"),
          new Change(
              "Saturday, 02:30: the night begins",
              "2026-03-28T01:30:00Z",
              List.of("night"),
              1,
              2,
              "2026-03-28T04:30:00Z"),
          new Change(
              "Sunday, 02:30 is skipped: the night begins at 03:00 of summer",
              "2026-03-29T01:00:00Z",
              List.of("night"),
              1,
              2,
              "2026-03-29T04:00:00Z"),
          new Change(
              "Monday, 07:00 of summer: the office opens",
              "2026-03-30T05:00:00Z",
              List.of("office"),
              4,
              20,
              "2026-03-30T17:00:00Z"),
          new Change(
              "a Sunday in October, the first 02:30: the night begins",
              "2026-10-25T00:30:00Z",
              List.of("night"),
              1,
              2,
              "2026-10-25T03:30:00Z"),
          new Change(
              "the night ends 3 h later: the second 02:30 was no start",
              "2026-10-25T03:30:00Z",
              List.of(),
              1,
              10,
              "2026-10-26T01:30:00Z"));

  private final World world;
  private final Progress progress;
  private final Found found;
  private final VirtualDays days;
  private long changes;
  private long reportedBefore;
  private long rightAfter;
  private long worstLag;

  ScheduleScript(World world, Progress progress, Found found) {
    this.world = world;
    this.progress = progress;
    this.found = found;
    this.days = world.days();
  }

  Found run() {
    days.jumpTo(Instant.parse(OPENS.at).minus(Duration.ofHours(1)));
    world.begin(1, 10);
    world.spec(SCHEDULE);
    world.settle(() -> shown() != null);
    follow(OPENS);
    progress.step("3 jobs of 20 s");
    world.submit(3, Duration.ofSeconds(20));
    world.awaitBusy(3);
    CHANGES.forEach(this::follow);
    boolean reported = modes();
    var history = Objects.requireNonNull(world.set()).getStatus().history();
    long sessions = world.service().counters().getOrDefault("createSession", 0L);
    return found
        .note("changes", changes)
        .equal("reportedBefore", "each-change-is-reported-before", changes, reportedBefore)
        .equal("rightAfter", "limits-capacity-and-runners-follow", changes, rightAfter)
        .atMost("worstLagMs", "a-change-is-followed-within-ms", 5_000, worstLag)
        .equal("sessions", "one-session-for-all-changes", 1, sessions)
        .equal("rollouts", "no-change-is-a-rollout", 1, history.size())
        .isTrue("modesReported", "modes-are-reported-until-nothing-runs", reported);
  }

  private void follow(Change change) {
    progress.step(change.what);
    var at = Instant.parse(change.at);
    changes++;
    days.jumpTo(at.minus(AHEAD));
    touch();
    world.settle(() -> at.toString().equals(nextChange()));
    reportedBefore += at.toString().equals(nextChange()) && days.instant().isBefore(at) ? 1 : 0;
    world.settle(() -> change.then.equals(nextChange()));
    worstLag = Math.max(worstLag, Duration.between(at, days.instant()).toMillis());
    world.settle(() -> isRight(change));
    rightAfter += isRight(change) ? 1 : 0;
  }

  private boolean isRight(Change change) {
    var shown = shown();
    return shown != null
        && shown.active().equals(change.active)
        && change.then.equals(shown.nextChange())
        && shown.maxRunners() == change.capacity
        && world.idle() == change.idle
        && world.service().scaleSets().stream()
            .allMatch(scaleSet -> Objects.equals(scaleSet.capacity(), change.capacity));
  }

  /** Paused, drained with a job, and active again; whether each was reported while it lasted. */
  private boolean modes() {
    world.awaitJobsDone(PATIENCE);
    progress.step("mode Paused, then Drained with a job");
    world.submit(1, Duration.ofHours(1));
    world.awaitBusy(1);
    world.awaitIdle(1);
    world.spec("{\"mode\": \"Paused\"}");
    world.settle(() -> isReady("Paused"));
    boolean reported = isReady("Paused") && world.idle() == 1;
    world.spec("{\"mode\": \"Drained\"}");
    world.settle(() -> isReady("Draining") && world.idle() == 0);
    reported &= isReady("Draining") && world.busy() == 1;
    world.endJobs();
    world.awaitJobsDone(PATIENCE);
    world.settle(() -> isReady("Drained"));
    reported &= isReady("Drained");
    world.spec("{\"mode\": \"Active\"}");
    world.awaitIdle(1);
    return reported;
  }

  private boolean isReady(String reason) {
    var set = world.set();
    return set != null
        && set.statusOrNone().conditions().stream()
            .anyMatch(c -> c.getType().equals("Ready") && c.getReason().equals(reason));
  }

  private @Nullable ScheduleStatus shown() {
    var set = world.set();
    return set == null ? null : set.statusOrNone().schedule();
  }

  private @Nullable String nextChange() {
    var shown = shown();
    return shown == null ? null : shown.nextChange();
  }

  /** An event of the set, so that the controller sees that its clock has jumped. */
  private void touch() {
    world
        .kube()
        .resources(AutoScalingRunnerSet.class)
        .inNamespace(World.NAMESPACE)
        .withName(World.SET)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\": {\"annotations\": {\"demo\": \"" + changes + "\"}}}");
  }
}
