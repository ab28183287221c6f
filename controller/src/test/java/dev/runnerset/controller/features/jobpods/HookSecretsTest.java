package dev.runnerset.controller.features.jobpods;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.features.jobpods.HookRunner.State;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which secrets the hooks made: by the pod's spec, the name and the label (RN23, WR9). */
final class HookSecretsTest {
  private static final Instant MADE = Instant.parse("2026-11-28T10:00:00Z");
  private static final RunnerKey KEY = new RunnerKey("ns", "ci-1");
  private static final HookRunner RUNNER = new HookRunner("u-1", "ci", MADE, State.ENDED);

  @Test
  void aPodNamesThemInFiveWaysAndAnyOtherNameIsNotOurs() {
    var pod =
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Pod
            metadata: {name: ci-1-workflow, namespace: ns, uid: p, labels: {runner-pod: ci-1}}
            spec:
              imagePullSecrets: [{name: ci-1-secret-00000001}, {name: registry}]
              initContainers:
                - {name: i, envFrom: [{secretRef: {name: ci-1-secret-00000002}}, {configMapRef: {name: x}}]}
              containers:
                - name: job
                  env:
                    - {name: A, valueFrom: {secretKeyRef: {name: ci-1-secret-00000003, key: a}}}
                    - {name: B, valueFrom: {secretKeyRef: {name: github, key: a}}}
                    - {name: C, value: ci-1-secret-00000009}
              volumes:
                - {name: v, secret: {secretName: ci-1-secret-00000004}}
                - {name: w, projected: {sources: [{secret: {name: ci-1-secret-00000005}}]}}
                - {name: x, secret: {secretName: ci-2-secret-00000006}}
            """,
            Pod.class);
    assertThat(HookObject.of(pod).secrets())
        .containsExactlyInAnyOrder(
            "ci-1-secret-00000001",
            "ci-1-secret-00000002",
            "ci-1-secret-00000003",
            "ci-1-secret-00000004",
            "ci-1-secret-00000005");
  }

  @Test
  void aBatchJobNamesThemInItsTemplate() {
    var job =
        Serialization.unmarshal(
            """
            apiVersion: batch/v1
            kind: Job
            metadata: {name: ci-1-step-00000001, namespace: ns, uid: p, labels: {runner-pod: ci-1}}
            spec:
              template:
                spec: {containers: [{name: job, envFrom: [{secretRef: {name: ci-1-secret-0000000a}}]}]}
            """,
            Job.class);
    assertThat(HookObject.of(job).secrets()).containsExactly("ci-1-secret-0000000a");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "the hooks' own, ci-1-secret-0000000a, ci-1, 2026-11-28T10:00:00Z, '', true",
    "without the label, ci-1-secret-0000000a, '', 2026-11-28T10:00:01Z, '', false",
    "of another runner, ci-1-secret-0000000a, ci-2, 2026-11-28T10:00:01Z, '', false",
    "older than the runner, ci-1-secret-0000000a, ci-1, 2026-11-28T09:59:59Z, '', false",
    "with another name, github, ci-1, 2026-11-28T10:00:01Z, '', false",
    "going already, ci-1-secret-0000000a, ci-1, 2026-11-28T10:00:01Z, 2026-11-28T10:00:09Z, false",
  })
  void isLeft(String what, String name, String label, String made, String deleted, boolean is) {
    var secret =
        Serialization.unmarshal(
            """
            apiVersion: v1
            kind: Secret
            metadata: {name: %s, namespace: ns, labels: {runner-pod: "%s"}}
            """
                .formatted(name, label),
            Secret.class);
    secret.getMetadata().setCreationTimestamp(made);
    secret.getMetadata().setDeletionTimestamp(deleted.isEmpty() ? null : deleted);
    assertThat(HookSecrets.isLeftBy(KEY, RUNNER, secret)).as(what).isEqualTo(is);
  }
}
