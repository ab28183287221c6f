package dev.runnerset.controller.features.capacity;

import java.util.ArrayList;
import java.util.List;

/**
 * What a set's own live runners have taken of the quotas already, each by its own cost: runners of
 * an older template may cost another amount. A finished runner that is kept is not among them,
 * though quotas still count its objects: it takes the place of a live one.
 *
 * @param pods how many of the runners have a pod that has not ended
 * @param charges of all objects that are there
 */
public record OwnCharges(int pods, List<Charge> charges) {
  /** Of a set without runners. */
  public static final OwnCharges NONE = new OwnCharges(0, List.of());

  /** Takes a copy. */
  public OwnCharges {
    charges = List.copyOf(charges);
  }

  /**
   * Which objects of a live runner are there.
   *
   * @param cost its own, by the pod that the API server answered with
   * @param hasPod whether its pod is there and has not ended; the claims are there with it
   * @param hasJob whether it runs a job, whose pods are there
   */
  public record LiveRunner(RunnerCost cost, boolean hasSecret, boolean hasPod, boolean hasJob) {}

  /** The charges of live runners. */
  public static OwnCharges of(List<LiveRunner> runners) {
    var charges = new ArrayList<Charge>();
    int pods = 0;
    for (var runner : runners) {
      charges.add(RunnerCost.RUNNER);
      if (runner.hasSecret()) {
        charges.add(RunnerCost.SECRET);
      }
      if (runner.hasPod()) {
        pods++;
        charges.add(runner.cost().pod());
        charges.addAll(runner.cost().claims());
      }
      if (runner.hasPod() && runner.hasJob()) {
        charges.addAll(runner.cost().job());
      }
    }
    return new OwnCharges(pods, charges);
  }
}
