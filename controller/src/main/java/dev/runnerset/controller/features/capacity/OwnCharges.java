package dev.runnerset.controller.features.capacity;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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
    var counts = new LinkedHashMap<LiveRunner, Integer>();
    runners.forEach(runner -> counts.merge(runner, 1, Integer::sum));
    return of(counts);
  }

  /** The charges of live runners, by how many there are of each. */
  public static OwnCharges of(Map<LiveRunner, Integer> counts) {
    var charges = new ArrayList<Charge>();
    int pods = 0;
    for (var entry : counts.entrySet()) {
      var runner = entry.getKey();
      int count = entry.getValue();
      objects(runner).map(charge -> charge.times(count)).forEach(charges::add);
      pods += runner.hasPod() ? count : 0;
    }
    return new OwnCharges(pods, charges);
  }

  private static Stream<Charge> objects(LiveRunner runner) {
    var cost = runner.cost();
    return Stream.of(
            Stream.of(RunnerCost.RUNNER),
            runner.hasSecret() ? Stream.of(RunnerCost.SECRET) : Stream.<Charge>empty(),
            runner.hasPod()
                ? Stream.concat(Stream.<Charge>of(cost.pod()), cost.claims().stream())
                : Stream.<Charge>empty(),
            runner.hasPod() && runner.hasJob() ? cost.job().stream() : Stream.<Charge>empty())
        .flatMap(charges -> charges);
  }
}
