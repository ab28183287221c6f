package dev.runnerset.cli.view;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerPhase;
import java.util.Locale;

/** Where a runner is in its life, as its status has it. */
@Pure
public enum RunnerState {
  /** Made, and not ready for a job yet. */
  STARTING,
  /** Ready for a job. */
  IDLE,
  /** Has a job. */
  BUSY,
  /** Its job is over, and its container runs. */
  ENDING,
  /** Ended well, and is kept. */
  FINISHED,
  /** Failed, or its version is too old. */
  FAILED;

  /** The state of a runner. */
  public static RunnerState of(EphemeralRunner runner) {
    var status = runner.statusOrNone();
    if (status.isTerminal()) {
      return status.phase() == RunnerPhase.SUCCEEDED ? FINISHED : FAILED;
    }
    if (status.isJobCompleted()) {
      return ENDING;
    }
    if (status.isBusy()) {
      return BUSY;
    }
    return status.idleSince() == null ? STARTING : IDLE;
  }

  /** Its word in tables and on pages. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The class of its colour: good, busy, warn, bad or dim. */
  public String tone() {
    return switch (this) {
      case STARTING -> "warn";
      case IDLE -> "good";
      case BUSY, ENDING -> "busy";
      case FINISHED -> "dim";
      case FAILED -> "bad";
    };
  }
}
