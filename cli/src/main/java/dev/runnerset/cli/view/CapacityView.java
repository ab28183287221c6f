package dev.runnerset.cli.view;

import dev.runnerset.base.Pure;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.CapacityLimitStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs a set takes, and each term that makes the number smaller.
 *
 * @param advertised jobs that are taken at a time; null while nothing is advertised
 * @param maxRunners as the spec and its schedule have it; null for no limit
 * @param limitedBy the term that decides while jobs wait; null if none does
 * @param shadow what would be advertised if the terms were enforced; null if they are
 * @param placement what is known of runners that found no node; null if all find one
 */
@Pure
public record CapacityView(
    @Nullable Integer advertised,
    @Nullable Integer maxRunners,
    @Nullable String limitedBy,
    List<CapacityLimitStatus> limits,
    @Nullable Integer shadow,
    @Nullable String placement) {
  /** The capacity of a set. */
  public static CapacityView of(AutoScalingRunnerSet set) {
    var known = set.statusOrNone().capacity();
    if (known == null) {
      return new CapacityView(null, set.maxRunnersNow(), null, List.of(), null, null);
    }
    var placement = known.placement();
    return new CapacityView(
        known.advertised(),
        set.maxRunnersNow(),
        known.limitedBy(),
        known.limits(),
        known.shadow(),
        placement == null ? null : Texts.line(placement.message()));
  }
}
