package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Pods of idle runners that somebody deletes, through the whole controller (RN8). */
final class DeletedPodIT {
  private static final int RUNNERS = 5;

  @AutoClose private final ControllerWorld world = new ControllerWorld();

  private List<String> running() {
    return world.runners().stream()
        .filter(r -> r.statusOrNone().idleSince() != null && !r.statusOrNone().isTerminal())
        .map(r -> r.getMetadata().getName())
        .toList();
  }

  private void patch(String pod, String subresource, String content) {
    var resource = world.kube.pods().inNamespace(ControllerWorld.NAMESPACE).withName(pod);
    var merge = PatchContext.of(PatchType.JSON_MERGE);
    if (subresource.isEmpty()) {
      resource.patch(merge, content);
    } else {
      resource.subresource(subresource).patch(merge, content);
    }
  }

  /** As a kubelet does: the runner exits with 0, and its pod stays for the rest of its period. */
  private void delete(String pod) {
    patch(pod, "", "{\"metadata\": {\"finalizers\": [\"runnerset.dev/test\"]}}");
    world.kube.pods().inNamespace(ControllerWorld.NAMESPACE).withName(pod).delete();
    patch(
        pod,
        "status",
        "{\"status\": {\"containerStatuses\": [{\"name\": \"runner\", \"ready\": false,"
            + " \"restartCount\": 0, \"image\": \"i\", \"imageID\": \"\","
            + " \"state\": {\"terminated\": {\"exitCode\": 0}}}]}}");
  }

  @Test
  void idleOnesAreReplacedAtOnceThoughTheyExitWithZero() {
    world.startNode();
    world.start();
    world.create("linux", "minRunners: " + RUNNERS, "maxRunners: 20");
    world.listenerConnects("linux");
    world.demand("linux", 0, 1);
    await("all run").until(() -> running().size() == RUNNERS);
    world.pass(Duration.ofMinutes(2)); // they have stood for a while
    var before = running();
    before.forEach(this::delete);
    await("others run in their places")
        .atMost(Duration.ofSeconds(15)) // the settle window is 30 s
        .until(() -> running().stream().filter(name -> !before.contains(name)).count() == RUNNERS);
    await("all of them are removed")
        .until(() -> world.control.counters().get("removeRunner") == RUNNERS);
    assertThat(world.control.violations()).isEmpty();
    before.forEach(pod -> patch(pod, "", "{\"metadata\": {\"finalizers\": null}}"));
  }
}
