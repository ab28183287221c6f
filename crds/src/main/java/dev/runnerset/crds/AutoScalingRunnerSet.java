package dev.runnerset.crds;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn.Type;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything a user configures and observes about one set of runners. */
@Group(ApiGroup.NAME)
@Version(ApiGroup.VERSION)
@Kind("AutoScalingRunnerSet")
@Plural("autoscalingrunnersets")
@Singular("autoscalingrunnerset")
@ShortNames("ars")
@Categories({"all", "runners"})
@AdditionalPrinterColumn(name = "Min", jsonPath = ".spec.minRunners", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Max", jsonPath = ".spec.maxRunners", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Assigned", jsonPath = ".status.jobs.assigned", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Waiting", jsonPath = ".status.jobs.waiting", type = Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Desired",
    jsonPath = ".status.runners.desired",
    type = Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Pending",
    jsonPath = ".status.runners.pending",
    type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Idle", jsonPath = ".status.runners.idle", type = Type.INTEGER)
@AdditionalPrinterColumn(name = "Busy", jsonPath = ".status.runners.busy", type = Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Ready",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].status",
    type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Reason",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason",
    type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Capacity",
    jsonPath = ".status.capacity.advertised",
    type = Type.INTEGER,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Limited-By",
    jsonPath = ".status.capacity.limitedBy",
    type = Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Runner-Version",
    jsonPath = ".status.runnerVersion.version",
    type = Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Message",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].message",
    type = Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
@ValidationRule(
    value = "oldSelf.hasValue() || size(self.metadata.name) <= 63",
    message = "metadata.name is longer than 63 characters",
    optionalOldSelf = true)
@ValidationRule(
    value =
        "!has(oldSelf.status) || !has(oldSelf.status.scaleSetId)"
            + " || self.spec.githubConfigUrl == oldSelf.spec.githubConfigUrl",
    message =
        "spec.githubConfigUrl cannot change once the scale set is registered: create another"
            + " AutoScalingRunnerSet for the other URL and delete this one")
public class AutoScalingRunnerSet
    extends CustomResource<AutoScalingRunnerSetSpec, AutoScalingRunnerSetStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1L;

  /** The status, or the empty one while none is written. */
  public AutoScalingRunnerSetStatus statusOrNone() {
    var written = getStatus();
    return written == null ? AutoScalingRunnerSetStatus.NONE : written;
  }

  /** The mode, or the usual one. */
  public RunnerMode modeNow() {
    var mode = getSpec().mode();
    return mode == null ? RunnerMode.ACTIVE : mode;
  }

  /** The idle runners that are kept, as the schedule was found last. */
  public int minRunnersNow() {
    var now = scheduled();
    var usual = getSpec().minRunners();
    return now != null ? now.minRunners() : usual == null ? 0 : usual;
  }

  /** The most runners at a time, as the schedule was found last; null if no limit is named. */
  public @Nullable Integer maxRunnersNow() {
    var now = scheduled();
    return now == null ? getSpec().maxRunners() : Integer.valueOf(now.maxRunners());
  }

  /** The windows of the schedule that are open, as it was found last. */
  public List<String> openWindows() {
    var now = scheduled();
    return now == null ? List.of() : now.active();
  }

  private @Nullable ScheduleStatus scheduled() {
    return getSpec().schedule().isEmpty() ? null : statusOrNone().schedule();
  }
}
