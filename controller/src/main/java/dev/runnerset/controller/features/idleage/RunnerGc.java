package dev.runnerset.controller.features.idleage;

import dev.runnerset.controller.hooks.ChangedSets;
import dev.runnerset.controller.hooks.SweptSets;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.rounds.Followed;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.RunnerMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins the sweeps of age collection, on the leader only, and by the period, never by events. The
 * first sweep comes one minimum age after leadership began (AC6). The reconciler of each set does
 * the rest.
 */
public record RunnerGc(AgeCollection rules, SweptSets sets, IdleAge idleAge, ChangedSets changed) {
  private static final Logger LOG = LoggerFactory.getLogger(RunnerGc.class);

  /** The sweeps; they begin with leadership and end with it. */
  public Followed rounds(Followed.Timer timer) {
    var settings = rules.settings();
    return Followed.rounds(timer, settings.minimumAge(), settings.period(), this::sweep);
  }

  private void sweep() {
    sets.all().forEach(this::trySweep);
  }

  /** An error of one set keeps no other from its sweep. */
  private void trySweep(SweptSets.SweptSet each) {
    try {
      sweep(each);
    } catch (RuntimeException e) {
      LOG.atError()
          .setCause(e)
          .addKeyValue("set", SetKey.of(each.set()))
          .log("a set could not be swept for idle runners; the next sweep tries again");
    }
  }

  private void sweep(SweptSets.SweptSet each) {
    var set = each.set();
    var key = SetKey.of(set);
    var limit = rules.limit(set);
    boolean releasing = AgeCollection.isReleasing(set);
    if (limit instanceof AgeLimit.After(var maximum) && isSwept(each)) {
      var minimum = rules.settings().minimumAge();
      var sweep = new AgeSweep(maximum, minimum, set.minRunnersNow(), releasing);
      changed.change(key, (ers, slots) -> idleAge.begin(ers, slots, sweep));
    } else {
      boolean limited = limit instanceof AgeLimit.After;
      changed.change(key, (ers, slots) -> idleAge.leaveOut(ers, slots, limited, releasing));
    }
  }

  /** Whether a set is swept: not while it goes, is not active or fails, or has no listener. */
  private static boolean isSwept(SweptSets.SweptSet each) {
    return each.listening() && !each.failing() && isActive(each.set());
  }

  private static boolean isActive(AutoScalingRunnerSet set) {
    return !set.isMarkedForDeletion() && set.modeNow() == RunnerMode.ACTIVE;
  }
}
