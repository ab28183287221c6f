package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.audit.AuditState;
import dev.runnerset.controller.audit.AuditedSets;
import dev.runnerset.controller.audit.CountsReader;
import dev.runnerset.controller.metrics.LeftOver;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.removal.Now;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.controller.removal.RunnerRemover.Outcome;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** Gives the sweep for left-overs the sets of the caches, and removes what it finds. */
record CachedSets(
    RunnerGathering gathering,
    ReplicasActions actions,
    SetMemories memories,
    RunnerRemover remover,
    CountsReader reader,
    Clock clock,
    Predicate<SetKey> anothers)
    implements AuditedSets {

  @Override
  public List<EphemeralRunnerSet> all() {
    return memories
        .known()
        .sets()
        .filter(set -> !set.isMarkedForDeletion())
        .filter(set -> set.getSpec().runnerScaleSetId() > 0)
        .filter(set -> !anothers.test(SetKey.of(set)))
        .toList();
  }

  @Override
  public Optional<EphemeralRunnerSet> one(String namespace, String name) {
    return memories.known().set(namespace, name);
  }

  @Override
  public AtomicReference<AuditState> memory(EphemeralRunnerSet set) {
    return memories.memory(set).audit();
  }

  @Override
  public List<RunnerView> runners(EphemeralRunnerSet set) {
    var memory = memories.memory(set);
    return memories
        .known()
        .labelled(SetKey.of(set))
        .filter(runner -> Ownership.isOf(runner, set))
        .map(runner -> gathering.view(set, runner, memory, clock.instant()))
        .toList();
  }

  @Override
  public Optional<EphemeralRunner> runner(String namespace, String name) {
    return memories.known().runner(namespace, name);
  }

  @Override
  public boolean isNameOf(EphemeralRunnerSet set, String name) {
    return RunnerTemplate.isNameOf(set.getMetadata().getName(), name);
  }

  @Override
  public void readCounts(EphemeralRunnerSet set) {
    reader.read(set, memory(set), Runnable::run, () -> {});
  }

  @Override
  public Optional<LeftOver.Result> removeRegistration(
      EphemeralRunnerSet set, String name, long id) {
    var leftOver = RunnerTemplate.leftOver(set, name, id);
    var removals = memories.memory(set).removals();
    if (!removals.begin(clock.instant())) {
      return Optional.empty();
    }
    Optional<Outcome> found = Optional.empty();
    try {
      found = remover.removeLeftOver(leftOver);
    } finally {
      removals.end(found.orElseGet(Outcome.UnderWay::new), true, clock.instant());
      actions.trigger(set);
    }
    return Optional.of(found.map(CachedSets::result).orElse(LeftOver.Result.FOREIGN));
  }

  @Override
  public Optional<LeftOver.Result> removeRunner(EphemeralRunnerSet set, RunnerView unregistered) {
    var now = new Now(clock.instant());
    return runner(set.getMetadata().getNamespace(), unregistered.name())
        .filter(runner -> unregistered.uid().equals(runner.getMetadata().getUid()))
        // it may have got a job while the service was asked about others
        .filter(
            runner -> gathering.view(set, runner, memories.memory(set), now.instant()).isFree(now))
        .flatMap(runner -> actions.removeNow(set, unregistered, runner, RemovalReason.UNREGISTERED))
        .map(CachedSets::result)
        .map(result -> result == LeftOver.Result.GONE ? LeftOver.Result.REMOVED : result);
  }

  private static LeftOver.Result result(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Removed(var byUs) -> byUs ? LeftOver.Result.REMOVED : LeftOver.Result.GONE;
      case Outcome.Refused() -> LeftOver.Result.BUSY;
      case Outcome.UnderWay(), Outcome.ResourceLeft(), Outcome.Failed _ -> LeftOver.Result.FAILED;
    };
  }
}
