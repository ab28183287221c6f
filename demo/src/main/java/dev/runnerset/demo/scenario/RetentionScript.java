package dev.runnerset.demo.scenario;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.demo.figures.Found;
import dev.runnerset.demo.progress.Progress;
import dev.runnerset.demo.world.FinishedRunners;
import dev.runnerset.demo.world.RunnerLives;
import dev.runnerset.demo.world.World;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Looks at the finished runners of a set while its rules for them change. */
final class RetentionScript {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration MOMENT = Duration.ofSeconds(2);
  private static final Duration JOB = Duration.ofSeconds(1);
  private static final int KEPT = 5;
  private static final int CRASHES = 5;
  private static final int KEPT_FAILED = 4;
  private static final int KEPT_BY_DEFAULT = 3;
  private static final int TIMED_GOOD = 3;
  private static final int TIMED_FAILED = 2;

  private final World world;
  private final DemoOptions options;
  private final Progress progress;
  private final Found found;
  private final FinishedRunners finished;
  private final TreeSet<String> revisions = new TreeSet<>();
  private String annotated = "";
  private int heldByAnnotation;

  RetentionScript(World world, DemoOptions options, Progress progress, Found found) {
    this.world = world;
    this.options = options;
    this.progress = progress;
    this.found = found;
    finished = new FinishedRunners(world);
  }

  /** What was found, from the API server's and the service's own objects. */
  Found run() {
    int jobs = options.jobsOr(12);
    // fewer places than finished runners: these take none (I7)
    world.begin(0, options.runnersOr(6));
    try (var lives = world.watchRunners()) {
      found.atLeast("jobsAtFirst", "jobs-at-first", 8, jobs);
      keepAll(jobs);
      found.equal("wrongOnes", "a-lower-limit-takes-the-oldest", 0, lowerTheLimit());
      failures(lives);
      var older = others();
      times(lives);
      found
          .equal("takenByTime", "a-new-time-is-not-for-old-ones", 0, difference(older))
          .equal("takenWithItsRule", "a-removed-rule-takes-none", 0, withoutAnyRule())
          .equal(
              "wrongByDefault",
              "by-default-the-three-newest-failed-stay",
              0,
              crashesByDefault(lives));
      progress.step("the annotation is taken away, and its runner has a time of its own");
      annotate("null");
      ownTimes("{\"ttlAfterSucceeded\": \"1s\"}");
      world.settle(() -> !isHeld());
      int entries = required().getStatus().history().size();
      return found
          .equal("held", "retain-holds-against-limit-time-no-rule", 3, heldByAnnotation)
          .equal("leftWithout", "retain-taken-away-holds-no-more", 0, isHeld() ? 1 : 0)
          .equal("revisions", "rule4-no-edit-rolls-the-fleet", 1, revisions.size())
          .equal("historyEntries", "rule4-no-edit-is-a-rollout", 1, entries)
          .atLeast("events", "an-event-tells", 1, finished.events());
    }
  }

  private void keepAll(int jobs) {
    retention("{\"succeededLimit\": 100}");
    progress.step(
        jobs + " jobs of 1 s on at most " + options.runnersOr(6) + " runners; the last one fails");
    if (jobs > 1) {
      world.submit(jobs - 1, JOB);
    }
    world.submitFailing(1, JOB);
    world.awaitJobsDone(PATIENCE);
    world.settle(() -> finished.names().size() == jobs && finished.registrations() == 0);
    found
        .equal("kept", "a-limit-keeps-them-all", jobs, finished.names().size())
        .equal("halfReported", "one-patch-says-the-end", 0, finished.halfReported())
        .equal("secrets", "no-secret-is-left-at-completion", 0, finished.objects(Secret.class))
        .equal("pods", "pods-are-kept", jobs, finished.objects(Pod.class))
        .equal("registrations", "no-registration-is-left", 0, finished.registrations());
    world.settle(() -> live() == 0);
    found.equal("counted", "rule2-kept-ones-are-in-no-count", 0, live());
  }

  /** The oldest is annotated: it stays, and counts for nothing. */
  private long lowerTheLimit() {
    progress.step("the oldest is annotated, and the limit lowered to " + KEPT);
    var all = finished.names();
    all.stream()
        .findFirst()
        .ifPresent(name -> {
          annotated = name;
          annotate("\"true\"");
        });
    var newest = all.subList(Math.max(0, all.size() - KEPT), all.size());
    retention("{\"succeededLimit\": " + KEPT + "}");
    world.settle(() -> difference(newest) == 0);
    world.pass(MOMENT);
    noteAnnotated();
    return difference(newest);
  }

  /** All finished runners but the annotated one. */
  private List<String> others() {
    return finished.names().stream().filter(name -> !name.equals(annotated)).toList();
  }

  /** Of the others those that are missing, and those that should not be there. */
  private long difference(List<String> wanted) {
    var there = others();
    return there.stream().filter(name -> !wanted.contains(name)).count()
        + wanted.stream().filter(name -> !there.contains(name)).count();
  }

  /** Failed runners have a limit of their own; and no pods are kept from here on. */
  private void failures(RunnerLives lives) {
    progress.step(
        CRASHES + " runners crash after their job, of which " + KEPT_FAILED + " are kept");
    retention(
        "{\"succeededLimit\": 100, \"failedLimit\": %d, \"podPolicy\": \"Delete\"}"
            .formatted(KEPT_FAILED));
    var good = others();
    var crashes = new Crashes(CRASHES);
    world.node().faults(crashes);
    world.submit(CRASHES, JOB);
    world.awaitJobsDone(PATIENCE);
    world.settle(() -> lives.areOver(crashes.pods()));
    world.node().faults(pod -> Optional.empty());
    var crashed = lives.oldestFirst(crashes.pods());
    var newest = crashed.subList(Math.max(0, crashed.size() - KEPT_FAILED), crashed.size());
    var wanted = Stream.concat(good.stream(), newest.stream()).toList();
    world.settle(() -> difference(wanted) == 0);
    world.pass(MOMENT);
    var there = others();
    long wrongFailed =
        crashed.stream().filter(n -> newest.contains(n) != there.contains(n)).count();
    long lostGood = good.stream().filter(n -> !there.contains(n)).count();
    world.settle(() -> finished.objects(Pod.class, crashed) == 0);
    found
        .equal("wrongFailed", "failed-ones-have-a-limit-of-their-own", 0, wrongFailed)
        .equal("lostGood", "failed-ones-push-no-good-ones-out", 0, lostGood)
        .equal(
            "podsOfFailed",
            "podPolicy-Delete-keeps-no-pods",
            0,
            finished.objects(Pod.class, crashed))
        .equal("failedByJob", "outcomeFrom-Job-lets-the-job-decide", 1, failedByJob(lives));
  }

  /** How many runners count as failed for their job alone. */
  private long failedByJob(RunnerLives lives) {
    progress.step("a job fails, and outcomeFrom says Job");
    retention("{\"outcomeFrom\": \"Job\"}");
    var before = lives.names();
    world.submitFailing(1, JOB);
    world.awaitJobsDone(PATIENCE);
    world.settle(() -> lives.since(before).stream().anyMatch(life -> life.outcome().isPresent()));
    return lives.since(before).stream()
        .filter(life -> life.didItsWork() && life.isFailed())
        .count();
  }

  /** Each outcome has a time of its own; a time of the annotated one changes nothing. */
  private void times(RunnerLives lives) {
    progress.step("times for runners to come: 2 s for good ones, 12 s for failed ones");
    retention(
        """
        {"succeededLimit": 100, "failedLimit": 100, "podPolicy": null, "outcomeFrom": null,
         "ttlAfterSucceeded": "2s", "ttlAfterFailed": "12s"}
        """);
    ownTimes("{\"ttlAfterSucceeded\": \"1s\"}");
    var before = lives.names();
    var crashes = new Crashes(TIMED_FAILED);
    world.node().faults(crashes);
    world.submit(TIMED_GOOD + TIMED_FAILED, JOB);
    world.awaitJobsDone(PATIENCE);
    world.settle(
        Duration.ofSeconds(45),
        () -> lives.since(before).stream().allMatch(life -> life.gone() != null));
    world.node().faults(pod -> Optional.empty());
    noteAnnotated();
    ownTimes("null");
    var good = lives.keptMillis(before, false);
    var failed = lives.keptMillis(before, true);
    // not each of them was seen to end so and to go: -1
    long shortestGood = good.size() == TIMED_GOOD ? good.getFirst() : -1;
    long shortestFailed = failed.size() == TIMED_FAILED ? failed.getFirst() : -1;
    long longest =
        Math.max(good.isEmpty() ? 0 : good.getLast(), failed.isEmpty() ? 0 : failed.getLast());
    // a time that is over counts in whole seconds; the other outcome's time is not theirs
    found
        .atLeast("shortestGoodMs", "ttlAfterSucceeded-is-kept-ms", 2_000, shortestGood)
        .atMost("shortestGoodMs", "ttlAfterSucceeded-is-not-that-of-failed", 11_999, shortestGood)
        .atLeast("shortestFailedMs", "ttlAfterFailed-is-kept-ms", 12_000, shortestFailed)
        .atMost("longestMs", "a-time-that-is-over-deletes-ms", 30_000, longest);
  }

  /** Those that finished before stay, and the annotated one. */
  private long withoutAnyRule() {
    progress.step("the rules are removed");
    var before = others();
    retention("null");
    world.pass(MOMENT);
    noteAnnotated();
    return difference(before);
  }

  /** A rule for good ones changes nothing for failed ones: the three newest of these stay. */
  private long crashesByDefault(RunnerLives lives) {
    int count = KEPT_BY_DEFAULT + 1;
    progress.step("a rule for good ones only, and " + count + " runners crash");
    retention("{\"succeededLimit\": 100}");
    var before = others();
    var crashes = new Crashes(count);
    world.node().faults(crashes);
    world.submit(count, JOB);
    world.awaitJobsDone(PATIENCE);
    world.settle(() -> lives.areOver(crashes.pods()));
    world.node().faults(pod -> Optional.empty());
    var wanted =
        Stream.concat(before.stream(), lives.oldestFirst(crashes.pods()).stream().skip(1)).toList();
    world.settle(() -> difference(wanted) == 0);
    world.pass(MOMENT);
    return difference(wanted);
  }

  private void annotate(String value) {
    if (!annotated.isEmpty()) {
      world.mergeRunner(
          annotated,
          "{\"metadata\": {\"annotations\": {\"%s\": %s}}}".formatted(Labels.RETAIN, value));
    }
  }

  private void ownTimes(String block) {
    if (!annotated.isEmpty()) {
      world.mergeRunner(annotated, "{\"spec\": {\"retention\": %s}}".formatted(block));
    }
  }

  private boolean isHeld() {
    return finished.names().contains(annotated);
  }

  private void noteAnnotated() {
    heldByAnnotation += isHeld() ? 1 : 0;
  }

  private void retention(String block) {
    noteRevision();
    world.spec("{\"retention\": " + block + "}");
    world.settle(this::areRulesInTemplate);
    world.pass(MOMENT);
    noteRevision();
  }

  private void noteRevision() {
    var revision = required().getStatus().revision();
    if (revision != null) {
      revisions.add(revision);
    }
  }

  private AutoScalingRunnerSet required() {
    return Objects.requireNonNull(world.set(), "the set is there while this runs");
  }

  /** As runners are made of it: the set's own spec is what this script wrote. */
  private boolean areRulesInTemplate() {
    var ers = world.runnerSet();
    return ers != null
        && Objects.equals(ers.getSpec().retention(), required().getSpec().retention());
  }

  private int live() {
    var runners = required().getStatus().runners();
    return runners == null ? -1 : runners.live() + runners.idle() + runners.busy();
  }
}
