package dev.runnerset.controller.hooks;

import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.condition.ConditionType;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The last report of each EphemeralRunnerSet. Its passes write it, and the passes over its runner
 * set read it. Losing a report is harmless: the next pass reports again. Thread-safe.
 */
public final class RunnersReports {
  private final Map<String, RunnersReport> reportByUid = new ConcurrentHashMap<>();

  /** The last report; empty before the first pass of this process. */
  public Optional<RunnersReport> of(EphemeralRunnerSet set) {
    return Optional.ofNullable(reportByUid.get(set.getMetadata().getUid()));
  }

  /**
   * Takes the report of a pass that saw all runners.
   *
   * @return whether it is the first, which no event of the EphemeralRunnerSet follows
   */
  public boolean put(EphemeralRunnerSet set, RunnersReport report) {
    return reportByUid.put(set.getMetadata().getUid(), report) == null;
  }

  /**
   * Adds to the last report that the passes over the set fail, and why.
   *
   * @return whether that is news
   */
  public boolean failing(EphemeralRunnerSet set, Verdict why) {
    var last = of(set).orElse(RunnersReport.NONE);
    return put(set, last.with(ConditionType.PASSES_FAILING, why))
        || !why.equals(last.verdicts().get(ConditionType.PASSES_FAILING));
  }

  /** The set is gone. */
  public void forget(EphemeralRunnerSet set) {
    reportByUid.remove(set.getMetadata().getUid());
  }
}
