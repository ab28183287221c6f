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

/** One runner: one registration, one pod, one job. */
@Group(ApiGroup.NAME)
@Version(ApiGroup.VERSION)
@Kind("EphemeralRunner")
@Plural("ephemeralrunners")
@Singular("ephemeralrunner")
@ShortNames("er")
@Categories({"all", "runners"})
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase", type = Type.STRING)
@AdditionalPrinterColumn(name = "Job", jsonPath = ".status.job.displayName", type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Repository",
    jsonPath = ".status.job.repository",
    type = Type.STRING)
@AdditionalPrinterColumn(name = "Run", jsonPath = ".status.job.workflowRunId", type = Type.STRING)
@AdditionalPrinterColumn(name = "Result", jsonPath = ".status.jobResult", type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Why",
    jsonPath = ".status.conditions[?(@.status==\"False\")].reason",
    type = Type.STRING)
@AdditionalPrinterColumn(
    name = "Runner",
    jsonPath = ".status.runnerId",
    type = Type.INTEGER,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Request",
    jsonPath = ".status.requestId",
    type = Type.INTEGER,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Job-Id",
    jsonPath = ".status.jobId",
    type = Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Workflow",
    jsonPath = ".status.job.workflowRef",
    type = Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Node",
    jsonPath = ".status.nodeName",
    type = Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(
    name = "Message",
    jsonPath = ".status.conditions[?(@.status==\"False\")].message",
    type = Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(name = "Age", jsonPath = ".metadata.creationTimestamp", type = Type.DATE)
public class EphemeralRunner extends CustomResource<EphemeralRunnerSpec, EphemeralRunnerStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1L;

  /** The status, or the empty one while none is written. */
  public EphemeralRunnerStatus statusOrNone() {
    var written = getStatus();
    return written == null ? EphemeralRunnerStatus.NONE : written;
  }
}
