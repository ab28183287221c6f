package dev.runnerset.demo.scenario;

import dev.runnerset.crds.RunnerVersionStatus.From;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.demo.figures.Found;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.World;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Duration;
import java.util.List;

/**
 * The image of a set has a version near its date, then one past it, then a new one: the set says so
 * before jobs wait for ever, and asks GitHub once for each version (RN21).
 */
final class RunnerVersionScript {
  private static final String NEAR = "2.336.0";
  private static final String PAST = "2.335.1";
  private static final String NEW = "2.338.1";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final World world;
  private final Progress progress;
  private final Found found;

  RunnerVersionScript(World world, Progress progress, Found found) {
    this.world = world;
    this.progress = progress;
    this.found = found;
  }

  Found run(int jobs) {
    var now = world.now();
    world.service().runnerVersion(NEAR, now.plus(Duration.ofDays(10)), null);
    world.service().runnerVersion(PAST, now.minus(Duration.ofDays(1)), null);
    world.start();
    world.prepare();
    progress.step("a set whose image has version " + NEAR + ", which GitHub serves for 10 days");
    world.makeSet(
        World.SET,
        world.configUrl("my-org"),
        "minRunners: 2, maxRunners: " + (2 + jobs),
        container(NEAR));
    world.awaitReady(2);
    world.settle(PATIENCE, () -> has(ConditionType.RUNNER_VERSION_EXPIRING));
    boolean near =
        has(ConditionType.RUNNER_VERSION_EXPIRING) && isKnown(NEAR) && has(ConditionType.READY);
    progress.step("the image changes to version " + PAST + ", whose date was yesterday");
    image(PAST);
    world.settle(PATIENCE, () -> has(ConditionType.RUNNER_VERSION_EXPIRED));
    boolean past =
        has(ConditionType.RUNNER_VERSION_EXPIRED)
            && !has(ConditionType.RUNNER_VERSION_EXPIRING)
            && isKnown(PAST);
    progress.step(jobs + " jobs: the idle runners get none");
    world.submit(jobs, Duration.ofSeconds(2));
    world.settle(PATIENCE, this::saysThatJobsWait);
    boolean told = saysThatJobsWait() && !has(ConditionType.JOBS_STRANDED);
    progress.step("the image changes to version " + NEW);
    image(NEW);
    world.awaitJobsDone(PATIENCE);
    world.settle(PATIENCE, () -> isKnown(NEW) && !has(ConditionType.RUNNER_VERSION_EXPIRED));
    boolean over = isKnown(NEW) && !has(ConditionType.RUNNER_VERSION_EXPIRED);
    world.minRunners(0);
    world.awaitNoRunners(Duration.ofSeconds(60));
    return found
        .isTrue("nearSaid", "a-version-near-its-date-is-reported-and-Ready-stays", near)
        .isTrue("pastSaid", "a-version-past-its-date-is-reported", past)
        .isTrue("waitingSaid", "jobs-that-wait-for-it-are-reported-with-their-cause", told)
        .isTrue("overSaid", "a-new-version-ends-it", over)
        .equal("datesAsked", "one-call-for-the-dates-of-each-version", 3, calls("versionDates"))
        .equal("versionsRead", "one-reading-for-each-revision", 3, calls("getRunner"));
  }

  /** In JSON, which is YAML, too. */
  private static String container(String version) {
    return "{\"name\": \"runner\", \"image\": \"ghcr.io/actions/actions-runner:" + version + "\"}";
  }

  private void image(String version) {
    world.spec("{\"template\": {\"spec\": {\"containers\": [%s]}}}".formatted(container(version)));
  }

  private List<Condition> conditions() {
    var set = world.set();
    return set == null ? List.of() : set.statusOrNone().conditions();
  }

  private boolean has(ConditionType type) {
    return StatusConditions.isTrue(conditions(), type);
  }

  private boolean saysThatJobsWait() {
    return StatusConditions.find(conditions(), ConditionType.RUNNER_VERSION_EXPIRED)
        .filter(condition -> StatusConditions.message(condition).contains("jobs wait"))
        .isPresent();
  }

  /** Whether the status has that version, as the runner reported it. */
  private boolean isKnown(String version) {
    var set = world.set();
    var known = set == null ? null : set.statusOrNone().runnerVersion();
    return known != null && version.equals(known.version()) && known.from() == From.RUNNER;
  }

  private long calls(String endpoint) {
    return world.service().counters().getOrDefault(endpoint, 0L);
  }
}
