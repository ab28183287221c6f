package dev.runnerset.controller.autoscalingrunnerset.planning;

import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which runners of a set that is being deleted go though nobody can ask the service about them. A
 * runner whose container may run stays: it may have a job that no mark tells of, since the listener
 * is refused too (I1). Pure.
 */
public final class UnaskedDeletion {
  /** The runner, and the pod that waits for its start; null where there is none. */
  public record Going(EphemeralRunner runner, @Nullable Pod unstarted) {}

  /**
   * What becomes of them.
   *
   * @param forced those that a user has annotated: they go with their jobs
   * @param going those whose container does not run
   * @param running how many stay
   */
  public record Plan(List<EphemeralRunner> forced, List<Going> going, int running) {
    public Plan {
      forced = List.copyOf(forced);
      going = List.copyOf(going);
    }
  }

  private UnaskedDeletion() {}

  /**
   * The plan.
   *
   * @param podByName the pods of the namespace by name: a runner's pod bears the runner's name
   */
  public static Plan of(List<EphemeralRunner> runners, Map<String, Pod> podByName) {
    var forced = new ArrayList<EphemeralRunner>();
    var going = new ArrayList<Going>();
    int running = 0;
    for (var runner : runners) {
      var pod = podByName.get(runner.getMetadata().getName());
      if (isForced(runner)) {
        forced.add(runner);
      } else if (pod == null || isOver(pod)) {
        going.add(new Going(runner, null));
      } else if (isUnstarted(pod) && !status(runner).isBusy()) {
        going.add(new Going(runner, pod));
      } else {
        running++;
      }
    }
    return new Plan(forced, going, running);
  }

  private static boolean isForced(EphemeralRunner runner) {
    var annotations = runner.getMetadata().getAnnotations();
    return annotations != null && "true".equals(annotations.get(Labels.FORCE_DELETE));
  }

  private static EphemeralRunnerStatus status(EphemeralRunner runner) {
    return runner.getStatus() == null ? EphemeralRunnerStatus.NONE : runner.getStatus();
  }

  /** Whether the pod as a whole, or the container of the runner, has ended. */
  private static boolean isOver(Pod pod) {
    var status = pod.getStatus();
    return status != null
        && ("Succeeded".equals(status.getPhase())
            || "Failed".equals(status.getPhase())
            || status.getContainerStatuses().stream()
                .filter(c -> RunnerPod.CONTAINER.equals(c.getName()))
                .anyMatch(c -> c.getState() != null && c.getState().getTerminated() != null));
  }

  /** Anything else, as the phase Unknown of a lost node, may be a container that runs. */
  private static boolean isUnstarted(Pod pod) {
    var status = pod.getStatus();
    return status == null
        || status.getPhase() == null
        || ("Pending".equals(status.getPhase())
            && status.getContainerStatuses().stream()
                .filter(c -> RunnerPod.CONTAINER.equals(c.getName()))
                .noneMatch(c -> c.getState() != null && c.getState().getRunning() != null));
  }
}
