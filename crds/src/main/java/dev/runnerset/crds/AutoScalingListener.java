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

/** What a listener needs to hold the message session of one set, and the state of that session. */
@Group(ApiGroup.NAME)
@Version(ApiGroup.VERSION)
@Kind("AutoScalingListener")
@Plural("autoscalinglisteners")
@Singular("autoscalinglistener")
@ShortNames("asl")
@Categories({"all", "runners"})
@AdditionalPrinterColumn(
    name = "Set-Namespace",
    jsonPath = ".spec.runnerSet.namespace",
    type = Type.STRING)
@AdditionalPrinterColumn(name = "Set", jsonPath = ".spec.runnerSet.name", type = Type.STRING)
@AdditionalPrinterColumn(name = "Capacity", jsonPath = ".spec.capacity", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Holder", jsonPath = ".status.holder", type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Connected",
    jsonPath = ".status.conditions[?(@.type==\"Connected\")].status",
    type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Reason",
    jsonPath = ".status.conditions[?(@.type==\"Connected\")].reason",
    type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Message",
    jsonPath = ".status.conditions[?(@.type==\"Connected\")].message",
    type = Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
public class AutoScalingListener
    extends CustomResource<AutoScalingListenerSpec, AutoScalingListenerStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1L;

  /** The status, or the empty one while none is written. */
  public AutoScalingListenerStatus statusOrNone() {
    var written = getStatus();
    return written == null ? AutoScalingListenerStatus.NONE : written;
  }
}
