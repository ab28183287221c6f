package dev.runnerset.controller.audit;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.removal.RunnerView;
import dev.runnerset.crds.EphemeralRunnerSet;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What this process remembers of the registrations of one set. Immutable: passes, sweeps and
 * readings each derive the next state from the present one.
 *
 * @param seen the runners that there are, and the last ones that went
 * @param missing the runners that are not known to be online
 * @param strand jobs that wait beside idle runners; null for none
 * @param read what this process read last; null for nothing
 * @param reads how often the counts were read since a question is open
 * @param readAt when the last reading began
 * @param isReading whether one is under way
 * @param doubt what the sweeps know
 */
@Pure
public record AuditState(
    RecentRunners seen,
    MissingRunners missing,
    StrandCondition.@Nullable Strand strand,
    @Nullable ServiceCounts read,
    int reads,
    Instant readAt,
    boolean isReading,
    Doubt doubt) {
  /** Nothing is known. */
  public static final AuditState NEW =
      new AuditState(
          RecentRunners.NONE, MissingRunners.NONE, null, null, 0, Instant.EPOCH, false, Doubt.NONE);

  /** The latest counts: those that the set's listener heard, or those that this process read. */
  public @Nullable ServiceCounts counts(EphemeralRunnerSet set) {
    return ServiceCounts.latest(
        ServiceCounts.of(set.statusOrNone().demand(), set.getSpec().runnerScaleSetId()), read);
  }

  /**
   * The set has these runners.
   *
   * @param mayBeRegistered whether each may have a registration with the set's scale set, by name
   * @param runners the same, each known to be registered or not
   * @param counts the service's latest; null while this process knows none
   */
  public AuditState observed(
      Map<String, Boolean> mayBeRegistered,
      List<RunnerView> runners,
      @Nullable ServiceCounts counts,
      Instant now) {
    var nextMissing = missing.next(runners, now);
    var nextStrand = StrandCondition.next(strand, runners, counts, now);
    boolean isOpen = nextStrand != null || !nextMissing.sinceByUid().isEmpty();
    return new AuditState(
        seen.next(mayBeRegistered, now),
        nextMissing,
        nextStrand,
        read,
        isOpen ? reads : 0,
        readAt,
        isReading,
        doubt);
  }

  /** A reading of the counts begins; the same if one is under way. */
  AuditState reading(Instant now) {
    return isReading
        ? this
        : new AuditState(seen, missing, strand, read, reads + 1, now, true, doubt);
  }

  /** These counts were read. */
  public AuditState learned(ServiceCounts counts) {
    var latest = ServiceCounts.latest(read, counts);
    return new AuditState(seen, missing, strand, latest, reads, readAt, isReading, doubt);
  }

  /** The reading has ended, whatever came of it. */
  AuditState ended() {
    return new AuditState(seen, missing, strand, read, reads, readAt, false, doubt);
  }

  /** The same with what a sweep learned. */
  public AuditState with(Doubt next) {
    return new AuditState(seen, missing, strand, read, reads, readAt, isReading, next);
  }

  /** Whether no pass has seen the set yet. */
  public boolean isUnknown() {
    return seen.isUnknown();
  }

  /** The names that are no left-overs: those of runners, and those of the last ones that went. */
  public Set<String> names() {
    return seen.names();
  }

  /** Since when the counts leave a question open; empty for none. */
  Optional<Instant> openSince() {
    var stranded =
        strand == null
            ? Stream.<Instant>empty()
            : Stream.of(strand.since().plus(StrandCondition.PATIENCE));
    return Stream.concat(missing.sinceByUid().values().stream(), stranded).min(Instant::compareTo);
  }
}
