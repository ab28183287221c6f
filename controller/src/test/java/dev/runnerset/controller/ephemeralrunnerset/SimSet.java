package dev.runnerset.controller.ephemeralrunnerset;

import dev.runnerset.controller.removal.FakeService;
import dev.runnerset.crds.Demand;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import dev.runnerset.crds.EphemeralRunnerSetStatusBuilder;
import dev.runnerset.crds.NameReference;
import dev.runnerset.crds.StoredTemplate;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
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

  /** The set as the cache has it; with a message its number holds as it is (DM5). */
  static EphemeralRunnerSet of(
      int replicas,
      long demandMessageId,
      @Nullable Integer maxRunners,
      String revision,
      @Nullable Demand demand) {
    var set = new EphemeralRunnerSet();
    set.setMetadata(META);
    set.setSpec(
        EphemeralRunnerSetSpec.builder(
                "",
                new NameReference("s"),
                FakeService.OURS,
                revision,
                StoredTemplate.of(new PodTemplateSpec()))
            .replicas(replicas)
            .demandMessageId(demandMessageId)
            .maxRunners(maxRunners)
            .build());
    set.setStatus(EphemeralRunnerSetStatusBuilder.builder().demand(demand).build());
    return set;
  }
}
