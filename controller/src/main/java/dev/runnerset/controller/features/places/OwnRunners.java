package dev.runnerset.controller.features.places;

import dev.runnerset.controller.features.capacity.JobCost;
import dev.runnerset.controller.features.capacity.OwnCharges.LiveRunner;
import dev.runnerset.controller.features.capacity.OwnWindow;
import dev.runnerset.controller.features.capacity.RunnerCost;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Timestamps;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The runners of a set in the caches, and what they take of quotas. What a runner takes is read
 * once from its pod as the API server has it: a LimitRange or a webhook may have added to it.
 */
public record OwnRunners(List<Own> all) {
  /** None at all. */
  static final OwnRunners NONE = new OwnRunners(List.of());

  private static final Slot<RunnerCost> COST = new Slot<>();
  private static final Set<String> OVER = Set.of("Succeeded", "Failed");

  /**
   * One runner that has not ended.
   *
   * @param cost by its pod; null without a pod, and once the pod has ended
   */
  private record Own(EphemeralRunner runner, @Nullable Pod pod, @Nullable RunnerCost cost) {
    Instant created() {
      var at = Timestamps.parse(runner.getMetadata().getCreationTimestamp());
      return at == null ? Instant.EPOCH : at;
    }

    boolean isGoing() {
      return runner.isMarkedForDeletion();
    }
  }

  /** Where they are read. */
  public record Caches(
      Function<SetKey, Stream<EphemeralRunner>> runners,
      Function<EphemeralRunner, Optional<Pod>> pods,
      Memories ofRunners) {}

  static OwnRunners of(SetKey set, Caches caches) {
    return new OwnRunners(
        caches
            .runners()
            .apply(set)
            .filter(runner -> !runner.statusOrNone().isTerminal())
            .map(runner -> own(runner, caches))
            .toList());
  }

  private static Own own(EphemeralRunner runner, Caches caches) {
    var pod = caches.pods().apply(runner).filter(found -> !isOver(found)).orElse(null);
    return new Own(
        runner,
        pod,
        pod == null
            ? null
            : caches
                .ofRunners()
                .of(runner)
                .begin(COST, () -> RunnerCost.ofAnswer(pod, JobCost.NONE)));
  }

  private static boolean isOver(Pod pod) {
    return pod.getStatus() != null && OVER.contains(pod.getStatus().getPhase());
  }

  /** What the youngest pod of that revision takes; empty if there is none. */
  Optional<RunnerCost> youngest(String revision) {
    return all.stream()
        .filter(own -> own.cost() != null)
        .filter(own -> revision.equals(own.runner().getSpec().revision()))
        .max(Comparator.comparing(Own::created))
        .flatMap(own -> Optional.ofNullable(own.cost()));
  }

  /**
   * What they take now.
   *
   * @param cost of a runner without a pod
   * @param job what a job takes besides
   */
  OwnWindow.Sample sample(RunnerCost cost, JobCost job, Instant now) {
    var actual = new HashMap<LiveRunner, Integer>();
    var likely = new HashMap<LiveRunner, Integer>();
    for (var own : all) {
      boolean hasPod = own.pod() != null;
      boolean starts =
          !hasPod && !own.isGoing() && now.isBefore(own.created().plus(OwnWindow.SETTLES));
      var of = own.cost() == null ? cost : own.cost().with(job);
      boolean busy = own.runner().statusOrNone().isBusy();
      count(actual, new LiveRunner(of, hasPod, hasPod, busy));
      count(likely, new LiveRunner(of, hasPod || starts, hasPod || starts, busy));
    }
    return new OwnWindow.Sample(now, actual, likely);
  }

  private static void count(Map<LiveRunner, Integer> counts, LiveRunner runner) {
    counts.merge(runner, 1, Integer::sum);
  }

  /** How many have not ended, and are not being deleted. */
  int live() {
    return (int) all.stream().filter(own -> !own.isGoing()).count();
  }

  /** When each was made, by its uid. */
  Map<String, Instant> createdByUid() {
    var created = new HashMap<String, Instant>();
    all.forEach(own -> created.put(own.runner().getMetadata().getUid(), own.created()));
    return created;
  }
}
