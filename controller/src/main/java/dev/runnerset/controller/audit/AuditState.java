package dev.runnerset.controller.audit;

import dev.runnerset.controller.removal.RunnersOfSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers of the registrations of one set. Passes, sweeps and readings each
 * derive the next state from the present one.
 *
 * @param seen what passes saw of the runners; they change it
 * @param strand jobs that wait beside idle runners; null for none
 * @param read what this process read last; null for nothing
 * @param reads how often the counts were read since a question is open
 * @param readAt when the last reading began
 * @param isReading whether one is under way
 * @param doubt what the sweeps know
 */
public record AuditState(
    SeenRunners seen,
    StrandCondition.@Nullable Strand strand,
    @Nullable ServiceCounts read,
    int reads,
    Instant readAt,
    boolean isReading,
    Doubt doubt) {
  /** Nothing is known. */
  public static AuditState unknown() {
    return new AuditState(new SeenRunners(), null, null, 0, Instant.EPOCH, false, Doubt.NONE);
  }

  /** The latest counts: those that the set's listener heard, or those that this process read. */
  public @Nullable ServiceCounts counts(EphemeralRunnerSet set) {
    return ServiceCounts.latest(
        ServiceCounts.of(set.statusOrNone().demand(), set.getSpec().runnerScaleSetId()), read);
  }

  /**
   * The set has these runners, which were {@link #seen} already.
   *
   * @param runners each known to be registered or not
   * @param counts the service's latest; null while this process knows none
   */
  public AuditState observed(RunnersOfSet runners, @Nullable ServiceCounts counts, Instant now) {
    var next = StrandCondition.next(strand, runners, counts, now);
    boolean isOpen = next != null || seen.openSince().isPresent();
    return new AuditState(seen, next, read, isOpen ? reads : 0, readAt, isReading, doubt);
  }

  /** A reading of the counts begins; the same if one is under way. */
  AuditState reading(Instant now) {
    return isReading ? this : new AuditState(seen, strand, read, reads + 1, now, true, doubt);
  }

  /** These counts were read. */
  public AuditState learned(ServiceCounts counts) {
    var latest = ServiceCounts.latest(read, counts);
    return new AuditState(seen, strand, latest, reads, readAt, isReading, doubt);
  }

  /** The reading has ended, whatever came of it. */
  AuditState ended() {
    return new AuditState(seen, strand, read, reads, readAt, false, doubt);
  }

  /** The same with what a sweep learned. */
  public AuditState with(Doubt next) {
    return new AuditState(seen, strand, read, reads, readAt, isReading, next);
  }

  /** Since when the counts leave a question open; empty for none. */
  Optional<Instant> openSince() {
    var stranded =
        Optional.ofNullable(strand).map(one -> one.since().plus(StrandCondition.PATIENCE));
    return Stream.concat(seen.openSince().stream(), stranded.stream()).min(Instant::compareTo);
  }
}
