package dev.runnerset.demo.scenario;

import dev.runnerset.demo.figures.Check;
import dev.runnerset.demo.figures.Figures;
import dev.runnerset.demo.figures.Findings;
import java.util.ArrayList;
import java.util.List;

/** What each scenario must prove; the bounds are those of docs/rules.md. */
public final class Checks {
  /** The status of its end, that of its deregistration, and the deletion of its secret are more. */
  private static final double WRITES_PER_RETAINED_RUNNER = 11;

  private final Scenario scenario;
  private final Figures f;
  private final List<Check> checks = new ArrayList<>();

  private Checks(Scenario scenario, Figures figures) {
    this.scenario = scenario;
    f = figures;
  }

  public static List<Check> of(Scenario scenario, Figures figures) {
    var checks = new Checks(scenario, figures);
    checks.ofEach();
    checks.ofScenario();
    checks.of(figures.extra().findings());
    return List.copyOf(checks.checks);
  }

  private void equal(String id, long expected, long actual) {
    checks.add(Check.equal(id, expected, actual));
  }

  private void isTrue(String id, boolean actual) {
    checks.add(Check.isTrue(id, actual));
  }

  private void atMost(String id, double expected, double actual) {
    checks.add(Check.atMost(id, expected, actual));
  }

  private void atLeast(String id, double expected, double actual) {
    checks.add(Check.atLeast(id, expected, actual));
  }

  private void ofEach() {
    equal("every-job-completed", f.jobs().submitted(), f.jobs().completed());
    equal("no-job-lost", 0, f.jobs().lost());
    equal("no-busy-runner-removed", 0, f.runners().removedBusy());
    int violations = f.violations().size();
    checks.add(new Check("no-violations", violations == 0, "none", violations + " found"));
    equal("no-jit-config-used-twice", 0, f.service().jitConfigsUsedTwice());
    equal("no-registration-leaked", 0, f.service().registrationsLeaked());
    equal("useless-removals-within-budget", 0, f.service().removalBudgetBreaches());
    var kubernetes = f.kubernetes();
    boolean undisturbed =
        scenario != Scenario.CONTROLLER_RESTART && scenario != Scenario.REFERENCES;
    if (kubernetes != null && undisturbed) {
      atMost("writes-per-runner", writesPerRunner(), kubernetes.writesPerRunner());
    }
  }

  private double writesPerRunner() {
    return f.mostWritesPerRunner(
        switch (scenario) {
          case RETENTION -> WRITES_PER_RETAINED_RUNNER;
          // what was marked and not acknowledged before the kill is marked again (I8)
          case LISTENER_RESTART -> Figures.WRITES_PER_RUNNER + 1;
          default -> Figures.WRITES_PER_RUNNER;
        });
  }

  /** What the common figures prove. */
  private void ofScenario() {
    switch (scenario) {
      case DEFAULT, SCALE_DOWN -> {
        equal("no-useless-removal", 0, f.service().uselessRemoveRequests());
        atLeast("idle-runners-removed", 1, f.runners().removedIdle());
      }
      case LOST_MARKS -> {
        // three steps of the target, two refusals a pass, and one pass at the end of the jobs
        atMost("useless-removals", 8, f.service().uselessRemoveRequests());
        atLeast("idle-runners-removed", 1, f.runners().removedIdle());
      }
      case BURST -> {
        equal("one-runner-a-job", f.jobs().submitted(), f.runners().created());
        atMost("service-calls-per-runner", 1, f.service().callsPerRunner());
      }
      // the two warm ones are made once and stand at the end
      case STEADY -> equal("one-runner-a-job", f.jobs().submitted() + 2L, f.runners().created());
      case LISTENER_RESTART,
          CONTROLLER_RESTART,
          IDLE,
          IDLE_AGE,
          REFERENCES,
          RETENTION,
          SCHEDULE,
          HISTORY,
          SINGLE_NAMESPACE -> {}
    }
  }

  /** What the scenario's own findings prove. */
  private void of(Findings findings) {
    switch (findings) {
      case Findings.None _ -> {}
      case Findings.Restart restart -> {
        int most = scenario == Scenario.LISTENER_RESTART ? 45_000 : 60_000;
        atMost("done-within-ms-of-restart", most, restart.restartToAllDoneMs());
      }
      case Findings.Steady steady -> equal("no-warm-runner-removed", 0, steady.removedWarm());
      case Findings.Idle idle -> {
        if (idle.idleWrites() != null) {
          equal("no-writes-while-idle", 0, idle.idleWrites());
        }
        equal("no-calls-while-idle", 0, idle.idleCalls());
      }
      case Findings.IdleAge age -> idleAge(age);
      case Findings.References references -> references(references);
      case Findings.Retention retention -> retention(retention);
      case Findings.History history -> history(history);
      case Findings.Schedule schedule -> schedule(schedule);
    }
  }

  private void idleAge(Findings.IdleAge found) {
    var counted = found.collected();
    atLeast("collected-for-age", 2, counted.collectedForAge());
    equal("each-removal-was-for-age", counted.collectedForAge(), counted.removedBeforeTheEnd());
    equal("none-for-capacity", 0, counted.collectedForCapacity());
    var ages = found.ages();
    // a container starts 4 s after its runner is made: counted from there, it would go at once
    atLeast("an-age-counts-from-idle-ms", 4_000, ages.firstMs());
    atMost("a-set-has-an-age-of-its-own-ms", 15_999, ages.firstMs());
    equal("a-set-may-say-never", 0, ages.whileNever());
    atLeast("the-age-of-the-operator-counts-ms", 16_000, ages.afterRestartMs());
    // an age that begins anew is over 16 s after the start, or later
    atMost("an-age-outlives-a-restart-ms", 15_999, ages.sinceRestartMs());
    isTrue("retain-holds-an-idle-one", ages.annotatedStays());
    atLeast("pool-never-empty", 1, found.pool().leastIdle());
    equal("target-not-lowered", 4, found.pool().leastReplicas());
    atLeast("replaced", 1, found.pool().poolFilledAgain());
    equal("no-useless-removal", 0, f.service().uselessRemoveRequests());
    isTrue("told-by-configz", found.toldByConfigz());
  }

  private void schedule(Findings.Schedule found) {
    equal("each-change-is-told-before", found.changes(), found.toldBefore());
    equal("limits-capacity-and-runners-follow", found.changes(), found.rightAfter());
    atMost("a-change-is-followed-within-ms", 5_000, found.worstLagMs());
    equal("one-session-for-all-changes", 1, found.sessions());
    equal("no-change-is-a-rollout", 1, found.rollouts());
    equal("modes-are-told-until-nothing-runs", 1, found.modesTold());
    equal("no-useless-removal", 0, f.service().uselessRemoveRequests());
    atLeast("idle-runners-removed", 3, f.runners().removedIdle());
  }

  private void references(Findings.References found) {
    equal("references-are-the-live-runners-in-order", 0, found.wrongLists());
    equal("the-set-names-its-two-children", 0, found.wrongListsOfTheSet());
    if (found.parentWritesInQuiet() != null) {
      equal("changes-of-runners-write-no-parent", 0, found.parentWritesInQuiet());
    }
    equal("nothing-stale-after-a-switch", 0, found.staleFields());
    equal("every-reference-says-why", 0, found.unexplained());
    atLeast("some-are-for-demand", 1, found.forDemand());
    var bytes = found.bytesAReference();
    atMost("bytes-a-reference", 200, bytes == null ? Long.MAX_VALUE : bytes);
  }

  private void retention(Findings.Retention found) {
    var then = found.atCompletion();
    atLeast("jobs-at-first", 8, found.jobsAtFirst());
    equal("a-limit-keeps-them-all", found.jobsAtFirst(), then.kept());
    equal("one-patch-says-the-end", 0, then.halfTold());
    equal("no-secret-is-left-at-completion", 0, then.secrets());
    equal("no-registration-is-left", 0, then.registrations());
    equal("pods-are-kept", found.jobsAtFirst(), then.pods());
    equal("rule2-kept-ones-are-in-no-count", 0, then.counted());
    equal("a-lower-limit-takes-the-oldest", 0, found.afterChanges().wrongOnes());
    equal("a-new-time-is-not-for-old-ones", 0, found.afterChanges().takenByTime());
    equal("rule4-no-edit-rolls-the-fleet", 1, found.traces().revisions());
    equal("rule4-no-edit-is-a-rollout", 1, found.traces().historyEntries());
    equal("a-removed-rule-takes-none", 0, found.afterChanges().takenWithItsRule());
    equal("by-default-the-three-newest-failed-stay", 0, found.afterChanges().wrongByDefault());
    var failures = found.failures();
    equal("failed-ones-have-a-limit-of-their-own", 0, failures.wrongFailed());
    equal("failed-ones-push-no-good-ones-out", 0, failures.lostGood());
    equal("podPolicy-Delete-keeps-no-pods", 0, failures.podsOfFailed());
    equal("outcomeFrom-Job-lets-the-job-decide", 1, failures.failedByJob());
    equal("retain-holds-against-limit-time-no-rule", 3, found.annotation().held());
    equal("retain-taken-away-holds-no-more", 0, found.annotation().leftWithout());
    // a time that is over counts in whole seconds; the other outcome's time is not theirs
    atLeast("ttlAfterSucceeded-is-kept-ms", 2_000, found.times().shortestGoodMs());
    atMost("ttlAfterSucceeded-is-not-that-of-failed", 11_999, found.times().shortestGoodMs());
    atLeast("ttlAfterFailed-is-kept-ms", 12_000, found.times().shortestFailedMs());
    atMost("a-time-that-is-over-deletes-ms", 30_000, found.times().longestMs());
    atLeast("an-event-tells", 1, found.traces().events());
  }

  private void history(Findings.History found) {
    isTrue("history-as-expected", found.historyAsExpected());
    var full = found.fullHistory();
    equal("a-full-history-stays-of-100-entries", LongHistory.ENTRIES, full.entries());
    isTrue("the-entries-of-least-worth-go", full.leastWorthGone());
    isTrue("the-initial-entry-stays", full.initialStays());
    equal("idle-of-an-older-image", 0, found.idleOfAnOlderImage());
    equal("images-of-idle-pods", 1, found.imagesOfIdlePods());
    atLeast("busy-ones-kept-their-image", 1, found.busyOnTheOldImage());
    // the replacements come first: as many stand as there were
    atLeast("least-warm-runners", 2, found.leastWarm());
    equal("no-useless-removal", 0, f.service().uselessRemoveRequests());
    atLeast("idle-runners-removed", 1, f.runners().removedIdle());
  }
}
