package dev.runnerset.e2e.access;

import static dev.runnerset.crds.condition.ConditionType.LISTENER_READY;
import static dev.runnerset.crds.condition.ConditionType.READY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.demo.cluster.Cluster;
import dev.runnerset.demo.cluster.RealCluster;
import dev.runnerset.demo.progress.Times;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.Play;
import dev.runnerset.e2e.Shell;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The namespace of the listener is deleted, and the controller loses its rights there, on a real
 * control plane (SF10, WR10): the set says so, the namespace goes, and all goes on by itself once
 * it is made again.
 */
final class RealListenerNamespaceIT {
  private static final String LISTENERS = "runnerset-listener";
  private static final String BINDING = "runnerset-listener-objects";
  private static final Duration TOLD = Duration.ofSeconds(40);

  private final List<String> figures = new ArrayList<>();
  private RealCluster cluster;
  private World world;
  private Shell shell;

  @Test
  void theSetSaysThatNobodyListensAndAllGoesOnOnceTheNamespaceIsThereAgain(@TempDir Path folder)
      throws Exception {
    cluster = Play.realCluster(folder);
    shell = new Shell(cluster.server(), folder);
    world = Play.world(cluster, folder);
    try {
      world.begin(1, 4);
      await("the binding is held", TOLD, this::isHeld);
      loseTheBinding();
      loseTheRight();
      loseTheNamespace();
      world.submit(3, Duration.ofSeconds(1));
      world.awaitJobsDone(Duration.ofSeconds(60));
      assertThat(world.service().violations()).isEmpty();
    } finally {
      System.out.println("the listener namespace, measured:\n  " + String.join("\n  ", figures));
      world.close();
      cluster.close();
    }
  }

  /** The finalizer keeps it, and jobs go on. */
  private void loseTheBinding() {
    shell.kubectl("delete", "rolebinding", BINDING, "-n", LISTENERS, "--wait=false").done();
    world.submit(2, Duration.ofSeconds(1));
    world.awaitJobsDone(Duration.ofSeconds(60));
    assertThat(binding().get().isMarkedForDeletion()).isTrue();
    assertThat(condition(READY).getStatus()).isEqualTo("True");
  }

  /** Somebody takes the finalizer off, too: a watch that is open says nothing of that. */
  private void loseTheRight() {
    shell
        .kubectl(
            "patch",
            "rolebinding",
            BINDING,
            "-n",
            LISTENERS,
            "--type=merge",
            "-p",
            "{\"metadata\":{\"finalizers\":null}}")
        .done();
    measure(
        "the controller may not read the listener namespace: until the set says so",
        () -> is(LISTENER_READY, "Unknown", "ClusterForbidden"));
    assertThat(is(READY, "False", "ClusterForbidden")).as(world.readyMessage()).isTrue();
    assertThat(condition(READY).getMessage()).contains("listener namespace " + LISTENERS);
    install();
    measure("the right is back: until the set is ready", () -> is(READY, "True", "Ready"));
    await("the binding is held", TOLD, this::isHeld);
  }

  private void loseTheNamespace() throws IOException {
    var begin = world.now();
    shell.kubectl("delete", "namespace", LISTENERS, "--wait=false").done();
    measure("the listener namespace is deleted: until no set is ready", () -> !isReady());
    assertThat(condition(LISTENER_READY).getStatus()).isNotEqualTo("True");
    world.listener().kill(); // its pods go with the namespace
    await(
        "the namespace is gone",
        Duration.ofSeconds(90),
        () -> world.kube().namespaces().withName(LISTENERS).get() == null);
    figure("the listener namespace is deleted: until it is gone", begin);
    assertThat(isReady()).as(world.readyMessage()).isFalse();
    install();
    Files.writeString(
        cluster.listenerKubeconfig(), cluster.kubeconfigFor(LISTENERS, "runnerset-listener"));
    world.listener().start();
    measure("it is made again: until the set is ready", () -> is(READY, "True", "Ready"));
  }

  private void install() {
    shell.kubectlWith(Cluster.identities(false), "apply").done();
  }

  private Resource<RoleBinding> binding() {
    return world.kube().rbac().roleBindings().inNamespace(LISTENERS).withName(BINDING);
  }

  private boolean isHeld() {
    return binding().get() instanceof RoleBinding there
        && there.hasFinalizer(Labels.MANAGER_FINALIZER);
  }

  private boolean isReady() {
    return StatusConditions.isTrue(world.set().statusOrNone().conditions(), READY);
  }

  private boolean is(ConditionType type, String status, String reason) {
    var condition = condition(type);
    return condition.getStatus().equals(status) && condition.getReason().equals(reason);
  }

  private Condition condition(ConditionType type) {
    return StatusConditions.find(world.set().statusOrNone().conditions(), type).orElseThrow();
  }

  private void measure(String what, BooleanSupplier done) {
    var begin = world.now();
    await(what, Duration.ofSeconds(60), done);
    figure(what, begin);
  }

  private void figure(String what, Instant begin) {
    figures.add("%s: %.1f s".formatted(what, Times.seconds(Duration.between(begin, world.now()))));
  }

  private void await(String what, Duration atMost, BooleanSupplier done) {
    world.await(what, atMost, done, world::readyMessage);
  }
}
