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

/** The runners of one set: how many, of which revision, and what the listener heard. */
@Group(ApiGroup.NAME)
@Version(ApiGroup.VERSION)
@Kind("EphemeralRunnerSet")
@Plural("ephemeralrunnersets")
@Singular("ephemeralrunnerset")
@ShortNames("ers")
@Categories({"all", "runners"})
@AdditionalPrinterColumn(name = "Replicas", jsonPath = ".spec.replicas", type = Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Assigned",
    jsonPath = ".status.demand.assigned",
    type = Type.INTEGER)
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
}
