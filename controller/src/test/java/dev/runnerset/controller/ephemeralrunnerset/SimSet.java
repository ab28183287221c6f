package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.removal.FakeService;
import dev.runnerset.controller.removal.Situation;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import org.jspecify.annotations.Nullable;

/** The EphemeralRunnerSet of simulations in virtual time. */
final class SimSet {
  private static final String UID = "uid-of-set";

  /** The owner reference of its runners. */
  static final OwnerReference OWNER =
      new OwnerReferenceBuilder()
          .withApiVersion("runnerset.dev/v1alpha1")
          .withKind("EphemeralRunnerSet")
          .withName("linux")
          .withUid(UID)
          .withController(true)
          .build();

  private static final ObjectMeta META = // made once: reflection makes it costly
      new ObjectMetaBuilder().withName("linux").withNamespace("ns").withUid(UID).build();

  private SimSet() {}

  /** The set as the cache has it, with that demand and so many runners wanted (DM5). */
  static EphemeralRunnerSet of(
      int wanted, @Nullable Integer maxRunners, String revision, @Nullable Demand demand) {
    var set = new EphemeralRunnerSet();
    set.setMetadata(META);
    set.setSpec(Situation.spec(wanted, maxRunners, demand, FakeService.OURS, revision));
    set.setStatus(EphemeralRunnerSetStatusBuilder.builder().demand(demand).build());
    return set;
  }
}
