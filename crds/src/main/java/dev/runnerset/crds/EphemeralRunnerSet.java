package dev.runnerset.crds;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The runners of one set: how many, of which revision, and what the listener heard. */
@Group(ApiGroup.NAME)
@Version(ApiGroup.VERSION)
@Kind("EphemeralRunnerSet")
@Plural("ephemeralrunnersets")
@Singular("ephemeralrunnerset")
@ShortNames("ers")
@Categories({"all", "runners"})
@AdditionalPrinterColumn(
    name = "Desired",
    jsonPath = ".status.runners.desired",
    type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Assigned", jsonPath = ".status.jobs.assigned", type = Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Pending",
    jsonPath = ".status.runners.pending",
    type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Idle", jsonPath = ".status.runners.idle", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Busy", jsonPath = ".status.runners.busy", type = Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Finished",
    jsonPath = ".status.runners.finished",
    type = Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Revision",
    jsonPath = ".spec.revision",
    type = Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
public class EphemeralRunnerSet
    extends CustomResource<EphemeralRunnerSetSpec, EphemeralRunnerSetStatus> implements Namespaced {
  private static final long serialVersionUID = 1L;

  /** The status, or the empty one while none is written. */
  public EphemeralRunnerSetStatus statusOrNone() {
    var written = getStatus();
    return written == null ? EphemeralRunnerSetStatus.NONE : written;
  }

  /** This set with that demand, or this object if it has it. */
  public EphemeralRunnerSet withDemand(@Nullable Demand demand) {
    if (Objects.equals(statusOrNone().demand(), demand)) {
      return this;
    }
    var set = new EphemeralRunnerSet();
    set.setMetadata(getMetadata());
    set.setSpec(getSpec());
    set.setStatus(EphemeralRunnerSetStatusBuilder.builder(statusOrNone()).demand(demand).build());
    return set;
  }

  /** What the service has reported; null if it has reported nothing yet (DM7). */
  public @Nullable Demand knownDemand() {
    var demand = statusOrNone().demand();
    return demand == null || demand.assigned() == null ? null : demand;
  }

  /** The jobs that the service has assigned; 0 while that is unknown. */
  public int assigned() {
    var demand = knownDemand();
    return demand == null || demand.assigned() == null ? 0 : demand.assigned();
  }

  /** The counts of the demand; null while it is unknown. */
  public @Nullable JobCounts jobs() {
    var demand = knownDemand();
    return demand == null || demand.assigned() == null
        ? null
        : JobCounts.of(demand.assigned(), demand.running(), demand.available());
  }

  /**
   * The last message whose completed jobs the demand no longer counts (LV2). It is 0 if the demand
   * is of another scale set, since ids of messages are compared within one scale set only.
   */
  public long settledUpTo() {
    var demand = knownDemand();
    var of = demand == null ? null : demand.scaleSetId();
    return demand == null || !(of == null || of.equals(getSpec().runnerScaleSetId()))
        ? 0
        : demand.messageId();
  }
}
