package dev.runnerset.controller.runner;

import dev.runnerset.controller.connection.InvalidConnectionException;
import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.crd.EphemeralRunner;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out the finaliser's decision. */
final class RunnerFarewell {
  private static final Logger LOG = LoggerFactory.getLogger(RunnerFarewell.class);

  private final RunnerActions actions;
  private final RunnerConnections connections;
  private final Events events;
  private final Attempts attempts;
  private final Clock clock;

  RunnerFarewell(
      RunnerActions actions,
      RunnerConnections connections,
      Events events,
      Attempts attempts,
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
  Optional<Instant> apply(Situation s) {
    var exit = Farewell.exit(s);
    if (exit != null) {
      actions.noteExit(s.runner(), exit); // its settle window runs from the first sight of it
    }
    return switch (Farewell.decide(s)) {
      case Farewell.Decision.LetGo() -> letGo(s, "nothing holds it");
      case Farewell.Decision.AskAndLetGo() -> {
        ask(s);
        yield letGo(s, "forced");
      }
      case Farewell.Decision.GiveUp() -> {
        events.warn(
            s.runner(),
            "RegistrationMayBeLeft",
            "there are no credentials to remove its registration with; the deletion of its scale"
                + " set removes it");
        yield letGo(s, "no credentials");
      }
      case Farewell.Decision.Ask() -> ask(s) ? afterRemoval(s) : Optional.of(again(s));
      case Farewell.Decision.Wait(var until) -> Optional.of(until);
    };
  }

  private Optional<Instant> afterRemoval(Situation s) {
    return Farewell.onceReleased(s) instanceof Farewell.Decision.Wait(var until)
        ? Optional.of(until)
        : letGo(s, "removed");
  }

  private boolean ask(Situation s) {
    try {
      return switch (actions.askRemoval(s, RemovalReason.RUNNER_DELETED)) {
        case RunnerRemover.Outcome.Removed() -> true;
        case RunnerRemover.Outcome.Refused() -> false;
        case RunnerRemover.Outcome.UnderWay() -> false;
        case RunnerRemover.Outcome.Failed(var message) -> {
          noteLostConnection(s.runner());
          yield false;
        }
      };
    } catch (InvalidConnectionException e) {
      var now = clock.instant();
      attempts.update(uid(s), a -> a.removalFailed(now).connectionLost(isLost(e) ? now : null));
      return false;
    }
  }

  /** Whether the failure is for want of credentials, which may never come back. */
  private void noteLostConnection(EphemeralRunner runner) {
    var now = clock.instant();
    try {
      connections.to(runner);
      attempts.update(runner.getMetadata().getUid(), a -> a.connectionLost(null));
    } catch (InvalidConnectionException e) {
      attempts.update(runner.getMetadata().getUid(), a -> a.connectionLost(isLost(e) ? now : null));
    }
  }

  private static boolean isLost(InvalidConnectionException e) {
    return "SecretNotFound".equals(e.reason());
  }

  private Instant again(Situation s) {
    var own = attempts.of(uid(s)).removalNotBefore();
    return own == null ? clock.instant().plusSeconds(2) : own;
  }

  private Optional<Instant> letGo(Situation s, String why) {
    LOG.atInfo()
        .addKeyValue("namespace", s.runner().getMetadata().getNamespace())
        .addKeyValue("runner", s.runner().getMetadata().getName())
        .addKeyValue("why", why)
        .log("letting a runner go");
    actions.wakeSet(s.runner());
    return Optional.empty();
  }

  private static String uid(Situation s) {
    return s.runner().getMetadata().getUid();
  }
}
