package dev.runnerset.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.cli.Fleet;
import dev.runnerset.cli.FrontServer;
import dev.runnerset.cli.Terminal;
import dev.runnerset.cli.text.Screen;
import dev.runnerset.simulator.kube.KubeApiServer;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.Options;
import java.time.Clock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** 42.1: {@code kubectl runnerset doctor} where several things are broken. */
final class DoctorIT {
  private static final Screen PIPE = new Screen(80, false, false);
  private static final String HIDDEN = "s3cr3tS3cr3tS3cr3t";
  private static final String ALLOWED =
      "{\"kind\": \"SelfSubjectAccessReview\", \"apiVersion\": \"authorization.k8s.io/v1\", \"spec\": {}, \"status\": {\"allowed\": %s}}";

  private static Fleet fleet;
  private static FrontServer front;

  @BeforeAll
  static void start() {
    fleet =
        new Fleet()
            .set(
                "ci",
                "linux",
                "",
                "{conditions: [{type: Ready, status: \"True\", reason: Ready, message: \"\"}, {type: Registered, status: \"True\", reason: Registered, message: scale set 1}]}")
            .set(
                "ci",
                "broken",
                "",
                "{conditions: [{type: Ready, status: \"False\", reason: Forbidden, message: lacks a permission},"
                    + " {type: Registered, status: \"False\", reason: Forbidden, message: lacks a permission},"
                    + " {type: ShieldIncomplete, status: \"True\", reason: PolicyMissing, message: install it}]}")
            .make(
                "ci",
                "{apiVersion: v1, kind: Secret, metadata: {name: github, namespace: ci}, stringData: {github_app_id: %s}}"
                    .formatted(HIDDEN),
                "")
            .make(
                "ci",
                "{apiVersion: v1, kind: ResourceQuota, metadata: {name: small, namespace: ci}, spec: {hard: {pods: \"0\"}}}",
                "{hard: {pods: \"0\"}, used: {pods: \"0\"}}")
            .make(
                "runnerset-system",
                "{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: runnerset-controller, namespace: runnerset-system},"
                    + " spec: {holderIdentity: pod-1, leaseDurationSeconds: 15, renewTime: \"2026-11-29T11:00:00.000000Z\"}}",
                "");
    front =
        new FrontServer(fleet.server().url())
            .answer(
                "GET .*/deployments/runnerset-controller",
                "{\"kind\": \"Deployment\", \"apiVersion\": \"apps/v1\", \"metadata\": {\"name\": \"runnerset-controller\"}, \"status\": {\"availableReplicas\": 1}}")
            .forbid(
                "GET .*/deployments/runnerset-listener", "get", "deployments", "runnerset-listener")
            .forbid("GET .*/leases/runnerset-listener", "get", "leases", "runnerset-listener")
            .answer("POST .*/selfsubjectaccessreviews", ALLOWED.formatted(false));
  }

  @AfterAll
  static void stop() {
    front.close();
    fleet.close();
  }

  @Test
  void eachBrokenThingIsALineWithWhatToDo() {
    var shown = Terminal.of(front.config()).with(PIPE).run("doctor");
    assertThat(shown.exitCode()).isEqualTo(1);
    assertThat(shown.out().lines().map(line -> line.strip().replaceAll(" +", " ")))
        .contains(
            "ok kinds: all four, of the version of this program",
            "ok runnerset-controller: 1 ready, version not known",
            "wrong lease of runnerset-controller: pod-1 renewed it 1h ago: it is dead or hangs",
            "wrong admission policy: the ValidatingAdmissionPolicy is missing: a deletion of a pod ends its job",
            "set ci/linux",
            "ok health: a job that comes now gets a runner",
            "ok runner group: the service answers the set",
            "set ci/broken",
            "wrong health: Forbidden: lacks a permission",
            "ok host: the service answers the set",
            "wrong permissions at GitHub: Forbidden: lacks a permission",
            "unknown runner group: not known while the set says Ready False, Forbidden",
            "wrong shield of running jobs: PolicyMissing: install it",
            "wrong credentials: The secret ci/github lacks github_app_installation_id and github_app_private_key of its GitHub App",
            "wrong quota: used up: small pods 0");
    assertThat(shown.out())
        .contains(
            "unknown runnerset-listener: You have no right to get deployments in the namespace runnerset-listener",
            "unknown your rights: in the namespace ci you may not: list autoscalingrunnersets.runnerset.dev",
            "unknown template: a quota refuses the pod of the dry run: see the line of the quota")
        .doesNotContain(HIDDEN);
  }

  @Test
  void oneSetCanBeNamedAndTheOutputIsJson() {
    var shown = Terminal.of(front.config()).run("doctor", "linux", "-o", "json");
    assertThat(shown.out())
        .contains("\"ci/linux\"", "\"wrong\"")
        .doesNotContain("ci/broken", HIDDEN);
  }

  @Test
  void theServiceIsAskedWithTheCredentialsOnlyIfAPersonWantsIt() {
    try (var service = ActionsServiceServer.start(Options.accepting(HIDDEN), Clock.systemUTC())) {
      fleet
          .make(
              "ask",
              "{apiVersion: v1, kind: Secret, metadata: {name: github, namespace: ask}, stringData: {github_token: %s}}"
                  .formatted(HIDDEN),
              "")
          .make(
              "ask",
              """
              apiVersion: runnerset.dev/v1alpha1
              kind: AutoScalingRunnerSet
              metadata: {name: asked, namespace: ask}
              spec:
                githubConfigUrl: %s
                githubConfigSecret: {name: github}
                runnerGroup: nobody
                template: {spec: {containers: [{name: runner, image: i}]}}
              """
                  .formatted(service.configUrl("my-org")),
              "");
      var terminal = Terminal.of(front.config()).with(PIPE);
      assertThat(terminal.run("doctor", "-n", "ask").out())
          .contains("ok      credentials: the secret github has the keys of a connection")
          .contains(
              "ok      template: the API server accepts a pod of the template alone (dry run)")
          .doesNotContain("service, asked from here", HIDDEN);
      assertThat(service.control().counters()).isEmpty();
      var words = new String[] {"doctor", "-n", "ask", "--with-credentials"};
      assertThat(terminal.run(words).out())
          .contains("wrong   service, asked from here: HostNotAllowed")
          .doesNotContain(HIDDEN);
      assertThat(
              terminal
                  .run("doctor", "-n", "ask", "--with-credentials", "--allowed-hosts=127.0.0.1")
                  .out())
          .contains("wrong   service, asked from here: there is no runner group nobody")
          .doesNotContain(HIDDEN);
    }
  }

  @Test
  void aClusterWithoutTheKindsShowsHowToGetThem() {
    try (var bare = KubeApiServer.start(0, Clock.systemUTC());
        var before =
            new FrontServer(bare.url())
                .answer("POST .*/selfsubjectaccessreviews", ALLOWED.formatted(true))) {
      var shown = Terminal.of(before.config()).with(PIPE).run("doctor");
      assertThat(shown.exitCode()).isEqualTo(1);
      assertThat(shown.out())
          .contains("kinds: the cluster does not have AutoScalingListener, AutoScalingRunnerSet")
          .contains("To do: run helm upgrade runnerset")
          .contains(
              "ok      your rights: you may do all that the commands need in the namespace ci");
    }
  }
}
