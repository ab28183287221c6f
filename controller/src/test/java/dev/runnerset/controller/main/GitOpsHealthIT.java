package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.simulator.service.HttpFault;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.testsupport.Checkout;
import dev.runnerset.testsupport.GoProgram;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What others make of a set in twelve states: kstatus, by which Flux and Helm 4 wait, and the
 * script for Argo CD, in Lua. docs/operate/gitops.md has the script and the same table.
 */
@Tag("nightly")
final class GitOpsHealthIT {
  private static final String NONE_IDLE = "minRunners: 0";
  private static final Pattern SCRIPT =
      Pattern.compile("AutoScalingRunnerSet: \\|\n((?: {4}.*\n|\n)+)```");

  private static GoProgram judge;
  @TempDir Path folder;

  /** A state, how a set gets into it, and what is made of it. */
  record State(String name, Making making, String kstatus, String argo) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** Leads to the state of the set {@code linux}. */
  interface Making {
    void in(ControllerWorld world);
  }

  @BeforeAll
  static void build() throws IOException {
    judge = new GoProgram("controller", "health");
    judge.unavailableReason().ifPresent(Assumptions::abort);
  }

  static Stream<State> states() {
    return Stream.of(
        new State("is new", world -> world.create("linux"), "InProgress", "Progressing"),
        new State("is ready", GitOpsHealthIT::ready, "Current", "Healthy"),
        new State(
            "is at `maxRunners`",
            world -> {
              ready(world);
              world.spec("linux", "maxRunners: 0");
              world.awaitCondition("linux", "Ready", "True", "MaxRunners");
            },
            "Current",
            "Healthy"),
        new State(
            "is paused",
            world -> {
              ready(world);
              world.spec("linux", "mode: Paused");
              world.awaitCondition("linux", "Ready", "True", "Paused");
            },
            "Current",
            "Suspended"),
        new State(
            "is drained",
            world -> {
              ready(world);
              world.spec("linux", "mode: Drained");
              world.awaitCondition("linux", "Ready", "True", "Drained");
            },
            "Current",
            "Suspended"),
        new State(
            "has no secret, for a minute",
            world -> {
              world.startController();
              world.create("linux", NONE_IDLE);
              world.awaitCondition("linux", "Registered", "False", "SecretNotFound");
              world.within(Duration.ofSeconds(90)).until(() -> isStalled(world));
            },
            "Failed",
            "Degraded"),
        new State(
            "has a template that is refused",
            world -> {
              ready(world);
              world.spec("linux", "template: {spec: {containers: [{name: other, image: i}]}}");
              world.soon("it is stalled").until(() -> isStalled(world));
            },
            "Failed",
            "Degraded"),
        new State(
            "has a spec that cannot be used",
            world -> {
              world.start();
              world.createAt("http://user:word@127.0.0.1:1/org", "linux", NONE_IDLE);
              world.soon("it is stalled").until(() -> isStalled(world));
            },
            "Failed",
            "Degraded"),
        new State(
            "is limited by a quota",
            world -> {
              ready(world);
              world.api.apply(
                  """
                  apiVersion: v1
                  kind: ResourceQuota
                  metadata: {name: q, namespace: default}
                  spec: {hard: {pods: "0"}}
                  """);
              world.spec("linux", "minRunners: 1");
              world.awaitCondition("linux", "CapacityLimited", "True", "Quota");
            },
            "Current",
            "Healthy"),
        new State(
            "cannot reach GitHub",
            world -> {
              world.faults(HttpFault.answer("createScaleSet", 503, -1));
              world.start();
              world.create("linux", NONE_IDLE);
              world.awaitCondition("linux", "Registered", "False", "ServiceUnavailable");
            },
            "InProgress",
            "Progressing"),
        new State(
            "needs an upgrade of a program",
            world -> {
              ready(world);
              world.patch(
                  world.listener("linux").orElseThrow(),
                  """
                  {"protocolLevel": 9,
                   "conditions": [{"type": "Connected", "status": "True", "reason": "Connected",
                   "message": "", "lastTransitionTime": "2026-11-21T12:00:00Z"}]}
                  """);
              world
                  .soon("it says so")
                  .until(() -> world.condition("linux", "UpgradeRequired").isPresent());
            },
            "Current",
            "Healthy"),
        new State(
            "is being deleted, and jobs run",
            world -> {
              world.startNode();
              ready(world);
              var listener = new PlayedListener(world, "linux");
              try (listener) {
                var _ = world.control.submit(JobRequest.of(1, "linux", Duration.ofMinutes(9)));
                world
                    .soon("a runner has the job")
                    .until(() ->
                        world.runners().stream().anyMatch(r -> r.statusOrNone().jobId() != null));
                world.kube.resource(world.set("linux")).delete();
                world.soon("it is deleted").until(() -> world.set("linux").isMarkedForDeletion());
              }
            },
            "Terminating",
            "Progressing"));
  }

  private static void ready(ControllerWorld world) {
    world.start();
    world.create("linux", NONE_IDLE);
    world.listenerConnects("linux");
    world.awaitCondition("linux", "Ready", "True", "Ready");
  }

  private static boolean isStalled(ControllerWorld world) {
    return world
        .condition("linux", "Stalled")
        .filter(c -> c.getStatus().equals("True"))
        .isPresent();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("states")
  void whatIsMadeOfIt(State state) throws Exception {
    try (var world = new ControllerWorld()) {
      state.making().in(world);
      var set = raw(world);
      assertThat(judged(set)).startsWith("linux\t" + state.kstatus() + "\t" + state.argo() + "\t");
    }
    assertThat(page())
        .contains("\n| %s | %s | %s |\n".formatted(state.name(), state.kstatus(), state.argo()));
  }

  /** As it is stored, which is what others read. */
  private static String raw(ControllerWorld world) {
    var object =
        world
            .kube
            .genericKubernetesResources(
                AutoScalingRunnerSet.class
                        .getAnnotation(io.fabric8.kubernetes.model.annotation.Group.class)
                        .value()
                    + "/v1alpha1",
                "AutoScalingRunnerSet")
            .inNamespace("default")
            .withName("linux")
            .get();
    return Serialization.asJson(object);
  }

  private String judged(String set) throws Exception {
    var objects = Files.writeString(folder.resolve("objects.json"), "[" + set + "]");
    var lua = SCRIPT.matcher(page());
    assertThat(lua.find()).isTrue();
    var script = Files.writeString(folder.resolve("health.lua"), lua.group(1).stripIndent());
    var lines = judge.run(List.of(script.toString(), objects.toString()));
    assertThat(lines).hasSize(1);
    return lines.getFirst();
  }

  private static String page() {
    return Checkout.read("docs/operate/gitops.md");
  }
}
