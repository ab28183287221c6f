package dev.runnerset.controller.autoscalingrunnerset.planning;

import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.controller.removal.ForcedDeletion;
import dev.runnerset.crds.EphemeralRunner;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which runners of a runner set that is being deleted are deleted without asking the service. A
 * runner whose container may run stays: it may have a job without a mark, since the service refuses
 * the listener, too (I1).
 */
public final class UnaskedDeletion {
  /** A runner, and its pod if that has not started; null if it has none. */
  public record Going(EphemeralRunner runner, @Nullable Pod unstarted) {}

  /**
   * The decision.
   *
   * @param going runners whose container does not run
   * @param busy how many runners stay until their job is over
   * @param unmarked the names of those that stay and bear no mark of a job
   */
  public record Plan(List<Going> going, int busy, List<String> unmarked) {
    public Plan {
      going = List.copyOf(going);
      unmarked = List.copyOf(unmarked);
    }
  }

  private UnaskedDeletion() {}

  /**
   * The plan.
   *
   * @param podByName the pods of the namespace by name: a pod has the name of its runner
   */
  public static Plan of(List<EphemeralRunner> runners, Map<String, Pod> podByName) {
    var going = new ArrayList<Going>();
    int busy = 0;
    var unmarked = new ArrayList<String>();
    for (var runner : runners) {
      var pod = podByName.get(runner.getMetadata().getName());
      if (ForcedDeletion.isOf(runner)) {
        continue; // it goes at once, with its job
      }
      if (pod == null || isOver(pod)) {
        going.add(new Going(runner, null));
      } else if (RunnerPod.isUnstarted(pod) && !runner.statusOrNone().isBusy()) {
        going.add(new Going(runner, pod));
      } else if (runner.statusOrNone().isBusy()) {
        busy++;
      } else {
        unmarked.add(runner.getMetadata().getName());
      }
    }
    return new Plan(going, busy, unmarked);
  }

  /** Whether the pod as a whole, or the container of the runner, has ended. */
  private static boolean isOver(Pod pod) {
    var status = pod.getStatus();
    return status != null
        && ("Succeeded".equals(status.getPhase())
            || "Failed".equals(status.getPhase())
            || RunnerPod.containerStatus(pod)
                .filter(c -> c.getState() != null && c.getState().getTerminated() != null)
                .isPresent());
  }
}
