package dev.runnerset.demo;

import java.util.ArrayList;
import java.util.List;

/** What each scenario must prove; the bounds are those of docs/rules.md. */
final class Checks {
  /** Of a runner whose pod started within 2 s; a slower one has one more (BG1). */
  private static final double WRITES_PER_RUNNER = 8;

  /** The status of its end, that of its deregistration, and the deletion of its secret are more. */
  private static final double WRITES_PER_RETAINED_RUNNER = 11;

  private Checks() {}

  static Figures judge(DemoOptions options, Figures f) {
    var checks = new ArrayList<Check>();
    checks.add(Check.equal("every-job-completed", f.jobs().submitted(), f.jobs().completed()));
    checks.add(Check.equal("no-job-lost", 0, f.jobs().lost()));
    checks.add(Check.equal("no-busy-runner-removed", 0, f.runners().removedBusy()));
    checks.add(
        Check.holds(
            "no-violations", f.violations().isEmpty(), "none", f.violations().size() + " found"));
    checks.add(Check.equal("no-jit-config-used-twice", 0, f.service().jitConfigsUsedTwice()));
    checks.add(Check.equal("no-registration-leaked", 0, f.service().registrationsLeaked()));
    checks.add(
        Check.equal("useless-removals-within-budget", 0, f.service().removalBudgetBreaches()));
    var kubernetes = f.kubernetes();
    boolean undisturbed =
        options.scenario() != Scenario.CONTROLLER_RESTART
            && options.scenario() != Scenario.REFERENCES;
    if (kubernetes != null && undisturbed) {
      checks.add(
          Check.atMost(
              "writes-per-runner", writes(options.scenario(), f), kubernetes.writesPerRunner()));
    }
    ofScenario(options.scenario(), f, checks);
    return new Figures(
        f.scenario(),
        f.cluster(),
        f.jobs(),
        f.queuedToStartedMs(),
        f.completedToRemovedMs(),
        f.podStartMs(),
        f.runners(),
        f.service(),
        f.kubernetes(),
        f.cpuMs(),
        f.extra(),
        f.violations(),
        f.elapsedMs(),
        List.copyOf(checks),
        checks.stream().allMatch(Check::ok));
  }

  private static double writes(Scenario scenario, Figures f) {
    double each =
        switch (scenario) {
          case RETENTION -> WRITES_PER_RETAINED_RUNNER;
          // what was marked and not acknowledged before the kill is marked again (I8)
          case LISTENER_RESTART -> WRITES_PER_RUNNER + 1;
          default -> WRITES_PER_RUNNER;
        };
    double slow = f.extra().getOrDefault("slowStarts", 0L);
    return Math.ceil(100 * (each + slow / Math.max(1, f.runners().created()))) / 100;
  }

  private static void ofScenario(Scenario scenario, Figures f, List<Check> checks) {
    switch (scenario) {
      case DEFAULT, SCALE_DOWN -> {
        checks.add(Check.equal("no-useless-removal", 0, f.service().uselessRemoveRequests()));
        checks.add(Check.atLeast("idle-runners-removed", 1, f.runners().removedIdle()));
      }
      case LOST_MARKS -> {
        // three steps of the target, two refusals a pass, and one pass at the end of the jobs
        checks.add(Check.atMost("useless-removals", 8, f.service().uselessRemoveRequests()));
        checks.add(Check.atLeast("idle-runners-removed", 1, f.runners().removedIdle()));
      }
      case BURST -> {
        checks.add(Check.equal("one-runner-a-job", f.jobs().submitted(), f.runners().created()));
        checks.add(Check.atMost("service-calls-per-runner", 1, f.service().callsPerRunner()));
      }
      case STEADY -> {
        // the two warm ones are made once and stand at the end
        checks.add(
            Check.equal("one-runner-a-job", f.jobs().submitted() + 2L, f.runners().created()));
        checks.add(Check.equal("no-warm-runner-removed", 0, value(f, "removedWarm")));
      }
      case REFERENCES -> references(f, checks);
      case IDLE -> {
        if (f.kubernetes() != null) {
          checks.add(Check.equal("no-writes-while-idle", 0, value(f, "idleWrites")));
        }
        checks.add(Check.equal("no-calls-while-idle", 0, value(f, "idleCalls")));
      }
      case IDLE_AGE -> {
        long collected = value(f, "collectedForAge");
        checks.add(Check.atLeast("collected-for-age", 2, collected));
        checks.add(
            Check.equal("each-removal-was-for-age", collected, value(f, "removedBeforeTheEnd")));
        checks.add(Check.equal("none-for-capacity", 0, value(f, "collectedForCapacity")));
        checks.add(Check.atLeast("pool-never-empty", 1, value(f, "leastIdle")));
        checks.add(Check.equal("target-not-lowered", 4, value(f, "leastReplicas")));
        checks.add(Check.atLeast("replaced", 1, value(f, "poolFilledAgain")));
        checks.add(Check.equal("no-useless-removal", 0, f.service().uselessRemoveRequests()));
        checks.add(Check.equal("told-by-configz", 1, value(f, "toldByConfigz")));
      }
      case RETENTION -> retention(f, checks);
      case HISTORY -> {
        checks.add(Check.equal("history-as-expected", 1, value(f, "historyAsExpected")));
        checks.add(Check.equal("idle-of-an-older-image", 0, value(f, "idleOfAnOlderImage")));
        checks.add(Check.equal("images-of-idle-pods", 1, value(f, "imagesOfIdlePods")));
        checks.add(Check.atLeast("busy-ones-kept-their-image", 1, value(f, "busyOnTheOldImage")));
        // the replacements come first: as many stand as there were
        checks.add(Check.atLeast("least-warm-runners", 2, value(f, "leastWarm")));
        checks.add(Check.equal("no-useless-removal", 0, f.service().uselessRemoveRequests()));
        checks.add(Check.atLeast("idle-runners-removed", 1, f.runners().removedIdle()));
      }
      case LISTENER_RESTART -> {
        var taken = f.extra().getOrDefault("restartToAllDoneMs", Long.MAX_VALUE);
        checks.add(Check.atMost("done-within-ms-of-restart", 45_000, taken));
      }
      case CONTROLLER_RESTART -> {
        var taken = f.extra().getOrDefault("restartToAllDoneMs", Long.MAX_VALUE);
        checks.add(Check.atMost("done-within-ms-of-restart", 60_000, taken));
      }
    }
  }

  private static void references(Figures f, List<Check> checks) {
    checks.add(Check.equal("references-are-the-live-runners-in-order", 0, value(f, "wrongLists")));
    checks.add(Check.equal("the-set-names-its-two-children", 0, value(f, "wrongListsOfTheSet")));
    if (f.kubernetes() != null) {
      checks.add(
          Check.equal("changes-of-runners-write-no-parent", 0, value(f, "parentWritesInQuiet")));
    }
    checks.add(Check.equal("nothing-stale-after-a-switch", 0, value(f, "staleFields")));
    checks.add(Check.equal("every-reference-says-why", 0, value(f, "unexplained")));
    checks.add(Check.atLeast("some-are-for-demand", 1, value(f, "forDemand")));
    checks.add(
        Check.atMost(
            "bytes-a-reference", 200, f.extra().getOrDefault("bytesAReference", Long.MAX_VALUE)));
  }

  private static void retention(Figures f, List<Check> checks) {
    long jobs = value(f, "jobsAtFirst");
    checks.add(Check.atLeast("jobs-at-first", 8, jobs));
    checks.add(Check.equal("a-limit-keeps-them-all", jobs, value(f, "kept")));
    checks.add(Check.equal("one-patch-says-the-end", 0, value(f, "halfTold")));
    checks.add(Check.equal("no-secret-is-left-at-completion", 0, value(f, "secrets")));
    checks.add(Check.equal("no-registration-is-left", 0, value(f, "registrations")));
    checks.add(Check.equal("pods-are-kept", jobs, value(f, "pods")));
    checks.add(Check.equal("rule2-kept-ones-are-in-no-count", 0, value(f, "counted")));
    checks.add(Check.equal("a-lower-limit-takes-the-oldest", 0, value(f, "wrongOnes")));
    checks.add(Check.equal("a-new-time-is-not-for-old-ones", 0, value(f, "takenByTime")));
    checks.add(Check.equal("rule4-no-edit-rolls-the-fleet", 1, value(f, "revisions")));
    checks.add(Check.equal("rule4-no-edit-is-a-rollout", 1, value(f, "historyEntries")));
    checks.add(Check.equal("without-a-rule-all-go", 0, value(f, "leftWithoutRule")));
    checks.add(Check.atLeast("an-event-tells", 1, value(f, "events")));
  }

  /** What the script measured; -1 fails every check that it was forgotten for. */
  private static long value(Figures f, String name) {
    return f.extra().getOrDefault(name, -1L);
  }
}
