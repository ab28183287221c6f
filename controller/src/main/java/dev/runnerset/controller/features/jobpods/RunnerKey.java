package dev.runnerset.controller.features.jobpods;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.ownership.Meta;
import io.fabric8.kubernetes.api.model.HasMetadata;

/** A runner by its place, which is also the place of its pod. */
@Pure
record RunnerKey(String namespace, String name) {
  /** The place of the runner that the label of the container hooks names; anybody can write it. */
  static RunnerKey ofLabel(HasMetadata object) {
    return new RunnerKey(
        object.getMetadata().getNamespace(), Meta.labels(object).getOrDefault(HookNames.LABEL, ""));
  }
}
