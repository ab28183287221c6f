package dev.runnerset.connection;

import dev.runnerset.actions.ScaleSet;
import dev.runnerset.base.Pure;
import dev.runnerset.crds.ScaleSetIdentity;

/** By what a scale set is known again (NM5, docs/adr/0107). */
@Pure
public final class ScaleSetIdentities {
  private ScaleSetIdentities() {}

  /** The identity of a scale set as the service has it. */
  public static ScaleSetIdentity of(ScaleSet found) {
    return ScaleSetIdentity.of(
        found.id().value(), found.name(), found.runnerGroupId().value(), found.createdOn());
  }
}
