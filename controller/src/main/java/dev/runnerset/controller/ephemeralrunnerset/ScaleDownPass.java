package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.base.Parallel;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.removal.RemovalBudget;
import dev.runnerset.controller.removal.RemovalPlan;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerRemover.Outcome;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.removal.ServiceRunnerRemover;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.RunnerReason;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One pass over the chosen runners (SD5, SD6, SD7). There are no more requests in flight than
 * refusals left, and the plan is checked again before each round. The first error costs its runner
 * a backoff; the second ends the pass (docs/adr/0018).
 */
final class ScaleDownPass {
  private static final Logger LOG = LoggerFactory.getLogger(ScaleDownPass.class);

  private final ServiceRunnerRemover remover;
  private final ExecutorService threads;
  private final Meters meters;
  private final Clock clock;

  ScaleDownPass(ServiceRunnerRemover remover, ExecutorService threads, Meters meters, Clock clock) {
    this.remover = remover;
    this.threads = threads;
    this.meters = meters;
    this.clock = clock;
  }

  /**
   * The result of a pass.
   *
   * @param removed all runners that were removed
   * @param answered how many of them the service removed in answer to a request: only they reset
   *     the budget of refusals
   */
  record Tally(int removed, int answered, int refused, int failed) {
    /** The result of a pass that did not begin. */
    static final Tally NONE = new Tally(0, 0, 0, 0);
  }

  /** Asked again during the pass, since it takes time. */
  interface Recheck {
    /** How many runners of the plan may be removed in all, by the state of this moment. */
    int allowed();

    /** The resource of a chosen runner; null if the runner must not be removed any more. */
    @Nullable EphemeralRunner candidate(RunnerView chosen);
  }

  /**
   * Walks until the surplus is gone, the refusals are spent, two removals have failed, no candidate
   * is left, or this thread is interrupted.
   *
   * @param recheck asked before each round, and for each runner when its turn comes
   */
  Tally walk(RemovalPlan plan, Recheck recheck, RemovalMemory memory) {
    int removed = 0;
    int answered = 0;
    int refused = 0;
    int underWay = 0;
    int failed = 0;
    int refusals = memory.budget().refusalsLeft(clock.instant());
    var left = new ArrayList<>(plan.candidates());
    while (!left.isEmpty()
        && refused < refusals
        && failed < RemovalBudget.FAILURES_PER_PASS
        && !Thread.currentThread().isInterrupted()) {
      // a runner that somebody else removes may be gone soon, and a runner that is no longer free
      // may have ended: no other is removed in its place, the plan after this pass knows more
      int surplus = Math.min(recheck.allowed(), plan.wanted()) - removed - underWay;
      int inFlight = Math.min(refusals - refused, Math.min(surplus, left.size()));
      if (inFlight <= 0) {
        break;
      }
      var round = List.copyOf(left.subList(0, inFlight));
      left.subList(0, inFlight).clear();
      for (var outcome : round(round, recheck, plan.reason(), memory)) {
        switch (outcome) {
          case Outcome.Removed(var byUs) -> {
            removed++;
            answered += byUs ? 1 : 0;
          }
          case Outcome.Refused() -> refused++;
          case Outcome.UnderWay(), Outcome.ResourceLeft() -> underWay++;
          case Outcome.Failed _ -> failed++; // tried again after the runner's own backoff
        }
      }
    }
    return new Tally(removed, answered, refused, failed);
  }

  private List<Outcome> round(
      List<RunnerView> round, Recheck recheck, RemovalReason reason, RemovalMemory memory) {
    var tasks = new ArrayList<Callable<Outcome>>();
    for (var view : round) {
      var runner = recheck.candidate(view);
      tasks.add(
          runner == null ? Outcome.UnderWay::new : () -> removeOne(view, runner, reason, memory));
    }
    return Parallel.run(threads, tasks).stream().map(ScaleDownPass::outcome).toList();
  }

  private Outcome removeOne(
      RunnerView view, EphemeralRunner runner, RemovalReason reason, RemovalMemory memory) {
    // a runner on a cordoned node counts until it goes: its replacement would come before a refusal
    if (reason != RemovalReason.CORDONED) {
      memory.askedToGo(view.uid());
    }
    // the instant of the request: an observation made during the call may have seen the removal
    var askedAt = clock.instant();
    var outcome = ask(runner, reason);
    count(runner, outcome, reason);
    switch (outcome) {
      case Outcome.Removed _ -> {
        memory.askedToGo(view.uid());
        noteOfIdleCount(view, askedAt, memory);
      }
      case Outcome.ResourceLeft() -> {
        memory.resourceLeft(view.uid(), clock.instant());
        noteOfIdleCount(view, askedAt, memory);
      }
      case Outcome.Refused() -> memory.refused(view.uid(), remover.suspectUntil(runner));
      case Outcome.UnderWay() -> memory.unfinished(view.uid(), clock.instant());
      case Outcome.Failed(_, var message) -> {
        memory.failed(view.uid(), clock.instant());
        LOG.atWarn()
            .addKeyValue("namespace", runner.getMetadata().getNamespace())
            .addKeyValue("runner", view.name())
            .addKeyValue("error", message)
            .log("a runner could not be removed; it is tried again");
      }
    }
    return outcome;
  }

  private static void noteOfIdleCount(RunnerView view, Instant askedAt, RemovalMemory memory) {
    if (view.ready() && !view.busy() && !view.ofAnotherScaleSet()) {
      memory.removed(view.uid(), askedAt);
    }
  }

  private void count(EphemeralRunner runner, Outcome outcome, RemovalReason reason) {
    var collectedFor = RemovalRequests.removedFor(reason);
    if (outcome instanceof Outcome.Removed && collectedFor != null) {
      var meta = runner.getMetadata();
      var set = meta.getLabels().getOrDefault(Labels.SET, "");
      meters.count(Meter.RUNNERS_GARBAGE_COLLECTED, meta.getNamespace(), set, collectedFor.word());
    }
  }

  /** An unexpected error counts as a failed removal, so that the pass goes on. */
  private Outcome ask(EphemeralRunner runner, RemovalReason reason) {
    try {
      return remover.removeSurplus(runner, reason);
    } catch (RuntimeException e) {
      return new Outcome.Failed(RunnerReason.UNKNOWN, e.toString());
    }
  }

  private static Outcome outcome(Parallel.Result<Outcome> result) {
    return switch (result) {
      case Parallel.Result.Done<Outcome>(var outcome) -> outcome;
      case Parallel.Result.Failed<Outcome>(var cause) ->
          new Outcome.Failed(RunnerReason.UNKNOWN, cause.toString());
      case Parallel.Result.Unknown<Outcome>() ->
          new Outcome.UnderWay(); // the request may yet be answered
    };
  }
}
