package dev.runnerset.cli.doctor;

import dev.runnerset.base.ProductVersion;
import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.ClusterException;
import dev.runnerset.cli.cluster.Selection;
import dev.runnerset.cli.view.Texts;
import dev.runnerset.connection.ConnectionKey;
import dev.runnerset.connection.ConnectionReader;
import dev.runnerset.connection.ConnectionSettings;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.FieldPaths;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.Denial;
import dev.runnerset.kube.KubeApi;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads what the checks need, and checks it; blocks. Never prints a value of a secret. */
public final class DoctorReader {
  private static final String CONTROLLER = "runnerset-controller";
  private static final String LISTENER = "runnerset-listener";
  private static final String POLICY = "runnerset-shield";

  private final Cluster cluster;
  private final KubeApi kube;

  /** Reads from that cluster. */
  public DoctorReader(Cluster cluster) {
    this.cluster = cluster;
    this.kube = new KubeApi(cluster.client());
  }

  /** What is installed for all sets. */
  public List<Check> installation(
      String controllerNamespace, String listenerNamespace, Instant now) {
    var checks = new ArrayList<Check>();
    checks.add(
        tried("kinds", () -> InstallationChecks.kinds(served(), FieldPaths.ofThisVersion())));
    checks.add(program(CONTROLLER, controllerNamespace));
    checks.add(lease(CONTROLLER, controllerNamespace, now));
    checks.add(program(LISTENER, listenerNamespace));
    checks.add(lease(LISTENER, listenerNamespace, now));
    checks.add(
        tried(
            "admission policy",
            () ->
                InstallationChecks.policy(
                    cluster.find(ValidatingAdmissionPolicy.class, "", POLICY),
                    cluster.find(ValidatingAdmissionPolicyBinding.class, "", POLICY))));
    return checks;
  }

  private Map<String, FieldPaths> served() {
    try {
      return FieldPaths.served(kube.openApi(HasMetadata.getApiVersion(AutoScalingRunnerSet.class)));
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return Map.of();
      }
      throw e;
    }
  }

  private Check program(String name, String namespace) {
    return tried(
        name,
        () ->
            InstallationChecks.program(
                name,
                namespace,
                cluster.find(Deployment.class, namespace, name),
                ProductVersion.text()));
  }

  private Check lease(String name, String namespace, Instant now) {
    return tried(
        "lease of " + name,
        () ->
            InstallationChecks.lease(
                name, namespace, cluster.find(Lease.class, namespace, name), now));
  }

  /** What is to be known of a set without its credentials being sent. */
  public List<Check> set(AutoScalingRunnerSet set) {
    var checks = new ArrayList<>(SetChecks.of(set));
    checks.add(credentials(set).check());
    checks.add(
        tried(
            "quota",
            () ->
                SetChecks.quota(
                    set,
                    cluster.list(
                        ResourceQuota.class, Selection.of(set.getMetadata().getNamespace())))));
    checks.add(template(set));
    return checks;
  }

  /** The connection that the credentials of a set make, or why they make none. */
  record Connection(Check check, Optional<ConnectionSettings> settings) {}

  /** Reads the secret, and what else the connection names. */
  Connection credentials(AutoScalingRunnerSet set) {
    var name = "credentials";
    var spec = set.getSpec();
    var namespace = set.getMetadata().getNamespace();
    var key =
        new ConnectionKey(
            namespace,
            spec.githubConfigUrl(),
            spec.githubConfigSecret().name(),
            spec.proxy(),
            spec.githubServerTLS());
    try {
      var settings = new ConnectionReader(kube).read(key);
      var says = "the secret " + spec.githubConfigSecret().name() + " has the keys of a connection";
      return new Connection(Check.ok(name, Texts.line(says)), Optional.of(settings));
    } catch (InvalidConnectionException e) {
      return new Connection(
          Check.wrong(name, Texts.line(e.getMessage()), "docs/start/credentials.md"),
          Optional.empty());
    } catch (KubernetesClientException e) {
      return new Connection(
          Check.unknown(name, cluster.unread(e, "get", "secrets", namespace)), Optional.empty());
    }
  }

  /** Asks the API server for a pod of the template, which it checks and does not make. */
  private Check template(AutoScalingRunnerSet set) {
    var name = "template";
    var namespace = set.getMetadata().getNamespace();
    var template = set.getSpec().template().podTemplate();
    if (template == null || template.getSpec() == null) {
      return Check.wrong(name, "spec.template is no pod template", "correct spec.template");
    }
    // without the label by which the policy of the installation knows the pods of runners
    var pod =
        new PodBuilder()
            .withNewMetadata()
            .withGenerateName(set.getMetadata().getName() + "-")
            .withNamespace(namespace)
            .addToLabels(Labels.SET, set.getMetadata().getName())
            .endMetadata()
            .withSpec(template.getSpec())
            .build();
    try {
      var _ = kube.dryRunCreate(pod);
      return Check.ok(name, "the API server accepts a pod of the template alone (dry run)");
    } catch (KubernetesClientException e) {
      if (e.getCode() < 400 || e.getCode() >= 500 || Denial.of(e).isPresent()) {
        return Check.unknown(name, cluster.unread(e, "create", "pods", namespace));
      }
      if (Denial.isOfQuota(e)) {
        return Check.unknown(
            name, "a quota refuses the pod of the dry run: see the line of the quota");
      }
      return Check.wrong(
          name,
          "the API server refuses a pod of the template alone: " + Texts.line(Denial.words(e)),
          "correct spec.template, or what it names");
    }
  }

  /** What cannot be asked is unknown, with the sentence that says why. */
  private Check tried(String name, Supplier<Check> check) {
    try {
      return check.get();
    } catch (ClusterException e) {
      return Check.unknown(name, e.getMessage());
    } catch (KubernetesClientException e) {
      return Check.unknown(name, cluster.failed(e).getMessage());
    }
  }
}
