package dev.runnerset.controller.ephemeralrunner.outcome;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetSpecBuilder;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSpec;
import dev.runnerset.crds.EphemeralRunnerStatus;
import dev.runnerset.crds.KeptBy;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.NameReference;
import dev.runnerset.crds.Retention;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.crds.RunnerRetention;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runners for tests, in words: {@code Finished.runner("a").succeeded().at("12:00:00Z").made()}. */
public final class Finished {
  public static final Instant T0 = Instant.parse("2026-11-20T12:00:00Z");

  private final String name;
  private String created = "2026-11-20T11:00:00Z";
  private @Nullable String condition;
  private @Nullable String since = T0.toString();
  private @Nullable RunnerRetention retention;
  private @Nullable RunnerPhase phase;
  private @Nullable String jobResult;
  private @Nullable KeptBy keptBy;
  private boolean terminating;
  private final Map<String, String> labels = new HashMap<>(Map.of(Labels.SET, "linux"));
  private final Map<String, String> annotations = new HashMap<>();

  private Finished(String name) {
    this.name = name;
  }

  public static Finished runner(String name) {
    return new Finished(name);
  }

  public Finished created(String at) {
    created = at;
    return this;
  }

  /** The condition Succeeded; null for none. */
  public Finished condition(@Nullable String status) {
    condition = status;
    return this;
  }

  public Finished succeeded() {
    phase = RunnerPhase.SUCCEEDED;
    return condition("True");
  }

  public Finished failed() {
    phase = RunnerPhase.FAILED;
    return condition("False");
  }

  public Finished phase(@Nullable RunnerPhase value) {
    phase = value;
    return this;
  }

  public Finished since(@Nullable String at) {
    since = at;
    return this;
  }

  public Finished ttl(@Nullable String failed, @Nullable String succeeded) {
    retention = new RunnerRetention(failed, succeeded);
    return this;
  }

  public Finished jobResult(@Nullable String result) {
    jobResult = result;
    return this;
  }

  public Finished keptBy(KeptBy what) {
    keptBy = what;
    return this;
  }

  public Finished terminating() {
    terminating = true;
    return this;
  }

  public Finished retained() {
    annotations.put(Labels.RETAIN, "true");
    return this;
  }

  public Finished standalone() {
    labels.clear();
    return this;
  }

  public EphemeralRunner made() {
    var runner = new EphemeralRunner();
    runner.setMetadata(
        new ObjectMetaBuilder()
            .withName(name)
            .withNamespace("default")
            .withUid("uid-" + name)
            .withCreationTimestamp(created)
            .withDeletionTimestamp(terminating ? "2026-11-20T12:00:00Z" : null)
            .withLabels(labels)
            .withAnnotations(annotations)
            .build());
    runner.setSpec(
        EphemeralRunnerSpec.builder("https://github.com/o", new NameReference("s"), 1)
            .revision("r1")
            .setGeneration(1L)
            .retention(retention)
            .build());
    runner.setStatus(
        EphemeralRunnerStatus.builder()
            .phase(phase)
            .conditions(
                condition == null
                    ? List.of()
                    : List.of(
                        new ConditionBuilder()
                            .withType("Succeeded")
                            .withStatus(condition)
                            .withReason("Ended")
                            .withMessage("")
                            .withLastTransitionTime(since)
                            .build()))
            .jobResult(jobResult)
            .keptBy(keptBy)
            .build());
    return runner;
  }

  public static Retention limits(@Nullable Integer failed, @Nullable Integer succeeded) {
    return new Retention(null, null, failed, succeeded, null, null);
  }

  public static Retention outcomeFrom(Retention.OutcomeFrom from) {
    return new Retention(null, null, null, null, null, from);
  }

  public static AutoScalingRunnerSet set(@Nullable Retention retention) {
    var yaml =
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: AutoScalingRunnerSet
        metadata: {name: linux, namespace: default, uid: set-uid}
        spec:
          githubConfigUrl: https://github.com/o
          githubConfigSecret: {name: s}
          template: {spec: {containers: [{name: runner, image: i}]}}
        """;
    var bare =
        io.fabric8.kubernetes.client.utils.Serialization.unmarshal(
            yaml, AutoScalingRunnerSet.class);
    bare.setSpec(
        AutoScalingRunnerSetSpecBuilder.builder(bare.getSpec()).retention(retention).build());
    return bare;
  }
}
