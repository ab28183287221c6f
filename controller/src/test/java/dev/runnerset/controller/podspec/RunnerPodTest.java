package dev.runnerset.controller.podspec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSpec;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.NameReference;
import dev.runnerset.crds.ProxySettings;
import dev.runnerset.crds.StoredTemplate;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RunnerPodTest {
  private static EphemeralRunner runner(@Nullable ProxySettings proxy) {
    var runner = new EphemeralRunner();
    runner.setMetadata(
        new ObjectMetaBuilder()
            .withName("ci-x7")
            .withNamespace("jobs")
            .withUid("u1")
            .withLabels(Map.of(Labels.SET, "ci"))
            .build());
    runner.setSpec(
        EphemeralRunnerSpec.builder("https://github.com/o", new NameReference("s"), 1)
            .revision("r1")
            .setGeneration(1L)
            .proxy(proxy)
            .build());
    return runner;
  }

  private static PodTemplateSpec template(String yaml) {
    return Serialization.unmarshal(yaml, PodTemplateSpec.class);
  }

  private static Pod pod(String yaml, @Nullable ProxySettings proxy) {
    return ((PodBuild.Built) RunnerPod.build(runner(proxy), template(yaml), 42)).pod();
  }

  @Test
  void theUsersTemplateStaysAndOursGoesOnTop() {
    var pod =
        pod(
            """
            metadata:
              labels: {team: a, runnerset.dev/set: forged}
              annotations: {note: kept}
            spec:
              serviceAccountName: builds
              restartPolicy: Always
              containers:
              - {name: side, image: dind}
              - name: runner
                image: runner:2
                workingDir: /work
                env:
                - {name: MINE, value: "1"}
                - {name: ACTIONS_RUNNER_INPUT_JITCONFIG, value: stolen}
            """,
            null);
    var expected =
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: ci-x7
          namespace: jobs
          labels:
            team: a
            runnerset.dev/set: ci
            app.kubernetes.io/part-of: runnerset
            app.kubernetes.io/component: runner
            runnerset.dev/revision: r1
          annotations:
            note: kept
            runnerset.dev/runner-id: "42"
            runnerset.dev/runner-name: ci-x7
          ownerReferences:
          - apiVersion: runnerset.dev/v1alpha1
            kind: EphemeralRunner
            name: ci-x7
            uid: u1
            controller: true
            blockOwnerDeletion: true
        spec:
          serviceAccountName: builds
          restartPolicy: Never
          automountServiceAccountToken: false
          containers:
          - {name: side, image: dind}
          - name: runner
            image: runner:2
            workingDir: /work
            env:
            - name: ACTIONS_RUNNER_INPUT_JITCONFIG
              valueFrom: {secretKeyRef: {name: ci-x7, key: jitToken}}
            - {name: ACTIONS_RUNNER_RETURN_VERSION_DEPRECATED_EXIT_CODE, value: "1"}
            - {name: GITHUB_ACTIONS_RUNNER_EXTRA_USER_AGENT, value: runnerset}
            - {name: MINE, value: "1"}
        """;
    assertThat(pod).isEqualTo(Serialization.unmarshal(expected, Pod.class));
  }

  @Test
  void aTemplateThatMountsTheTokenKeepsIt() {
    var pod = pod("spec: {automountServiceAccountToken: true, containers: [{name: runner}]}", null);
    assertThat(pod.getSpec().getAutomountServiceAccountToken()).isTrue();
  }

  @ParameterizedTest(name = "RN22 maxLifetime {0}, activeDeadlineSeconds {1}: {2}")
  @CsvSource({", , ", "1h30m, , 5400", ", 60, 60", "1h, 60, 60", "1h, 7200, 3600", "soon, , "})
  void theShorterOneOfBothDeadlinesCounts(
      @Nullable String lifetime, @Nullable Long own, @Nullable Long expected) {
    var runner = runner(null);
    runner.setSpec(
        EphemeralRunnerSpec.builder("https://github.com/o", new NameReference("s"), 1)
            .maxLifetime(lifetime)
            .build());
    var template =
        template("spec: {activeDeadlineSeconds: %d, containers: [{name: runner}]}".formatted(own));
    var pod = ((PodBuild.Built) RunnerPod.build(runner, template, 42)).pod();
    assertThat(pod.getSpec().getActiveDeadlineSeconds()).isEqualTo(expected);
  }

  @Test
  void proxiesReachTheRunnerInBothCasesAndTheirPasswordsStayInTheSecret() {
    var proxy =
        new ProxySettings(
            new ProxySettings.Endpoint("http://proxy:3128", null),
            new ProxySettings.Endpoint("http://proxy:3129", new NameReference("px")),
            List.of("10.0.0.0/8", ".svc"));
    var env =
        pod("spec: {containers: [{name: runner}]}", proxy)
            .getSpec()
            .getContainers()
            .getFirst()
            .getEnv();
    assertThat(env)
        .filteredOn(e -> e.getValue() != null)
        .extracting(e -> e.getName() + "=" + e.getValue())
        .contains(
            "http_proxy=http://proxy:3128",
            "HTTP_PROXY=http://proxy:3128",
            "https_proxy=http://$(RUNNERSET_HTTPS_PROXY_USERNAME):"
                + "$(RUNNERSET_HTTPS_PROXY_PASSWORD)@proxy:3129",
            "no_proxy=10.0.0.0/8,.svc",
            "NO_PROXY=10.0.0.0/8,.svc");
    assertThat(env)
        .filteredOn(e -> e.getName().startsWith("RUNNERSET_HTTPS_PROXY_"))
        .extracting(EnvVar::getValueFrom)
        .allMatch(from -> from.getSecretKeyRef().getName().equals("px"));
  }

  @Test
  void theTemplateItselfIsNotChanged() {
    var template = template("spec: {containers: [{name: runner, env: [{name: A, value: b}]}]}");
    var before = Serialization.asYaml(template);
    var _ = RunnerPod.build(runner(null), template, 42);
    assertThat(Serialization.asYaml(template)).isEqualTo(before);
  }

  @Test
  void aTemplateWithoutARunnerContainerIsAProblemInWords() {
    assertThat(RunnerPod.build(runner(null), template("spec: {containers: [{name: main}]}"), 42))
        .isInstanceOfSatisfying(
            PodBuild.Problem.class,
            p -> assertThat(p.sentence()).contains("'runner'").contains("[main]"));
    assertThat(RunnerPod.problemOf(StoredTemplate.of(new PodTemplateSpec()))).isPresent();
  }

  @Test
  void theWorkFolderIsTheContainersOrTheDefault() {
    assertThat(
            RunnerPod.workFolder(
                template("spec: {containers: [{name: a, workingDir: /a}, {name: runner}]}")))
        .isEmpty();
    assertThat(
            RunnerPod.workFolder(template("spec: {containers: [{name: runner, workingDir: /w}]}")))
        .isEqualTo("/w");
  }
}
