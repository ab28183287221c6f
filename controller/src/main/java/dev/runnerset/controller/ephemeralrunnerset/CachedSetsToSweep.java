package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.actions.Statistics;
import dev.runnerset.controller.gc.SetKey;
import dev.runnerset.controller.metrics.LeftOver;
import dev.runnerset.controller.references.Ownership;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.controller.removal.RunnerRemover.Outcome;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.controller.sweep.SetsToSweep;
import dev.runnerset.controller.sweep.SweepFacts;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Gives the sweep for left-overs the sets of the caches, and removes what it finds. */
final class CachedSetsToSweep implements SetsToSweep {
  /** A runner that is not connected so long after the start of its container is doubted. */
  private static final Duration ALL_ARE_ONLINE_AFTER = Duration.ofMinutes(2);

  private final RunnerGathering gathering;
  private final ReplicasActions actions;
  private final InformerCaches caches;
  private final RunnerRemover remover;
  private final Clock clock;
  private final Predicate<SetKey> anothers;

  CachedSetsToSweep(
      RunnerGathering gathering,
      ReplicasActions actions,
      InformerCaches caches,
      RunnerRemover remover,
      Clock clock,
      Predicate<SetKey> anothers) {
    this.gathering = gathering;
    this.actions = actions;
    this.caches = caches;
    this.remover = remover;
    this.clock = clock;
    this.anothers = anothers;
  }

  @Override
  public List<EphemeralRunnerSet> all() {
    return caches.sets().stream()
        .filter(set -> set.getMetadata().getDeletionTimestamp() == null)
        .filter(set -> set.getSpec().runnerScaleSetId() > 0)
        .filter(set -> !anothers.test(SetKey.of(set)))
        .toList();
  }

  @Override
  public Optional<EphemeralRunnerSet> one(String namespace, String name) {
    return caches.set(namespace, name);
  }

  @Override
  public Optional<SweepFacts> facts(EphemeralRunnerSet set) {
    var memory = caches.memory(set);
    var changedAt = memory.seen().changedAt();
    if (changedAt.equals(Instant.MIN)) {
      return Optional.empty();
    }
    var counts = RunnerGathering.counts(set, memory);
    if (counts == null) {
      return Optional.of(new SweepFacts(null, 0, 0, changedAt));
    }
    var at = counts.observedAt();
    long running = views(set).filter(view -> isToBeRegistered(view, at)).count();
    return Optional.of(
        new SweepFacts(
            new SweepFacts.Counted(counts.registered(), at),
            memory.seen().expectedRegistrations(at),
            (int) running,
            changedAt));
  }

  /** A runner with a job is registered until that is over, and nobody doubts it. */
  private static boolean isToBeRegistered(RunnerView view, Instant at) {
    return view.ready()
        && !view.isEnded()
        && !view.isExiting()
        && !view.terminating()
        && !view.askedToGo()
        && !view.ofAnotherScaleSet()
        && view.hasRunFor(ALL_ARE_ONLINE_AFTER, at);
  }

  private Stream<RunnerView> views(EphemeralRunnerSet set) {
    var memory = caches.memory(set);
    return caches.labelled(set).stream()
        .filter(runner -> Ownership.isOf(runner, set))
        .map(runner -> gathering.view(set, runner, memory));
  }

  @Override
  public void counted(EphemeralRunnerSet set, Statistics read, Instant askedAt) {
    caches.memory(set).counts().learned(ServiceCounts.of(read, askedAt));
  }

  @Override
  public Set<String> knownNames(EphemeralRunnerSet set) {
    var names = caches.memory(set).seen().names();
    caches.labelled(set).forEach(runner -> names.add(runner.getMetadata().getName()));
    return names;
  }

  @Override
  public boolean isNameOf(EphemeralRunnerSet set, String name) {
    return RunnerTemplate.isNameOf(set.getMetadata().getName(), name);
  }

  @Override
  public List<RunnerView> missing(EphemeralRunnerSet set, Instant before) {
    var since = caches.memory(set).counts().missingSince();
    return views(set)
        .filter(view -> isFree(view, clock.instant()))
        .filter(view -> !since.getOrDefault(view.uid(), Instant.MAX).isAfter(before))
        .sorted(
            Comparator.comparing((RunnerView view) -> since.getOrDefault(view.uid(), Instant.MAX))
                .thenComparing(RunnerView::name))
        .toList();
  }

  @Override
  public boolean hasRunner(String namespace, String name) {
    return caches.runner(namespace, name).isPresent();
  }

  @Override
  public Optional<EphemeralRunner> resource(EphemeralRunnerSet set, RunnerView runner) {
    return caches
        .runner(set.getMetadata().getNamespace(), runner.name())
        .filter(found -> runner.uid().equals(found.getMetadata().getUid()));
  }

  @Override
  public EphemeralRunner leftOver(EphemeralRunnerSet set, String name, long id) {
    return RunnerTemplate.leftOver(set, name, id);
  }

  @Override
  public Optional<LeftOver.Result> removeRegistration(
      EphemeralRunnerSet set, EphemeralRunner leftOver) {
    var removals = caches.memory(set).removals();
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
    if (found.filter(Outcome.Removed.class::isInstance).isPresent()) {
      remover.forget(leftOver.getMetadata().getUid());
    }
    return Optional.of(found.map(CachedSetsToSweep::result).orElse(LeftOver.Result.FOREIGN));
  }

  @Override
  public Optional<LeftOver.Result> removeRunner(EphemeralRunnerSet set, RunnerView unregistered) {
    var now = clock.instant();
    return resource(set, unregistered)
        // it may have got a job while the service was asked about others
        .filter(runner -> isFree(gathering.view(set, runner, caches.memory(set)), now))
        .flatMap(runner -> actions.removeNow(set, unregistered, runner, RemovalReason.UNREGISTERED))
        .map(CachedSetsToSweep::result)
        .map(result -> result == LeftOver.Result.GONE ? LeftOver.Result.REMOVED : result);
  }

  private static boolean isFree(RunnerView view, Instant now) {
    return view.isWithoutJob() && view.isRemovable(now) && view.mayBeAsked(now);
  }

  private static LeftOver.Result result(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Removed(var byUs) -> byUs ? LeftOver.Result.REMOVED : LeftOver.Result.GONE;
      case Outcome.Refused() -> LeftOver.Result.BUSY;
      case Outcome.UnderWay(), Outcome.ResourceLeft(), Outcome.Failed _ -> LeftOver.Result.FAILED;
    };
  }
}
