package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;

/**
 * How far a revision has come: runners of other revisions that have not ended, and live runners of
 * this one that are registered.
 */
@NullIsAbsent
public record RolloutCounts(
    @JsonPropertyDescription("the revision") String revision,
    @JsonPropertyDescription("runners of other revisions that have not ended") int older,
    @JsonPropertyDescription(
            "live runners of this revision that are connected to the service, or have a job")
        int registered,
    @JsonPropertyDescription(
            "the runners that were there when the last one of another revision was gone have all"
                + " connected to the service, or got a job")
        boolean settled) {
  /** The counts of a revision that is not settled yet. */
  public RolloutCounts(String revision, int older, int registered) {
    this(revision, older, registered, false);
  }

  /** These counts, settled or not. */
  public RolloutCounts withSettled(boolean now) {
    return new RolloutCounts(revision, older, registered, now);
  }

  /** Somebody may remove the revision: an absent revision equals that of no set. */
  public RolloutCounts {
    revision = revision == null ? "" : revision;
  }
}
