package dev.runnerset.controller.runnerset;

import dev.runnerset.crd.AutoScalingRunnerSet;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;

/** The pod of a template, as far as it is needed to ask whether the server would take it. Pure. */
final class TemplatePod {
  private TemplatePod() {}

  static Pod of(AutoScalingRunnerSet set) {
    var template = set.getSpec().template();
    var name = SetNames.cut(set.getMetadata().getName(), 50) + "-template";
    var pod = new PodBuilder().withSpec(template.getSpec()).build();
    pod = new PodBuilder(pod).editSpec().withRestartPolicy("Never").endSpec().build();
    var own = template.getMetadata();
    return new PodBuilder(pod)
        .withNewMetadata()
        .withNamespace(set.getMetadata().getNamespace())
        .withName(name)
        .withLabels(own == null ? null : own.getLabels())
        .withAnnotations(own == null ? null : own.getAnnotations())
        .addToLabels(SetNames.labels(set))
        .endMetadata()
        .build();
  }
}
