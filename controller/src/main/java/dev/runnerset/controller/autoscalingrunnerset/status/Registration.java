package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.crds.ScaleSetIdentity;
import dev.runnerset.crds.ScaleSetProvenance;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/** Whether a runner set has its scale set at the service. */
public sealed interface Registration {
  /**
   * The scale set exists, and the runner set may use it.
   *
   * @param origin who made it; null if nobody wrote that down
   * @param identity by which it is known again; null if the service was not asked for it
   * @param labels that the service did not take all labels of the spec; null if it did
   */
  public record Registered(
      ScaleSetId id,
      RunnerGroupId group,
      ScaleSetProvenance.@Nullable Origin origin,
      @Nullable ScaleSetIdentity identity,
      @Nullable Finding labels)
      implements Registration {
    /** With all labels of the spec, and without what was read of it. */
    public Registered(
        ScaleSetId id, RunnerGroupId group, ScaleSetProvenance.@Nullable Origin origin) {
      this(id, group, origin, null, null);
    }
  }

  /** The service has been asked and has not answered yet; the finding says what was asked. */
  public record Asking(Finding finding) implements Registration {}

  /**
   * There is no scale set, or the controller could not find out; it tries again at that instant.
   */
  public record Failed(Finding finding, Instant retryAt) implements Registration {
    /** A failure with that finding, which also says when it is tried again. */
    public static Failed triedAgain(Finding finding, Instant retryAt) {
      var next = "; next try at " + TIME.format(retryAt);
      return new Failed(new Finding(finding.reason(), finding.message() + next), retryAt);
    }

    private static final DateTimeFormatter TIME =
        DateTimeFormatter.ofPattern("HH:mm:ss'Z'").withZone(ZoneOffset.UTC);
  }
}
