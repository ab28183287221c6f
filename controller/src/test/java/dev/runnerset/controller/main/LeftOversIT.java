package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.simulator.service.HttpFault;
import dev.runnerset.simulator.service.RunnerView;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each kind of left-over is repaired, and nothing of anybody else is touched (I5, RN20). */
final class LeftOversIT {
  private static final Duration SWEEP = Duration.ofMillis(100);

  @AutoClose private final ControllerWorld world = new ControllerWorld();
  private final ActionsService client = world.client("somebody-else");

  @BeforeEach
  void start() {
    world.secret("github", "github_token: " + ControllerWorld.TOKEN);
    world.startController(SWEEP);
  }

  /** Time passes until the condition holds; each sweep sees a later moment. */
  private void passUntil(String what, Callable<Boolean> condition) {
    world.within(Duration.ofHours(1), what).until(condition);
  }

  private int ready(String name, String... more) {
    world.create(name, more);
    world.listenerConnects(name);
    world.awaitCondition(name, "Ready", "True", "Ready");
    return world.runnerSet(name).getSpec().runnerScaleSetId();
  }

  private long register(int scaleSet, String name) {
    var made =
        (JitConfigResult.Registered) client.generateJitConfig(new ScaleSetId(scaleSet), name, "");
    return made.runner().id().value();
  }

  private List<String> registered() {
    return world.control.runners().stream().map(RunnerView::name).toList();
  }

  private long calls(String endpoint) {
    return world.control.counters().getOrDefault(endpoint, 0L);
  }

  private double counted(String set, String kind, String result) {
    return world
        .metrics()
        .lines()
        .filter(line ->
            line.startsWith("runnerset_left_overs_total")
                && line.contains("name=\"" + set + "\"")
                && line.contains("kind=\"" + kind + "\"")
                && line.contains("result=\"" + result + "\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  private List<String> reported(String reason) {
    return world.kube.v1().events().inNamespace("default").list().getItems().stream()
        .filter(event -> event.getReason().equals(reason))
        .map(event -> event.getInvolvedObject().getKind() + ": " + event.getMessage())
        .toList();
  }

  /** What a runner of a set leaves when a restore, or a hand, takes its resource and its owners. */
  private void orphan(String set, String name, long id, String phase) {
    world.api.apply(
        """
        apiVersion: v1
        kind: Secret
        metadata:
          name: %2$s
          namespace: default
          labels: {app.kubernetes.io/part-of: runnerset, app.kubernetes.io/component: runner,
            runnerset.dev/set: %1$s}
        stringData: {jitToken: abc, runnerId: "%3$d"}
        """
            .formatted(set, name, id));
    world.api.apply(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %2$s
          namespace: default
          labels: {app.kubernetes.io/part-of: runnerset, app.kubernetes.io/component: runner,
            runnerset.dev/set: %1$s}
          annotations: {runnerset.dev/runner-id: "%3$d", runnerset.dev/runner-name: %2$s}
        spec: {containers: [{name: runner, image: runner:1}]}
        """
            .formatted(set, name, id));
    podStatus(name, "{\"phase\": \"%s\"}".formatted(phase));
  }

  private void podStatus(String name, String status) {
    world
        .kube
        .pods()
        .inNamespace("default")
        .withName(name)
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\": " + status + "}");
  }

  private boolean isThere(String pod) {
    return world.kube.pods().inNamespace("default").withName(pod).get() != null;
  }

  private boolean hasSecret(String name) {
    return world.kube.secrets().inNamespace("default").withName(name).get() != null;
  }

  @Test
  void aRegistrationWithoutARunnerIsRemovedAndThoseOfOthersStay() {
    int ours = ready("linux", "minRunners: 0");
    int ofAnotherCluster = world.control.createForeignScaleSet("my-org", "linux-2");
    var control = world.control;
    var theirs = new ArrayList<String>(); // of a set of that name elsewhere, more than a look asks
    for (char c : "bcdfghjklmnpqrstvwxz2456".toCharArray()) {
      var name = "linux-2456789bc" + c;
      control.registerForeign(ofAnotherCluster, name);
      theirs.add(name);
    }
    control.registerForeign(ours, "linux-arc-x7f2k"); // another program's, or a person's
    var left = "linux-bcdfghjklm";
    register(ours, left);
    register(ours, "linux-zzzzzzzzzz");

    theirs.add("linux-arc-x7f2k");
    passUntil(
        "the left ones go",
        () -> !registered().contains(left) && registered().size() == theirs.size());
    assertThat(registered()).containsExactlyInAnyOrderElementsOf(theirs);
    assertThat(calls("getRunner")).as("each is asked for once").isLessThanOrEqualTo(30);
    assertThat(control.violations()).isEmpty();
    world
        .soon("it")
        .untilAsserted(() -> {
          assertThat(counted("linux", "registration", "removed")).isEqualTo(2);
          assertThat(reported("LeftOverRemoved"))
              .anySatisfy(event -> assertThat(event).startsWith("AutoScalingRunnerSet: linux-"));
        });
    long lists = calls("listRunners");
    long reads = calls("getScaleSet");
    world.passInRounds(Duration.ofHours(1));
    assertThat(calls("listRunners") - lists)
        .as("a look that finds nothing backs off")
        .isBetween(1L, 4L);
    assertThat(calls("getScaleSet") - reads).isLessThanOrEqualTo(12);
  }

  @Test
  void whileTheCountsAgreeASetIsReadOnceAfterItsLastChangeAndThenNoMore() {
    var _ = ready("linux", "minRunners: 0");
    var _ = ready("other", "minRunners: 0");
    long reads = calls("getScaleSet");
    passUntil("both are read", () -> calls("getScaleSet") - reads == 2);
    world.passInRounds(Duration.ofHours(2));
    assertThat(calls("getScaleSet") - reads).isEqualTo(2);
    assertThat(calls("listRunners")).isZero();
  }

  @Test
  void aTokenThatMayNotListRunnersIsReportedOnceAndNotTriedAgainForHours() {
    int ours = ready("linux", "minRunners: 0");
    world.faults(HttpFault.answer("listRunners", 403, -1));
    register(ours, "linux-bcdfghjklm");
    passUntil("it is reported", () -> !reported("RunnerListRefused").isEmpty());
    world.passInRounds(Duration.ofHours(2));
    assertThat(calls("listRunners")).isEqualTo(1);
    assertThat(reported("RunnerListRefused"))
        .singleElement()
        .satisfies(event -> assertThat(event).contains("Self-hosted runners: read and write"));
    assertThat(registered()).containsExactly("linux-bcdfghjklm");
  }

  @Test
  void aRunnerThatTheServiceDoesNotKnowIsRemovedAndReplaced() {
    // no runner connects here: its deadline, by a clock that jumps, would end it before the sweep
    // does
    int _ = ready("linux", "minRunners: 2", "deadlines: {registration: 24h}");
    world.soon("it").until(() -> registered().size() == 2);
    for (var name : registered()) {
      world.soon("it").until(() -> isThere(name));
      podStatus(
          name,
          """
          {"phase": "Running", "containerStatuses": [{"name": "runner", "image": "runner:1",
           "imageID": "x", "ready": true, "restartCount": 0,
           "state": {"running": {"startedAt": "%s"}}}]}
          """
              .formatted(world.now().truncatedTo(ChronoUnit.SECONDS)));
    }
    world
        .soon("both run")
        .until(() ->
            world.runners().stream().allMatch(runner -> runner.statusOrNone().idleSince() != null));
    var victim = world.runners().getFirst();
    var name = victim.getMetadata().getName();
    var uid = victim.getMetadata().getUid();
    assertThat(client.removeRunner(new RunnerId(victim.statusOrNone().runnerId())))
        .isInstanceOf(RemoveRunnerResult.Removed.class);

    passUntil("it is removed", () -> counted("linux", "resource", "removed") >= 1);
    world
        .soon("its resource goes")
        .until(() ->
            world.kube.resources(EphemeralRunner.class).inNamespace("default").withName(name).get()
                == null);
    world
        .soon("another one is made")
        .until(() ->
            world.runners().stream()
                    .filter(runner -> !uid.equals(runner.getMetadata().getUid()))
                    .count()
                >= 2);
    world
        .soon("it")
        .untilAsserted(() ->
            assertThat(reported("LeftOverRemoved"))
                .anySatisfy(event -> assertThat(event).contains(name)));
  }

  /** Who has the session may be a set of that name in another cluster, and the runners its own. */
  @Test
  void i5NoRegistrationIsRemovedWhileOurListenerHasNoSession() {
    int ours = ready("linux", "minRunners: 0");
    world.listenerConflicts("linux");
    var theirs = "linux-bcdfghjklm";
    register(ours, theirs);
    world.passInRounds(Duration.ofHours(2));
    assertThat(registered()).containsExactly(theirs);
    assertThat(calls("removeRunner")).isZero();
    world.listenerConnects("linux");
    passUntil("it is a left-over", () -> registered().isEmpty());
  }

  @Test
  void aPodAndASecretWithoutARunnerGoAfterTheirRegistration() {
    int ours = ready("linux", "minRunners: 0");
    int foreign = world.control.createForeignScaleSet("my-org", "elsewhere");
    orphan("linux", "linux-bcdfghjklm", register(ours, "linux-bcdfghjklm"), "Running");
    orphan("linux", "linux-bcdfghjkln", 4711, "Succeeded");
    orphan("linux", "linux-foreign", register(foreign, "linux-foreign"), "Running");
    orphan("gone", "gone-bcdfghjkln", 4712, "Failed");
    orphan("gone", "gone-bcdfghjklm", 4713, "Running");
    orphan("gone", "gone-bcdfghjklp", 4714, "Pending");
    orphan("linux", "linux-bcdfghjklp", 4715, "Pending");
    world.api.apply(
        """
        {apiVersion: v1, kind: Pod, metadata: {name: theirs, namespace: default,
          labels: {app.kubernetes.io/component: runner, runnerset.dev/set: linux}},
          spec: {containers: [{name: runner, image: x}]}}
        """);

    passUntil(
        "ours go",
        () ->
            !isThere("linux-bcdfghjklm")
                && !isThere("linux-bcdfghjkln")
                && !isThere("linux-bcdfghjklp")
                && !isThere("gone-bcdfghjkln")
                && !isThere("gone-bcdfghjklp"));
    assertThat(registered()).containsExactly("linux-foreign");
    for (var name :
        List.of(
            "linux-bcdfghjklm",
            "linux-bcdfghjkln",
            "linux-bcdfghjklp",
            "gone-bcdfghjkln",
            "gone-bcdfghjklp")) {
      world.soon("it").until(() -> !hasSecret(name));
    }
    assertThat(isThere("linux-foreign")).as("may run a job of another scale set").isTrue();
    assertThat(isThere("gone-bcdfghjklm")).as("nobody can ask whether it has a job").isTrue();
    assertThat(isThere("theirs")).as("bears not all of our labels").isTrue();
    world
        .soon("it")
        .untilAsserted(() -> {
          assertThat(counted("linux", "pod", "removed")).isEqualTo(3);
          assertThat(counted("linux", "secret", "removed")).isEqualTo(3);
          assertThat(counted("gone", "pod", "removed")).isEqualTo(2);
          assertThat(counted("linux", "pod", "foreign")).isGreaterThanOrEqualTo(1);
          assertThat(reported("LeftOverStays"))
              .anySatisfy(event -> assertThat(event).contains("linux-foreign", "delete the pod"));
        });
  }

  @Test
  void aPodWithoutARunnerStaysWhileTheServiceSaysThatItHasAJob() {
    int ours = ready("linux", "minRunners: 0");
    var busy =
        HttpFault.answer("removeRunner", 400, -1)
            .withException("GitHub.DistributedTask.WebApi.TaskAgentJobStillRunningException");
    world.faults(busy);
    orphan("linux", "linux-bcdfghjklm", register(ours, "linux-bcdfghjklm"), "Running");

    // in small steps, so that less than ten minutes have passed after the nine
    world.within(Duration.ofMinutes(5), "it is asked for").until(() -> calls("removeRunner") >= 1);
    world.soon("it is counted").until(() -> counted("linux", "pod", "busy") >= 1);
    world.passInRounds(Duration.ofMinutes(9));
    assertThat(isThere("linux-bcdfghjklm")).isTrue();
    assertThat(hasSecret("linux-bcdfghjklm")).isTrue();
    assertThat(calls("removeRunner")).as("requests within ten minutes (I3)").isLessThanOrEqualTo(2);

    world.faults(); // the job is over
    passUntil("it goes", () -> !isThere("linux-bcdfghjklm"));
    assertThat(registered()).isEmpty();
  }
}
