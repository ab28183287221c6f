package dev.runnerset.e2e.stalls;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.Play;
import dev.runnerset.e2e.RepositoryFiles;
import dev.runnerset.simulator.service.JobRequest;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job starts on a runner whose resource is gone: the set says so, and the alert fires (DM3). */
final class EmbeddedMarksIT {
  private static final Duration SOON = Duration.ofSeconds(60);

  @TempDir Path folder;

  @Test
  void aMarkWithoutARunnerStandsOnTheSetAndFiresItsAlert() throws IOException {
    try (var cluster = Play.embeddedCluster(folder);
        var world = Play.world(cluster, folder)) {
      world.begin(1, 2);
      world.awaitIdle(1);
      assertThat(dropped(world)).isEmpty();
      world.controller().kill(); // else its finalizer would ask for the registration
      removeRunner(world);
      world.service().submit(JobRequest.of(1, World.SET, Duration.ofSeconds(30)));
      world.await(
          "the job starts",
          SOON,
          () -> world.service().jobs().stream().anyMatch(job -> job.runnerName() != null),
          world::readyMessage);
      world.controller().start();
      world.await("the set says it", SOON, () -> dropped(world).isPresent(), world::readyMessage);
      var condition = dropped(world).orElseThrow();
      assertThat(condition.getStatus()).isEqualTo("True");
      assertThat(condition.getReason()).isEqualTo("RunnerGone");
      var series =
          expression("RunnersetMarksDropped")
              .replaceFirst("^max by [(]namespace, name[)] [(](.*)}[)] == 1$", "$1");
      assertThat(series).startsWith("runnerset_set_condition{type=\"MarksDropped\"");
      world.await("the alert fires", SOON, () -> isOne(world, series), world::readyMessage);
    }
  }

  private static Optional<Condition> dropped(World world) {
    return Objects.requireNonNull(world.set()).statusOrNone().conditions().stream()
        .filter(condition -> condition.getType().equals("MarksDropped"))
        .findFirst();
  }

  /** Its pod runs on, as after a restore of etcd. */
  private static void removeRunner(World world) {
    var name = world.runners().getFirst().getMetadata().getName();
    world
        .kube()
        .pods()
        .inNamespace(World.NAMESPACE)
        .withName(name)
        .edit(pod -> {
          pod.getMetadata().setOwnerReferences(List.of());
          return pod;
        });
    world.mergeRunner(name, "{\"metadata\": {\"finalizers\": null}}");
    var _ =
        world
            .kube()
            .resources(EphemeralRunner.class)
            .inNamespace(World.NAMESPACE)
            .withName(name)
            .delete();
  }

  private static String expression(String alert) {
    var text = "---\n" + RepositoryFiles.read("docs/alerts/runnerset.rules.yaml");
    var rules = Serialization.unmarshal(text, JsonNode.class).at("/groups/0/rules");
    return StreamSupport.stream(rules.spliterator(), false)
        .filter(rule -> rule.path("alert").textValue().equals(alert))
        .map(rule -> rule.path("expr").textValue())
        .findFirst()
        .orElseThrow();
  }

  private static boolean isOne(World world, String series) {
    var labels = series.substring(series.indexOf('{') + 1).split(",");
    return world
        .probe()
        .page("/metrics")
        .lines()
        .filter(line -> line.startsWith(series.substring(0, series.indexOf('{'))))
        .filter(line -> line.endsWith(" 1") || line.endsWith(" 1.0"))
        .anyMatch(line -> Arrays.stream(labels).allMatch(line::contains));
  }
}
