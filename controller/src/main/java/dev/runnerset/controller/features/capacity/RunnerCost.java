package dev.runnerset.controller.features.capacity;

import dev.runnerset.controller.podspec.PodBuild;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.EphemeralRunner;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What one runner with one job takes of quotas: its EphemeralRunner, its secret, its pod, the
 * claims of the pod's generic ephemeral volumes, and the pods that its job makes.
 *
 * @param notReckoned what else a quota may count of it, each as a phrase for people
 */
public record RunnerCost(
    Charge.OfPod pod, List<Charge> claims, List<Charge> job, List<String> notReckoned) {
  /** The EphemeralRunner, which is there before its secret and its pod, and after them. */
  static final Charge RUNNER = new Charge.OfObject(Amounts.one(ResourceNames.COUNT_RUNNERS));

  /** The secret of the JIT config. */
  static final Charge SECRET =
      new Charge.OfObject(Amounts.one(ResourceNames.SECRETS, ResourceNames.COUNT_SECRETS));

  /** Takes a copy. */
  public RunnerCost {
    claims = List.copyOf(claims);
    job = List.copyOf(job);
    notReckoned = List.copyOf(notReckoned);
  }

  /** The same with another size of the job. */
  public RunnerCost with(JobCost size) {
    return new RunnerCost(pod, claims, size.charges(), notReckoned);
  }

  /** The charges of all its objects. */
  List<Charge> charges() {
    return Stream.of(Stream.of(RUNNER, SECRET, pod), claims.stream(), job.stream())
        .<Charge>flatMap(each -> each)
        .toList();
  }

  /**
   * The cost by the pod that the API server answered with, to its creation or to a dry run. All
   * defaults, overheads and priorities are in it.
   *
   * @param job what a job takes besides
   */
  public static RunnerCost ofAnswer(Pod pod, JobCost job) {
    return of(pod, true, job, List.of());
  }

  /**
   * The cost by the template alone, while the API server has not answered yet. It lacks what a
   * LimitRange, a RuntimeClass, a default PriorityClass or a webhook adds.
   *
   * @param runner as it would be made from the template; it needs a name and no status
   * @param job what a job takes besides
   * @return empty if no pod can be made from the template
   */
  public static Optional<RunnerCost> ofTemplate(
      EphemeralRunner runner, PodTemplateSpec template, JobCost job) {
    return switch (RunnerPod.build(runner, template, 0)) {
      case PodBuild.Problem _ -> Optional.empty();
      case PodBuild.Built(var pod) -> {
        var missing = new ArrayList<String>();
        missing.add("defaults of a LimitRange");
        if (pod.getSpec().getRuntimeClassName() != null && pod.getSpec().getOverhead().isEmpty()) {
          missing.add("the overhead of RuntimeClass " + pod.getSpec().getRuntimeClassName());
        }
        yield Optional.of(of(PodDefaults.filledIn(pod), false, job, missing));
      }
    };
  }

  private static RunnerCost of(Pod pod, boolean answered, JobCost job, List<String> missing) {
    var notReckoned = new ArrayList<>(missing);
    var charge =
        PodCharge.of(
            pod, answered, name -> notReckoned.add(name + " of the pod, which is no quantity"));
    var claims = ClaimCharge.of(pod.getSpec());
    return new RunnerCost(charge, claims, job.charges(), notReckoned);
  }
}
