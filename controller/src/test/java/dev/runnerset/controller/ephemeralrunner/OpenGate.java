package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.controller.removal.RemovalRequestGate;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A gate that is open until it is closed; it records what came of the requests. */
final class OpenGate implements RemovalRequestGate {
  final List<RunnerRemover.Outcome> outcomes = new CopyOnWriteArrayList<>();
  volatile boolean closed;

  @Override
  public boolean begin(EphemeralRunnerSet set, Instant now) {
    return !closed;
  }

  @Override
  public void end(EphemeralRunnerSet set, RunnerRemover.Outcome outcome, Instant now) {
    outcomes.add(outcome);
  }
}
