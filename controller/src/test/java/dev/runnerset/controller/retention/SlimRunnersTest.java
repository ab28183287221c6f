package dev.runnerset.controller.retention;

import static dev.runnerset.controller.retention.rules.Finished.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.retention.rules.Finished;
import dev.runnerset.controller.retention.rules.LimitPolicy;
import dev.runnerset.controller.retention.rules.RetentionRules;
import dev.runnerset.controller.retention.rules.RunnerOutcome;
import dev.runnerset.controller.retention.rules.TtlPolicy;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.KeptBy;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a slim copy must show of a runner: all that the rules look at, and little else. */
final class SlimRunnersTest {
  private static final EphemeralRunner FULL =
      Serialization.unmarshal(
          """
          apiVersion: runnerset.dev/v1alpha1
          kind: EphemeralRunner
          metadata:
            name: linux-x7k2
            namespace: default
            uid: uid-1
            resourceVersion: "42"
            creationTimestamp: "2026-11-20T11:00:00Z"
            deletionTimestamp: "2026-11-20T12:00:00Z"
            finalizers: [runnerset.dev/runner]
            labels: {runnerset.dev/set: linux, runnerset.dev/revision: r1}
            annotations:
              runnerset.dev/retain: "true"
              runnerset.dev/set-uid: uid-of-set
              kubectl.kubernetes.io/last-applied-configuration: long
            ownerReferences:
            - {apiVersion: runnerset.dev/v1alpha1, kind: EphemeralRunnerSet, name: linux,
              uid: uid-of-ers, controller: true}
          spec:
            githubConfigUrl: https://github.com/o
            githubConfigSecret: {name: s}
            runnerScaleSetId: 1
            retention: {ttlAfterFailed: 6h, ttlAfterSucceeded: 30m}
            template: {spec: {containers: [{name: runner, image: i}]}}
          status:
            phase: Failed
            keptBy: Rule
            jobId: a-job
            failure: {reason: OOMKilled, message: out of memory}
            conditions:
            - {type: Registered, status: "True", lastTransitionTime: "2026-11-20T11:00:09Z"}
            - {type: Succeeded, status: "False", lastTransitionTime: "2026-11-20T11:59:59Z"}
          """,
          EphemeralRunner.class);

  private final EphemeralRunner slim = SlimRunners.of(FULL);

  @Test
  void theRulesSeeTheSame() {
    assertThat(RunnerOutcome.of(slim)).contains(RunnerOutcome.FAILED);
    assertThat(RetentionRules.isRetained(slim)).isTrue();
    assertThat(slim.getSpec().retention()).isEqualTo(FULL.getSpec().retention());
    assertThat(slim.getStatus().keptBy()).isEqualTo(KeptBy.RULE);
    var condition = slim.getStatus().conditions().getFirst();
    assertThat(condition.getLastTransitionTime()).isEqualTo("2026-11-20T11:59:59Z");
  }

  @Test
  void oneOnItsWayOutIsSeenToBe() {
    assertThat(slim.getMetadata().getDeletionTimestamp()).isNotNull();
    slim.getMetadata().setAnnotations(null); // retained ones do not count anyway
    var other = Finished.runner("b").failed().made();
    var limits = Finished.limits(1, null);
    assertThat(LimitPolicy.surplus(List.of(slim, other), limits, Set.of())).isEmpty();
    assertThat(TtlPolicy.decide(slim, T0.plusSeconds(999_999)))
        .isInstanceOf(TtlPolicy.Decision.Stays.class);
  }

  @Test
  void itsSetIsFoundAndItsDeletionHitsOnlyWhatWasSeen() {
    assertThat(Ownership.setName(slim)).contains("linux");
    var set = Finished.set(null);
    set.getMetadata().setUid("uid-of-set");
    assertThat(Ownership.isOf(slim, set, null)).isTrue();
    assertThat(slim.getMetadata().getUid()).isEqualTo("uid-1");
    assertThat(slim.getMetadata().getResourceVersion()).isEqualTo("42");
    assertThat(slim.getMetadata().getCreationTimestamp()).isEqualTo("2026-11-20T11:00:00Z");
  }

  @Test
  void whatNoRuleLooksAtIsNotKept() {
    assertThat(slim.getSpec().template()).isNull();
    assertThat(slim.getStatus().failure()).isNull();
    assertThat(slim.getStatus().conditions()).hasSize(1);
    assertThat(slim.getMetadata().getLabels()).containsOnlyKeys(Labels.SET);
    assertThat(slim.getMetadata().getAnnotations()).containsOnlyKeys(Labels.RETAIN, Labels.SET_UID);
  }
}
