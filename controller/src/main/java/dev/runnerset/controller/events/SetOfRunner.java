package dev.runnerset.controller.events;

import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Optional;

/** The set of a runner, as far as an event needs it: its place and its uid. */
public final class SetOfRunner {
  private SetOfRunner() {}

  /** The set of an EphemeralRunnerSet; empty if somebody else made it. Reads nothing. */
  public static Optional<HasMetadata> of(EphemeralRunnerSet ers) {
    var meta = ers.getMetadata();
    return Ownership.setUid(ers).map(uid -> named(meta.getNamespace(), meta.getName(), uid));
  }

  /** The set that the runner was made for; empty for a standalone runner. Reads nothing. */
  public static Optional<HasMetadata> of(EphemeralRunner runner) {
    var meta = runner.getMetadata();
    var name = Meta.labels(runner).get(Labels.SET);
    var uid = Meta.annotations(runner).get(Labels.SET_UID);
    if (name == null || uid == null) {
      return Optional.empty();
    }
    return Optional.of(named(meta.getNamespace(), name, uid));
  }

  private static HasMetadata named(String namespace, String name, String uid) {
    var set = new AutoScalingRunnerSet();
    set.setMetadata(
        new ObjectMetaBuilder().withNamespace(namespace).withName(name).withUid(uid).build());
    return set;
  }
}
