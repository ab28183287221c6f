package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.Installation;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.features.shield.ShieldManifests;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.simulator.service.HttpFault;
import dev.runnerset.simulator.service.JobRequest;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Nodes that are cordoned under idle and busy runners, through the whole controller (SD10). */
final class CordonIT {
  private static final String FIRST = "simulated-node-1";
  private static final String SECOND = "simulated-node-2";

  private static final Duration TOLD = Duration.ofSeconds(30);

  /** Nodes are asked for again after a pause that doubles up to 32 s. */
  private static final Duration MENDED = Duration.ofSeconds(60);

  @AutoClose private final ControllerWorld world = new ControllerWorld();
  private final Set<String> seen = new HashSet<>();

  private Set<String> runnersOn(String node) {
    return running().stream()
        .filter(r -> node.equals(r.statusOrNone().nodeName()))
        .map(r -> r.getMetadata().getName())
        .collect(Collectors.toSet());
  }

  private List<EphemeralRunner> running() {
    var all = world.runners();
    all.stream().map(HasMetadata::getMetadata).forEach(meta -> seen.add(meta.getName()));
    return all.stream().filter(r -> r.statusOrNone().idleSince() != null).toList();
  }

  /** All that the shield needs of the cluster, but for the right to see nodes. */
  private void installShield() {
    ShieldManifests.yaml(
            ControllerSettings.of("test").places(), ControllerSettings.CONTROLLER_SERVICE_ACCOUNT)
        .forEach(world.api::apply);
  }

  private void begin(int runners) {
    world.startNodes(2);
    world.start();
    world.create("linux", "minRunners: " + runners, "maxRunners: 20");
    world.listenerConnects("linux");
    world.demand("linux", 0, 1);
    world.soon("all run").until(() -> running().size() == runners);
  }

  /** A job that begins on one of the runners, and nobody marks the runner. Its name. */
  private String beginUnmarkedJob(Duration length) {
    world.control.submit(JobRequest.of(1, "linux", length));
    world.hearNothing("linux", 1);
    world.soon("the job begins").until(() -> !busy().isEmpty());
    return busy().getFirst();
  }

  private List<String> busy() {
    return world.control.runners().stream()
        .filter(r -> r.state().equals("BUSY"))
        .map(r -> r.name())
        .toList();
  }

  @Test
  void idleRunnersAreReplacedElsewhereAndOneWithAJobStaysThoughNobodyHeardOfIt() {
    begin(6);
    assertThat(runnersOn(FIRST)).hasSize(3);
    var busy = beginUnmarkedJob(Duration.ofSeconds(60));
    var left = runnersOn(FIRST).contains(busy) ? FIRST : SECOND;
    var kept = left.equals(FIRST) ? SECOND : FIRST;
    var stay = runnersOn(kept);
    world.cordon(left, true);
    world
        .within(Duration.ofSeconds(20), "the idle ones of the node are replaced on the other one")
        .until(() -> runnersOn(left).equals(Set.of(busy)) && runnersOn(kept).size() == 5);
    assertThat(runnersOn(kept)).containsAll(stay);
    world
        .soon("the refusal is remembered")
        .until(() ->
            running().stream()
                .anyMatch(r ->
                    r.getMetadata().getName().equals(busy) && r.statusOrNone().removal() != null));
    assertThat(seen).as("one replacement for each that went").hasSize(8);
    assertThat(world.control.counters().get("removeRunner")).isEqualTo(3); // two went, one stays
    assertThat(world.control.violations()).isEmpty();
    world
        .within(TOLD, "the set names it, with the commands that end it")
        .untilAsserted(() ->
            assertThat(world.condition("linux", "DrainHeld"))
                .hasValueSatisfying(reported ->
                    assertThat(reported.getMessage())
                        .contains("the cordoned node " + left, ": " + busy + ";")
                        .contains(busy + " runnerset.dev/force-delete=true")));
    world
        .soon("it")
        .untilAsserted(() ->
            assertThat(world.metrics())
                .containsPattern(
                    "runnerset_runners_garbage_collected_total\\{[^}]*reason=\"cordoned\"[^}]*}"
                        + " 2"));
  }

  @Test
  void idleRunnersOfACordonedNodeAreNamedWhileTheServiceIsSilent() {
    begin(4);
    world.faults(HttpFault.hang("removeRunner"));
    world.cordon(FIRST, true);
    world
        .within(TOLD, "the set names them, with the command that ends them")
        .untilAsserted(() ->
            assertThat(world.condition("linux", "DrainHeld"))
                .hasValueSatisfying(reported -> {
                  assertThat(reported.getReason()).isEqualTo("IdleNotRemoved");
                  assertThat(reported.getMessage())
                      .contains("the cordoned node " + FIRST, "runnerset.dev/force-delete=true")
                      .contains(runnersOn(FIRST));
                }));
    assertThat(runnersOn(FIRST)).hasSize(2);
    world
        .soon("the alert")
        .until(() -> new AlertRules().fires("RunnersetDrainHeld", world.metrics()));
    world.faults();
    world
        .within(MENDED, "all are on the other node")
        .until(() -> runnersOn(FIRST).isEmpty() && runnersOn(SECOND).size() == 4);
    world.awaitNoCondition("linux", "DrainHeld");
  }

  /**
   * Idle runners stay then, and the set says why, and what to do; it is followed when it may be.
   */
  @Test
  void aSetTellsThatItsControllerMayNotSeeNodes() {
    installShield();
    world.api.faults().hide(ControllerWorld.WRITER, "nodes");
    begin(4);
    world.cordon(FIRST, true);
    world
        .within(TOLD, "the set tells it")
        .untilAsserted(() ->
            assertThat(world.condition("linux", "ShieldIncomplete"))
                .hasValueSatisfying(reported -> {
                  assertThat(reported.getStatus()).isEqualTo("Unknown");
                  assertThat(reported.getReason()).isEqualTo("NodesNotVisible");
                  assertThat(reported.getMessage()).contains(Installation.UPGRADE);
                }));
    assertThat(runnersOn(FIRST)).as("idle runners of the cordoned node").hasSize(2);
    world.api.faults().show(ControllerWorld.WRITER, "nodes");
    world
        .within(MENDED, "all are on the other node")
        .until(() -> runnersOn(FIRST).isEmpty() && runnersOn(SECOND).size() == 4);
    world
        .within(TOLD, "the set tells it no more")
        .until(() -> world.condition("linux", "ShieldIncomplete").isEmpty());
    assertThat(world.control.violations()).isEmpty();
  }

  @Test
  void aCordonThatIsOlderThanTheControllerCountsToo() {
    begin(4);
    world.stopController();
    world.cordon(FIRST, true);
    world.startController();
    world
        .soon("all are on the other node")
        .until(() -> runnersOn(FIRST).isEmpty() && runnersOn(SECOND).size() == 4);
    world.cordon(FIRST, false);
    world.cordon(SECOND, true);
    world
        .soon("all are on the first node again")
        .until(() -> runnersOn(SECOND).isEmpty() && runnersOn(FIRST).size() == 4);
    assertThat(world.control.violations()).isEmpty();
  }

  @Test
  void aSurplusTakesTheRunnersOfCordonedNodesFirstAndNoOthersInTheirPlace() {
    begin(6);
    var stay = runnersOn(SECOND);
    world.cordon(FIRST, true);
    world.spec("linux", "minRunners: 3");
    world
        .within(Duration.ofSeconds(20), "three are left")
        .until(() -> running().size() == 3 && world.runners().size() == 3);
    stay.removeAll(runnersOn(SECOND));
    // the cordon is seen before the new minimum, so replacements may begin, and as many then go
    assertThat(stay).as("removed of the other node").hasSizeLessThanOrEqualTo(seen.size() - 6);
    assertThat(runnersOn(FIRST)).isEmpty();
    assertThat(world.control.violations()).isEmpty();
  }
}
