package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerFailure;

/** Collects what a failed runner leaves behind for people (RN17). */
@FunctionalInterface
public interface FailureEvidence {
  /**
   * The failure with its evidence, and without credentials. May block for a few seconds; throws
   * nothing.
   */
  RunnerFailure with(EphemeralRunner runner, RunnerFailure failure);
}
