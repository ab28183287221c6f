package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.events.SetOfRunner;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.metrics.Meters;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerRemover.Outcome;
import dev.runnerset.controller.removal.ServiceRunnerRemover;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.crds.condition.RunnerReason;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Removes one runner that was chosen (SD5, SD7), and notes what came of it. Thread-safe. */
final class ChosenRemoval {
  private static final Logger LOG = LoggerFactory.getLogger(ChosenRemoval.class);

  private final ServiceRunnerRemover remover;
  private final Meters meters;
  private final Events events;

  ChosenRemoval(ServiceRunnerRemover remover, Meters meters, Events events) {
    this.remover = remover;
    this.meters = meters;
    this.events = events;
  }

  /**
   * Removes a runner. Blocks for its requests; an unexpected error counts as a failed removal.
   *
   * @param ended called with the outcome, whatever it is
   */
  Outcome run(EphemeralRunner runner, RemovalReason reason, Consumer<Outcome> ended) {
    Outcome outcome = new Outcome.Failed(RunnerReason.UNKNOWN, "it ended with an error");
    try {
      outcome = asked(runner, reason);
    } finally {
      ended.accept(outcome);
    }
    report(runner, reason, outcome);
    return outcome;
  }

  private Outcome asked(EphemeralRunner runner, RemovalReason reason) {
    try {
      return remover.removeSurplus(runner, reason);
    } catch (RuntimeException e) {
      return new Outcome.Failed(RunnerReason.UNKNOWN, e.toString());
    }
  }

  private void report(EphemeralRunner runner, RemovalReason reason, Outcome outcome) {
    var meta = runner.getMetadata();
    if (outcome instanceof Outcome.Failed(_, var message)) {
      LOG.atWarn()
          .addKeyValue("namespace", meta.getNamespace())
          .addKeyValue("runner", meta.getName())
          .addKeyValue("error", message)
          .log("a runner could not be removed; it is tried again");
    }
    if (!(outcome instanceof Outcome.Removed)) {
      return;
    }
    LOG.atInfo()
        .addKeyValue("namespace", meta.getNamespace())
        .addKeyValue("runner", meta.getName())
        .addKeyValue("reason", reason)
        .addKeyValue("why", reason.sentence())
        .log("removed a runner");
    if (reason.isCounted()) {
      var set = meta.getLabels().getOrDefault(Labels.SET, "");
      meters.count(Meter.RUNNERS_GARBAGE_COLLECTED, meta.getNamespace(), set, reason.word());
    }
    if (reason == RemovalReason.RETIRED) {
      SetOfRunner.of(runner).ifPresent(set -> noteRetired(set, meta.getName()));
    }
  }

  private void noteRetired(HasMetadata set, String name) {
    events.note(
        set,
        EventReason.RUNNER_RETIRED,
        name,
        "runner " + name + " is removed, since " + RemovalReason.RETIRED.sentence());
  }
}
