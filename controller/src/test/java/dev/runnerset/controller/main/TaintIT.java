package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.config.LeavingTaints;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.simulator.service.JobRequest;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Nodes with the taints of autoscalers, through the whole controller (SD3, SD10). */
final class TaintIT {
  private static final String FIRST = "simulated-node-1";
  private static final String SECOND = "simulated-node-2";
  private static final String DISRUPTED = "karpenter.sh/disrupted";
  private static final Duration LEFT = Duration.ofSeconds(20);

  @AutoClose private final ControllerWorld world = new ControllerWorld();

  private Set<String> runnersOn(String node) {
    return running().stream()
        .filter(r -> node.equals(r.statusOrNone().nodeName()))
        .map(r -> r.getMetadata().getName())
        .collect(Collectors.toSet());
  }

  private List<EphemeralRunner> running() {
    return world.runners().stream().filter(r -> r.statusOrNone().idleSince() != null).toList();
  }

  private PlayedListener begin(int runners, LeavingTaints taints) {
    world.startNodes(2);
    world.secret("github", "github_token: " + ControllerWorld.TOKEN);
    world.startController(taints);
    world.create("linux", "minRunners: " + runners, "maxRunners: 20");
    world.soon("a listener may connect").until(() -> world.listener("linux").isPresent());
    var listener = new PlayedListener(world, "linux");
    world.soon("all run").until(() -> running().size() == runners);
    return listener;
  }

  /** A job on one of the runners, with its mark. The name of that runner. */
  private String beginJob() {
    int before = running().size();
    world.control.submit(JobRequest.of(1, "linux", Duration.ofSeconds(600)));
    world
        .soon("the job has its mark, and another runner is idle in its place")
        .until(() ->
            running().size() > before
                && running().stream().anyMatch(r -> r.statusOrNone().isBusy()));
    return running().stream()
        .filter(r -> r.statusOrNone().isBusy())
        .map(r -> r.getMetadata().getName())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void sd10IdleRunnersLeaveATaintedNodeAndTheSetNamesTheJobsThatAreAtRisk() {
    try (var _ = begin(6, LeavingTaints.DEFAULT)) {
      var busy = beginJob();
      var left = runnersOn(FIRST).contains(busy) ? FIRST : SECOND;
      var kept = left.equals(FIRST) ? SECOND : FIRST;
      var stay = runnersOn(kept);
      world.taint(left, DISRUPTED);
      world
          .within(LEFT, "the idle ones of the node are replaced on the other one")
          .until(() -> runnersOn(left).equals(Set.of(busy)));
      assertThat(runnersOn(kept)).containsAll(stay);
      world
          .within(LEFT, "the set names the job, the node and the taint")
          .untilAsserted(() ->
              assertThat(world.condition("linux", "JobsAtRisk"))
                  .hasValueSatisfying(reported -> {
                    assertThat(reported.getReason()).isEqualTo("NodeLeaves");
                    assertThat(reported.getMessage())
                        .startsWith("1 job runs on nodes that are about to go: 1 on " + left)
                        .contains("(taint " + DISRUPTED + ")");
                  }));
      assertThat(world.condition("linux", "DrainHeld")).as("it has a known job").isEmpty();
      world.taint(left, "");
      world.awaitNoCondition("linux", "JobsAtRisk");
      assertThat(world.control.violations()).isEmpty();
    }
  }

  @Test
  void sd10TaintsOnAllNodesAtOnceEndNoJobAndNewRunnersComeWhenTheyGo() {
    try (var _ = begin(4, LeavingTaints.DEFAULT)) {
      var busy = beginJob();
      world.taint(FIRST, "ToBeDeletedByClusterAutoscaler");
      world.taint(SECOND, "aws-node-termination-handler/spot-itn");
      world
          .within(Duration.ofSeconds(60), "only the one with a job is left")
          .until(() -> running().stream().allMatch(r -> r.getMetadata().getName().equals(busy)));
      assertThat(running()).hasSize(1);
      world.taint(FIRST, "");
      world.soon("there are idle ones again").until(() -> runnersOn(FIRST).size() >= 3);
      assertThat(world.control.violations()).isEmpty();
    }
  }

  @Test
  void sd3ACandidateOfTheClusterAutoscalerIsEmptiedFirstAndByASurplusOnly() {
    try (var _ = begin(6, LeavingTaints.DEFAULT)) {
      var before = new HashSet<>(runnersOn(FIRST));
      before.addAll(runnersOn(SECOND));
      world.taint(SECOND, LeavingTaints.CANDIDATE);
      world.pass(Duration.ofMinutes(3)); // passes of all kinds
      assertThat(running().stream().map(r -> r.getMetadata().getName()))
          .as("none goes for it alone")
          .containsExactlyInAnyOrderElementsOf(before);
      var stay = runnersOn(FIRST);
      world.spec("linux", "minRunners: 3");
      world
          .within(LEFT, "three are left, on the other node")
          .until(() -> running().size() == 3 && runnersOn(FIRST).equals(stay));
      assertThat(world.control.violations()).isEmpty();
    }
  }

  @Test
  void sd10WithoutTaintsOnlyCordonsAreFollowed() {
    try (var _ = begin(4, new LeavingTaints(false, Set.of()))) {
      var stay = runnersOn(FIRST);
      world.taint(FIRST, DISRUPTED);
      world.cordon(SECOND, true);
      world.within(LEFT, "the cordoned node is left").until(() -> runnersOn(SECOND).isEmpty());
      assertThat(runnersOn(FIRST)).containsAll(stay);
      assertThat(world.control.violations()).isEmpty();
    }
  }

  @Test
  void sd10ATaintOfTheAdministratorCountsAsTheListedOnes() {
    try (var _ = begin(4, new LeavingTaints(true, Set.of("example.com/*")))) {
      world.taint(FIRST, "example.com/going");
      world
          .within(LEFT, "all are on the other node")
          .until(() -> runnersOn(FIRST).isEmpty() && runnersOn(SECOND).size() == 4);
      assertThat(world.control.violations()).isEmpty();
    }
  }
}
