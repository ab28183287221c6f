package dev.runnerset.controller.autoscalingrunnerset.shield;

import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.config.Places;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the admission policy of this installation stands (SH3). It is read by name, for all sets
 * together. Thread-safe.
 */
final class AdmissionPolicyReader {
  private static final Logger LOG = LoggerFactory.getLogger(AdmissionPolicyReader.class);
  private static final String NAME = "runnerset-shield";
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(20);

  private final KubeApi kube;
  private final String name;
  private final Clock clock;
  private volatile @Nullable Finding lacks;
  private volatile Instant nextAt = Instant.MIN;

  AdmissionPolicyReader(KubeApi kube, Places places, Clock clock) {
    this.kube = kube;
    // several installations, each for namespaces of its own, may be in one cluster
    this.name = places.watched().isEmpty() ? NAME : NAME + "-" + places.controllerNamespace();
    this.clock = clock;
  }

  /**
   * Looks whether it stands, if that is due. Blocks for two reads then. What cannot be read for the
   * time being changes nothing.
   *
   * @return whether what sets must tell has changed
   */
  boolean look() {
    var now = clock.instant();
    if (now.isBefore(nextAt)) {
      return false;
    }
    nextAt = now.plus(BETWEEN_LOOKS);
    Finding found;
    try {
      var policy = kube.get(ValidatingAdmissionPolicy.class, at(ValidatingAdmissionPolicy.class));
      var binding =
          kube.get(
              ValidatingAdmissionPolicyBinding.class, at(ValidatingAdmissionPolicyBinding.class));
      found = lacking(name, policy != null, binding);
    } catch (KubernetesClientException e) {
      if (e.getCode() != 403) {
        LOG.atDebug().addKeyValue("why", e.getMessage()).log("the admission policy is not read");
        return false;
      }
      found = notVisible(name);
    }
    boolean changed = !Objects.equals(found, lacks);
    lacks = found;
    return changed;
  }

  private Resource at(Class<? extends HasMetadata> kind) {
    return Resource.of(kind, "", name);
  }

  /** What is missing of the policy and its binding; null if nothing. */
  static @Nullable Finding lacking(
      String name, boolean policy, @Nullable ValidatingAdmissionPolicyBinding binding) {
    if (policy && binding != null && denies(name, binding)) {
      return null;
    }
    var what =
        !policy
            ? "no ValidatingAdmissionPolicy " + name
            : binding == null
                ? "no ValidatingAdmissionPolicyBinding " + name
                : "a ValidatingAdmissionPolicyBinding "
                    + name
                    + " that does not deny by its policy";
    return new Finding(
        RunnerSetReason.POLICY_MISSING,
        "the cluster has "
            + what
            + ", so a deletion of a pod, or a foreground deletion of what owns it, ends its job: let"
            + " the chart make it (shield.admissionPolicy), or run ./runnerset manifests | kubectl"
            + " apply -f -; spec.protection: None asks for no shield");
  }

  private static boolean denies(String name, ValidatingAdmissionPolicyBinding binding) {
    var spec = binding.getSpec();
    return spec != null
        && name.equals(spec.getPolicyName())
        && Objects.requireNonNullElse(spec.getValidationActions(), List.<String>of())
            .contains("Deny");
  }

  private static Finding notVisible(String name) {
    return new Finding(
        RunnerSetReason.POLICY_NOT_VISIBLE,
        "the controller may not read the ValidatingAdmissionPolicy "
            + name
            + ", so it cannot tell whether deletions of pods with a job are refused; kubectl get"
            + " validatingadmissionpolicies shows it");
  }

  /** What sets must tell of the policy; null if it stands, and before the first look. */
  @Nullable Finding lacks() {
    return lacks;
  }
}
