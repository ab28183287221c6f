package dev.runnerset.controller.ephemeralrunner;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A runner whose status names a registration, so that the remover need not look for it. Pure. */
final class RunnerWithId {
  private RunnerWithId() {}

  /** A copy with that id; the runner itself where none is known or it has it already. */
  static EphemeralRunner of(EphemeralRunner runner, @Nullable Long runnerId) {
    var status = runner.getStatus() == null ? EphemeralRunnerStatus.NONE : runner.getStatus();
    if (runnerId == null || Objects.equals(status.runnerId(), runnerId)) {
      return runner;
    }
    var copy = new EphemeralRunner();
    copy.setMetadata(runner.getMetadata());
    copy.setSpec(runner.getSpec());
    copy.setStatus(status.toBuilder().runnerId(runnerId).build());
    return copy;
  }
}
