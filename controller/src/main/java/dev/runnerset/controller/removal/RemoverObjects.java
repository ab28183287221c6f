package dev.runnerset.controller.removal;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerRemoval;
import java.util.OptionalLong;

/** What the remover reads and writes of Kubernetes objects. Every call is one request. */
interface RemoverObjects {
  /** The runner id in the runner's secret, read live; empty when there is no secret or no id. */
  OptionalLong runnerIdInSecret(EphemeralRunner runner);

  /** Writes {@code status.removal}, and nothing else. */
  void writeRemoval(EphemeralRunner runner, RunnerRemoval removal);

  /** Deletes the resource, whatever its state; false when it was gone. */
  boolean delete(EphemeralRunner runner);

  /** Deletes the resource unless it has changed; false when it was gone or had. */
  boolean deleteUnchanged(EphemeralRunner runner);
}
