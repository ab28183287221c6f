package dev.runnerset.controller.autoscalingrunnerset.planning;

import dev.runnerset.controller.podspec.PodBuild;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSpec;
import dev.runnerset.crds.StoredTemplate;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;

/** The pod that a runner of the template would have, for a dry run at the API server. */
public final class TemplatePod {
  /** No runner has this uid: the pod is never stored. */
  private static final String NO_UID = "00000000-0000-0000-0000-000000000000";

  private static final int NAME_LENGTH = 50;

  private TemplatePod() {}

  /** The pod, or why there is none. */
  public static PodBuild of(AutoScalingRunnerSet set) {
    return switch (set.getSpec().template().content()) {
      case StoredTemplate.Content.Readable(var template) ->
          RunnerPod.build(runner(set), template, 1);
      case StoredTemplate.Content.Unreadable(var problem) ->
          new PodBuild.Problem(problem.sentence());
    };
  }

  /** A runner that nobody makes. */
  public static EphemeralRunner runner(AutoScalingRunnerSet set) {
    var spec = set.getSpec();
    var name = ChildNames.cut(set.getMetadata().getName(), NAME_LENGTH) + "-template";
    var runner = new EphemeralRunner();
    runner.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(set.getMetadata().getNamespace())
            .withName(name)
            .withUid(NO_UID)
            .withLabels(ChildNames.labels(set))
            .build());
    runner.setSpec(
        EphemeralRunnerSpec.builder(spec.githubConfigUrl(), spec.githubConfigSecret(), 1)
            .revision(Revision.of(spec))
            .deadlines(spec.deadlines())
            .maxLifetime(spec.maxLifetime())
            .proxy(spec.proxy())
            .githubServerTLS(spec.githubServerTLS())
            .build());
    return runner;
  }
}
