package dev.runnerset.deployment;

import static dev.runnerset.demo.world.World.NAMESPACE;
import static dev.runnerset.demo.world.World.SET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.Play;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A release of {@code charts/runnerset-set} on a real control plane, from its installation to its
 * end, while both programs run as processes.
 */
@Tag("nightly")
final class RealSetReleaseIT {
  private static final Duration SOON = Duration.ofSeconds(90);

  @Test
  void aReleaseMakesRunnersIsChangedInPlaceAndGoesByItself(@TempDir Path folder)
      throws IOException {
    try (var cluster = Play.realCluster(folder);
        var world = Play.world(cluster, folder)) {
      world.start();
      new Release(world, Helm.on(cluster.server().adminKubeconfigFile(), folder.resolve("helm")))
          .play();
    }
  }

  private record Release(World world, Helm helm) {
    void play() {
      helm("install", "minRunners=1").orFail();
      await("it is ready", () -> world.readyMessage().contains("Ready=True") && world.idle() == 1);
      assertThat(helm("upgrade", "minRunners=1", "githubConfigSecret.github_token=").err())
          .as("what is refused changes nothing")
          .contains("githubConfigSecret has no value");

      var before = set();
      helm("upgrade", "minRunners=2", "maxRunners=7", "resourceMeta.managerRoleBinding.labels.a=b")
          .orFail();
      await("it has two runners", () -> world.idle() == 2);
      assertThat(set().getMetadata().getUid()).isEqualTo(before.getMetadata().getUid());
      assertThat(set().getSpec().maxRunners()).isEqualTo(7);
      assertThat(set().getStatus().revision()).isEqualTo(before.getStatus().revision());

      helm("upgrade", "minRunners=2", "containerMode.type=dind").orFail();
      await(
          "the runners are of the new template",
          () ->
              !Objects.equals(set().getStatus().revision(), before.getStatus().revision())
                  && world.idle() == 2
                  && world.kube().pods().inNamespace(NAMESPACE).list().getItems().stream()
                      .allMatch(pod -> pod.getSpec().getInitContainers().size() == 2));

      world.submit(1, Duration.ofSeconds(6));
      world.awaitBusy(1);
      helm.run("uninstall", SET, "--namespace", NAMESPACE).orFail();
      await("set, runners and scale set are gone", () -> left().isEmpty());
      assertThat(world.service().jobCounts().completed()).isEqualTo(1);
      assertThat(world.service().jobCounts().lost()).as("jobs that were lost").isZero();
      assertThat(world.service().violations()).isEmpty();
    }

    private void await(String what, BooleanSupplier done) {
      world.await(what, SOON, done, () -> world.readyMessage() + "; there is " + left());
    }

    private AutoScalingRunnerSet set() {
      return Objects.requireNonNull(world.set());
    }

    /** What is left of the release, in the cluster and at the service. */
    private List<String> left() {
      var kube = world.kube();
      var scaleSets = world.service().scaleSets().stream().map(s -> "scale set " + s.name());
      var runners = world.service().runners().stream().map(r -> "registration " + r.name());
      var objects =
          Stream.of(
                  kube.resources(AutoScalingRunnerSet.class).inNamespace(NAMESPACE).list(),
                  kube.pods().inNamespace(NAMESPACE).list(),
                  kube.secrets().inNamespace(NAMESPACE).list(),
                  kube.serviceAccounts().inNamespace(NAMESPACE).list(),
                  kube.rbac().roles().inNamespace(NAMESPACE).list(),
                  kube.rbac().roleBindings().inNamespace(NAMESPACE).list())
              .flatMap(list -> list.getItems().stream())
              .map(HasMetadata.class::cast)
              .filter(object -> !object.getMetadata().getName().equals("default"))
              .map(object -> object.getKind() + " " + object.getMetadata().getName());
      return Stream.of(scaleSets, runners, objects).flatMap(each -> each).toList();
    }

    private Helm.Result helm(String command, String... values) {
      var words = new ArrayList<>(List.of(command, SET, SetChart.FOLDER, "-n", NAMESPACE));
      if (command.equals("install")) {
        words.add("--create-namespace");
      }
      words.add("--set=githubConfigUrl=" + world.configUrl("my-org"));
      words.add("--set=githubConfigSecret.github_token=" + World.TOKEN);
      Stream.of(values).forEach(value -> words.add("--set=" + value));
      return helm.run(words.toArray(String[]::new));
    }
  }
}
