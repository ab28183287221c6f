package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.ephemeralrunner.lifecycle.FinalizerPlanner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.ObservedRunner;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RemovalBlock;
import dev.runnerset.controller.ephemeralrunner.lifecycle.RunnerAction;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.condition.AccessReason;
import dev.runnerset.crds.condition.EventReason;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out the finalizer's decision. */
final class RunnerFinalizer {
  private static final Logger LOG = LoggerFactory.getLogger(RunnerFinalizer.class);

  /** Between reads of a pod that runs while the cache does not show it. */
  private static final Duration LIVE_AGAIN = Duration.ofSeconds(10);

  private final RunnerActions actions;
  private final RunnerConnections connections;
  private final Events events;
  private final RunnerMemories attempts;
  private final Clock clock;

  RunnerFinalizer(
      RunnerActions actions,
      RunnerConnections connections,
      Events events,
      RunnerMemories attempts,
      Clock clock) {
    this.actions = actions;
    this.connections = connections;
    this.events = events;
    this.attempts = attempts;
    this.clock = clock;
  }

  /**
   * One look at a runner that is being deleted. Blocks for a removal at the service.
   *
   * @return when to look again, or empty if the resource may go
   */
  Optional<Instant> apply(ObservedRunner s, RunnerActions.Caches caches) {
    var exit = FinalizerPlanner.exit(s);
    if (exit != null) {
      actions.noteExit(s.runner(), exit); // its settle window runs from the first sight of it
    }
    return switch (FinalizerPlanner.decide(s)) {
      case FinalizerPlanner.Decision.LetGo() -> removeFinalizer(s, "nothing holds it");
      case FinalizerPlanner.Decision.AskAndLetGo() -> {
        ask(s, caches);
        yield removeFinalizer(s, "forced");
      }
      case FinalizerPlanner.Decision.GiveUp() -> {
        // INVARIANT (I1): that no pod runs is read from the server, since the cache may be behind
        var pod = actions.look(s, caches);
        yield pod.isPresent() && FinalizerPlanner.isRunnerUp(s.with(pod.get()))
            ? Optional.of(clock.instant().plus(LIVE_AGAIN))
            : giveUp(s);
      }
      case FinalizerPlanner.Decision.Ask() ->
          ask(s, caches) ? afterRemoval(s) : Optional.of(again(s));
      case FinalizerPlanner.Decision.Wait(var until) -> Optional.of(until);
    };
  }

  private Optional<Instant> afterRemoval(ObservedRunner s) {
    return FinalizerPlanner.onceReleased(s) instanceof FinalizerPlanner.Decision.Wait(var until)
        ? Optional.of(until)
        : removeFinalizer(s, "removed");
  }

  private Optional<Instant> giveUp(ObservedRunner s) {
    actions.deleteSecret(s); // a pod that still comes of a late request cannot start (I1)
    events.warn(
        s.runner(),
        EventReason.REGISTRATION_MAY_BE_LEFT,
        "there are no credentials to remove its registration with; the deletion of its scale"
            + " set removes it");
    return removeFinalizer(s, "no credentials");
  }

  private boolean ask(ObservedRunner s, RunnerActions.Caches caches) {
    var outcome = actions.askRemoval(s, RemovalReason.RUNNER_DELETED);
    note(
        outcome instanceof RunnerRemover.Outcome.Failed ? noConnection(s.runner()) : null,
        s,
        caches);
    return outcome instanceof RunnerRemover.Outcome.Removed;
  }

  /** Why there is no connection, or null if there is one. */
  private @Nullable InvalidConnectionException noConnection(EphemeralRunner runner) {
    try {
      connections.to(runner);
      return null;
    } catch (InvalidConnectionException e) {
      return e;
    }
  }

  /** Remembers whether credentials are lost, which may never come back, and tells who waits. */
  private void note(
      @Nullable InvalidConnectionException missing, ObservedRunner s, RunnerActions.Caches caches) {
    var isLost = missing != null && missing.reason() == AccessReason.SECRET_NOT_FOUND;
    var now = clock.instant();
    attempts.update(uid(s), a -> a.connectionLost(isLost ? now : null));
    var told = RemovalBlock.told(s, missing);
    if (told != null) {
      if (missing != null) {
        events.warn(s.runner(), EventReason.DELETION_WAITS, RemovalBlock.message(missing));
      }
      actions.apply(new RunnerAction.WriteStatus(told), s, caches);
    }
  }

  private Instant again(ObservedRunner s) {
    var own = attempts.of(uid(s)).removalNotBefore();
    return own == null ? clock.instant().plusSeconds(2) : own;
  }

  private Optional<Instant> removeFinalizer(ObservedRunner s, String why) {
    LOG.atInfo()
        .addKeyValue("namespace", s.runner().getMetadata().getNamespace())
        .addKeyValue("runner", s.runner().getMetadata().getName())
        .addKeyValue("why", why)
        .log("letting a runner go");
    actions.wakeSet(s.runner());
    return Optional.empty();
  }

  private static String uid(ObservedRunner s) {
    return s.runner().getMetadata().getUid();
  }
}
