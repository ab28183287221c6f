package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.simulator.service.JobRequest;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** When the pods of runners are shielded, through the whole controller (SH1). */
final class ShieldIT {
  @AutoClose private final ControllerWorld world = new ControllerWorld();

  private List<Pod> pods() {
    return world
        .kube
        .pods()
        .inNamespace(ControllerWorld.NAMESPACE)
        .withLabel("runnerset.dev/protection")
        .list()
        .getItems();
  }

  private static boolean isShielded(Pod pod) {
    boolean is = "true".equals(pod.getMetadata().getLabels().get("runnerset.dev/busy"));
    var annotations = pod.getMetadata().getAnnotations();
    assertThat("true".equals(annotations.get("karpenter.sh/do-not-disrupt"))).isEqualTo(is);
    return is;
  }

  private long shielded() {
    return pods().stream().filter(ShieldIT::isShielded).count();
  }

  private long patchesOfPods() {
    return world.api.counters().snapshot().entrySet().stream()
        .filter(e -> e.getKey().resource().equals("pods") && e.getKey().verb().equals("patch"))
        .filter(e -> e.getKey().subresource().isEmpty())
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private void begin() {
    world.startNode();
    world.start();
    world.create("linux", "minRunners: 3", "maxRunners: 20");
    world.listenerConnects("linux");
    world.counts("linux", 0, 0, 0);
    world
        .soon("all run")
        .until(() ->
            world.runners().stream().filter(r -> r.statusOrNone().idleSince() != null).count()
                == 3);
    assertThat(patchesOfPods()).as("patches of pods").isZero();
    assertThat(shielded()).isEqualTo(3);
    world.pass(Duration.ofSeconds(2));
    world.counts("linux", 0, 3, 3);
    world.awaitCondition("linux", "ListenerReady", "True", "Connected");
  }

  private EphemeralRunner mark() {
    var one = world.runners().getFirst();
    world.patch(one, "{\"requestId\": 5, \"jobId\": \"job\"}");
    return one;
  }

  @Test
  void idleRunnersLoseItAfterTenMinutesAndGetItBackWithAMarkOrWithoutAListener() {
    begin();
    world.pass(Duration.ofMinutes(9));
    world.counts("linux", 0, 3, 3);
    assertThat(shielded()).isEqualTo(3);
    world.pass(Duration.ofMinutes(2));
    world.counts("linux", 0, 3, 3);
    world.soon("no pod is shielded").until(() -> shielded() == 0);
    world.soon("one patch of each").until(() -> patchesOfPods() == 3);
    var marked = mark();
    world.soon("the pod with a job is shielded").until(() -> shielded() == 1);
    assertThat(pods().stream().filter(ShieldIT::isShielded).map(p -> p.getMetadata().getName()))
        .containsExactly(marked.getMetadata().getName());
    world.listenerFails("linux");
    world.soon("all are shielded").until(() -> shielded() == 3);
    world.listenerConnects("linux");
    world.counts("linux", 1, 3, 2);
    world.pass(Duration.ofMinutes(9));
    world.counts("linux", 1, 3, 2);
    assertThat(patchesOfPods()).as("two of each idle one, two of the busy one").isEqualTo(6);
  }

  /** BG1: eight as any other, and two patches of its pod, when the shield goes and comes back. */
  @Test
  void aWarmRunnerCostsAtMostTenWritesInItsWholeLife() {
    world.startNode();
    world.start();
    world.create("linux", "minRunners: 1");
    try (var _ = new PlayedListener(world, "linux")) {
      world
          .within(Duration.ofSeconds(15), "it is idle, before it is slow")
          .until(
              () -> world.runners().stream().anyMatch(r -> r.statusOrNone().idleSince() != null));
      world.pass(Duration.ofSeconds(2));
      world.counts("linux", 0, 1, 1);
      world.awaitCondition("linux", "ListenerReady", "True", "Connected");
      world.pass(Duration.ofMinutes(11));
      world.counts("linux", 0, 1, 1);
      world.soon("its pod is not shielded").until(() -> pods().size() == 1 && shielded() == 0);
      world.spec("linux", "minRunners: 0");
      world.control.submit(JobRequest.of(1, "linux", Duration.ofSeconds(2)));
      // without a jump: a runner that is a surplus for 1 s goes
      await("its pod is shielded").until(() -> shielded() == 1);
      world.soon("it is gone").until(() -> world.runners().isEmpty());
      long writes = writesOnRunners() - 1; // the dry run of the template (BG4)
      assertThat(writes).isLessThanOrEqualTo(10);
    }
  }

  /** The controller's, and the listener's, which the test plays with the client of the world. */
  private long writesOnRunners() {
    return world.api.counters().snapshot().entrySet().stream()
        .filter(e -> e.getKey().isWrite() && e.getKey().code() < 300)
        .filter(e ->
            e.getKey().resource().startsWith("ephemeralrunners.")
                || e.getKey().writer().equals(ControllerWorld.WRITER)
                    && Set.of("pods", "secrets").contains(e.getKey().resource()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** A pass that the answer to a patch precedes sees that answer, also before its event (WR4). */
  @Test
  void aPodIsPatchedOnceThoughItsEventsAreLate() {
    begin();
    world.pass(Duration.ofMinutes(11));
    world.counts("linux", 0, 3, 3);
    world.soon("no pod is shielded").until(() -> shielded() == 0);
    world.api.faults().watchLag("pods", Duration.ofSeconds(2));
    var marked = mark();
    world.soon("the pod with a job is shielded").until(() -> shielded() == 1);
    for (int i = 0; i < 5; i++) {
      world.patch(marked, "{\"jobDisplayName\": \"step %d\"}".formatted(i));
    }
    world.listenerFails("linux");
    world.soon("all are shielded").until(() -> shielded() == 3);
    world.soon("two patches of each").until(() -> patchesOfPods() == 6);
  }

  /** A process that takes over judges nothing before it knows the listener and the counts. */
  @Test
  void aRestartOfTheControllerWritesNoIdlePod() {
    begin();
    world.pass(Duration.ofMinutes(11));
    world.counts("linux", 0, 3, 3);
    world.soon("no pod is shielded").until(() -> shielded() == 0);
    var before = versions();
    world.stopController();
    world.startController();
    var marked = mark().getMetadata().getName();
    world.soon("the new one works").until(() -> shielded() == 1);
    var after = versions();
    before.remove(marked);
    after.remove(marked);
    assertThat(after).hasSize(2).isEqualTo(before);
  }

  private Map<String, String> versions() {
    return pods().stream()
        .map(Pod::getMetadata)
        .collect(
            Collectors.toMap(
                ObjectMeta::getName, ObjectMeta::getResourceVersion, (a, b) -> b, HashMap::new));
  }

  @Test
  void aLabelThatBudgetOrPolicySelectByIsPutBack() {
    begin();
    mark();
    for (var label :
        List.of("runnerset.dev/set", "runnerset.dev/busy", "runnerset.dev/protection")) {
      var pod = pods().getFirst();
      var name = pod.getMetadata().getName();
      var value = pod.getMetadata().getLabels().get(label);
      world
          .kube
          .pods()
          .inNamespace(ControllerWorld.NAMESPACE)
          .withName(name)
          .edit(p -> {
            p.getMetadata().getLabels().remove(label);
            return p;
          });
      await(label + " is back")
          .until(() ->
              value.equals(
                  world
                      .kube
                      .pods()
                      .inNamespace(ControllerWorld.NAMESPACE)
                      .withName(name)
                      .get()
                      .getMetadata()
                      .getLabels()
                      .get(label)));
    }
  }
}
