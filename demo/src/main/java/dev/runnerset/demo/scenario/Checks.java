package dev.runnerset.demo.scenario;

import dev.runnerset.demo.figures.Check;
import dev.runnerset.demo.figures.Figures;
import java.util.ArrayList;
import java.util.List;

/**
 * What each scenario must prove by the common figures; the bounds are those of docs/rules.md. What
 * one proves by what it found itself stands in its script.
 */
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
    return List.copyOf(checks.checks);
  }

  private void equal(String id, long expected, long actual) {
    checks.add(Check.equal(id, expected, actual));
  }

  private void atMost(String id, double expected, double actual) {
    checks.add(Check.atMost(id, expected, actual));
  }

  private void atLeast(String id, double expected, double actual) {
    checks.add(Check.atLeast(id, expected, actual));
  }

  private void ofEach() {
    equal("every-job-completed", f.jobs().submitted(), f.jobs().completed());
    if (!losesNodes()) {
      ofUndisturbedRunners();
    }
    equal("no-jit-config-used-twice", 0, f.service().jitConfigsUsedTwice());
    equal("no-registration-leaked", 0, f.service().registrationsLeaked());
    var kubernetes = f.kubernetes();
    boolean undisturbed =
        scenario != Scenario.CONTROLLER_RESTART
            && scenario != Scenario.REFERENCES
            && scenario != Scenario.SERVICE_FAULTS
            && !losesNodes();
    if (kubernetes != null && undisturbed) {
      atMost("writes-per-runner", writesPerRunner(), kubernetes.writesPerRunner());
    }
  }

  /** Runners that failed are asked for beyond the budget (I3), and the service reports each job. */
  private boolean losesNodes() {
    return scenario == Scenario.NODE_LOST || scenario == Scenario.RERUN;
  }

  private void ofUndisturbedRunners() {
    equal("no-job-lost", 0, f.jobs().lost());
    equal("no-busy-runner-removed", 0, f.runners().removedBusy());
    int violations = f.violations().size();
    checks.add(new Check("no-violations", violations == 0, "none", violations + " found"));
    equal("useless-removals-within-budget", 0, f.service().removalBudgetBreaches());
  }

  private double writesPerRunner() {
    return f.mostWritesPerRunner(
        switch (scenario) {
          case RETENTION -> WRITES_PER_RETAINED_RUNNER;
          // what was marked and not acknowledged before the kill is marked again (I8)
          case LISTENER_RESTART -> Figures.WRITES_PER_RUNNER + 1;
          // a runner that waits for its JIT config, or for a node, says so
          case SHARED_CREDENTIAL, PLACEMENT, FAILOVER -> Figures.WRITES_PER_RUNNER + 1;
          default -> Figures.WRITES_PER_RUNNER;
        });
  }

  /** What the common figures prove. */
  private void ofScenario() {
    switch (scenario) {
      case DEFAULT, SCALE_DOWN, HISTORY, SCHEDULE -> {
        equal("no-useless-removal", 0, f.service().uselessRemoveRequests());
        int least = scenario == Scenario.SCHEDULE ? 3 : 1;
        atLeast("idle-runners-removed", least, f.runners().removedIdle());
      }
      case LOST_MARKS, LEGACY -> {
        // three steps of the target, two refusals a pass, and one pass at the end of the jobs
        atMost("useless-removals", 8, f.service().uselessRemoveRequests());
        atLeast("idle-runners-removed", 1, f.runners().removedIdle());
      }
      case BURST -> {
        equal("one-runner-a-job", f.jobs().submitted(), f.runners().created());
        atMost("service-calls-per-runner", f.mostCallsPerRunner(), f.service().callsPerRunner());
      }
      // the two warm ones are made once and stand at the end
      case STEADY -> equal("one-runner-a-job", f.jobs().submitted() + 2L, f.runners().created());
      // the longest backoff, and the start itself
      case SERVICE_FAULTS ->
          atMost("longest-wait-of-a-job-ms", 45_000, f.work().queuedToStartedMs().max());
      case IDLE_AGE -> equal("no-useless-removal", 0, f.service().uselessRemoveRequests());
      case LISTENER_RESTART,
          CONTROLLER_RESTART,
          FAILOVER,
          IDLE,
          REFERENCES,
          NODE_LOST,
          PLACEMENT,
          QUOTA,
          RERUN,
          RETENTION,
          RUNNER_VERSION,
          SHARED_CREDENTIAL,
          SINGLE_NAMESPACE -> {}
    }
  }
}
