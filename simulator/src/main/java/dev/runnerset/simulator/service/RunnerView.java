package dev.runnerset.simulator.service;

import java.time.Instant;

/**
 * A registration as it stands.
 *
 * @param state {@code OFFLINE, IDLE, OFFERED, BUSY, LINGERING}
 */
public record RunnerView(
    int id, String name, int scaleSetId, String state, Instant created, boolean foreign) {

  static RunnerView of(Runner runner) {
    return new RunnerView(
        runner.id, runner.name, runner.set.id, runner.state.name(), runner.created, runner.foreign);
  }
}
