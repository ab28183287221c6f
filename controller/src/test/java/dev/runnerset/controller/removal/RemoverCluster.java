package dev.runnerset.controller.removal;

import dev.runnerset.controller.connection.RunnerConnections;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerRemoval;
import java.time.Clock;
import java.util.OptionalLong;

/** What the real remover reads and writes of a cluster that a test plays. */
public interface RemoverCluster {
  /** The id in the runner's own secret, read live. */
  OptionalLong idInSecret(EphemeralRunner runner);

  /** Stores {@code status.removal}. */
  void storeRemoval(EphemeralRunner runner, RunnerRemoval removal);

  /**
   * Deletes the resource.
   *
   * @param unchanged whether only as it was seen
   * @return false when it was gone or, if asked for, changed
   */
  boolean deleteResource(EphemeralRunner runner, boolean unchanged);

  /** The real remover over a cluster that a test plays. */
  static ServiceRunnerRemover remover(
      RunnerConnections connections, RemoverCluster cluster, Clock clock) {
    return new ServiceRunnerRemover(
        connections,
        new RemoverObjects() {
          @Override
          public OptionalLong runnerIdInSecret(EphemeralRunner runner) {
            return cluster.idInSecret(runner);
          }

          @Override
          public void writeRemoval(EphemeralRunner runner, RunnerRemoval removal) {
            cluster.storeRemoval(runner, removal);
          }

          @Override
          public boolean delete(EphemeralRunner runner) {
            return cluster.deleteResource(runner, false);
          }

          @Override
          public boolean deleteUnchanged(EphemeralRunner runner) {
            return cluster.deleteResource(runner, true);
          }
        },
        (runner, reason, answer) -> {},
        clock);
  }
}
