package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The service's statistics of a set, as the listener received them last.
 *
 * @param epoch the fence: raised by one at each take-over of the session
 * @param messageId the message that carried the numbers; 0 for those of a session's start
 * @param observedAt when the listener received them
 * @param available jobs that the service has not assigned yet; null if the listener did not say
 * @param scaleSetId the scale set that the numbers and the message are of; null counts as the
 *     present one
 * @param marksVersion the highest resourceVersion of a runner of a set after a mark that the
 *     listener wrote before it wrote this; null if it knows none
 */
@NullIsAbsent
public record Demand(
    @JsonPropertyDescription("raised at each change of the listener that holds the session")
        long epoch,
    @JsonPropertyDescription("the message that reported it; 0 at the start of a session")
        long messageId,
    @JsonPropertyDescription("when the listener received it") @SchemaFrom(type = String.class)
        @Nullable Instant observedAt,
    @JsonPropertyDescription("jobs given to this set, the running ones included")
        @Nullable Integer assigned,
    @JsonPropertyDescription("jobs that run") @Nullable Integer running,
    @JsonPropertyDescription("runners that the service knows") @Nullable Integer registered,
    @JsonPropertyDescription("runners with a job") @Nullable Integer busy,
    @JsonPropertyDescription("runners that are online and have no job") @Nullable Integer idle,
    @JsonPropertyDescription("jobs that wait and are not given to a set yet")
        @Nullable Integer available,
    @JsonPropertyDescription("the scale set that this is of") @Nullable Integer scaleSetId,
    @JsonPropertyDescription(
            "the highest resourceVersion of a runner after the marks that came before")
        @Nullable Long marksVersion) {
  private static final Comparator<Demand> LATER =
      Comparator.comparingLong(Demand::epoch)
          .thenComparing(Demand::observedAt, Comparator.nullsFirst(Comparator.naturalOrder()));

  /** The later one of two with counts, in the order of the fence; or the only one. */
  public static @Nullable Demand later(@Nullable Demand a, @Nullable Demand b) {
    if (a == null || b == null || a.assigned() == null || b.assigned() == null) {
      return b == null || (a != null && a.assigned() != null) ? a : b;
    }
    return LATER.compare(a, b) < 0 ? b : a;
  }

  /** The same with so many waiting jobs. */
  public Demand withAvailable(int jobs) {
    return new Demand(
        epoch,
        messageId,
        observedAt,
        assigned,
        running,
        registered,
        busy,
        idle,
        jobs,
        scaleSetId,
        marksVersion);
  }

  /** The same under another fence. */
  public Demand withEpoch(long raised) {
    return new Demand(
        raised,
        messageId,
        observedAt,
        assigned,
        running,
        registered,
        busy,
        idle,
        available,
        scaleSetId,
        marksVersion);
  }
}
