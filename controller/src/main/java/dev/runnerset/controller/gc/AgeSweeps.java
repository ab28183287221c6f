package dev.runnerset.controller.gc;

import dev.runnerset.controller.ownership.SetKey;

/** Where the sweeps of age collection run. The calls do not block. */
public interface AgeSweeps {
  /** Begins a sweep of a set; one with a removal under way goes on instead. */
  void begin(SetKey set, AgeSweep sweep);

  /**
   * Leaves a set out; a sweep of it ends, unless a removal of it is under way.
   *
   * @param limited whether runners of the set go for their age at all; else nothing was collected
   */
  void leaveOut(SetKey set, boolean limited);
}
