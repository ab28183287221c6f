package dev.runnerset.controller.features.shield;

import dev.runnerset.base.Installation;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.config.Places;
import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the admission policy of this installation stands as this version makes it (SH3). It is
 * read by name, for all sets together. Thread-safe.
 */
final class AdmissionPolicyReader {
  private static final Logger LOG = LoggerFactory.getLogger(AdmissionPolicyReader.class);

  /** What the API server puts into fields that nobody wrote, beside empty selectors. */
  private static final Map<String, String> DEFAULTS =
      Map.of("matchPolicy", "Equivalent", "scope", "*");

  private static final Set<Object> NOTHING = Set.of("", Map.of(), List.of());

  private static final KubernetesSerialization YAML = new KubernetesSerialization();

  private final KubeApi kube;
  private final String name;
  private final Places places;
  private final Clock clock;
  private volatile @Nullable Finding lacks;
  private volatile Instant nextAt = Instant.MIN;

  AdmissionPolicyReader(KubeApi kube, Places places, Clock clock) {
    this.kube = kube;
    this.name = ShieldManifests.name(places);
    this.places = places;
    this.clock = clock;
  }

  /**
   * Looks whether it stands, if that is due. Blocks for two reads then. What cannot be read for the
   * time being changes nothing.
   *
   * @return whether what sets must tell has changed
   */
  boolean check() {
    var now = clock.instant();
    if (now.isBefore(nextAt)) {
      return false;
    }
    nextAt = now.plus(ShieldTimes.POLICY_READ_EVERY);
    Finding found;
    try {
      found =
          lacking(
              name,
              places,
              at(ValidatingAdmissionPolicy.class),
              at(ValidatingAdmissionPolicyBinding.class));
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

  private @Nullable GenericKubernetesResource at(Class<? extends HasMetadata> kind) {
    return kube.get(GenericKubernetesResource.class, Resource.of(kind, "", name));
  }

  /** What is missing or other than this version makes it; null if nothing. */
  static @Nullable Finding lacking(
      String name,
      Places places,
      @Nullable GenericKubernetesResource policy,
      @Nullable GenericKubernetesResource binding) {
    if (policy == null || binding == null) {
      return missing("ValidatingAdmissionPolicy" + (policy == null ? " " : "Binding ") + name);
    }
    var made = made(places, policy);
    var ofPolicy = differences(policy, made.get(0));
    var ofBinding = differences(binding, made.get(1));
    boolean isOfThisVersion = version(policy).equals(version(made.get(0)));
    boolean isFormer = isOfAllNamespaces(binding, made.get(1));
    var changed = both(isOfThisVersion ? ofPolicy : "", isFormer ? "" : ofBinding);
    var former = both(ofPolicy, ofBinding);
    return changed.isEmpty()
        ? (former.isEmpty() ? null : outdated(former))
        : changed(name, changed);
  }

  private static String both(String one, String other) {
    return Stream.of(one, other)
        .filter(each -> !each.isEmpty())
        .collect(Collectors.joining(" and "));
  }

  /** As versions made it that left no namespace to another installation: it shields no less. */
  private static boolean isOfAllNamespaces(
      GenericKubernetesResource there, GenericKubernetesResource made) {
    var wanted = fields(made.get("spec"));
    wanted.remove("matchResources");
    return fields(there.get("spec")).equals(wanted);
  }

  /** The policy and its binding as this version makes them for the account that it names. */
  private static List<GenericKubernetesResource> made(
      Places places, GenericKubernetesResource policy) {
    var namespace = places.controllerNamespace();
    var user =
        Pattern.compile("system:serviceaccount:" + Pattern.quote(namespace) + ":([-.a-z0-9]+)");
    var account = user.matcher(String.valueOf(policy.<Object>get("spec")));
    var named = account.find() ? account.group(1) : ControllerSettings.CONTROLLER_SERVICE_ACCOUNT;
    return ShieldManifests.yaml(places, named).stream()
        .map(text -> YAML.unmarshal(text, GenericKubernetesResource.class))
        .toList();
  }

  private static String version(GenericKubernetesResource policy) {
    return Meta.annotations(policy).getOrDefault(Labels.POLICY_VERSION, "");
  }

  /** The object and the fields of its spec that differ, for people; empty if none does. */
  private static String differences(
      GenericKubernetesResource there, GenericKubernetesResource made) {
    var one = fields(there.get("spec"));
    var other = fields(made.get("spec"));
    var names = new TreeSet<>(one.keySet());
    names.addAll(other.keySet());
    names.removeIf(field -> Objects.equals(one.get(field), other.get(field)));
    return names.isEmpty()
        ? ""
        : "the %s %s (spec.%s)"
            .formatted(
                there.getKind(), there.getMetadata().getName(), String.join(", spec.", names));
  }

  /** Without what the API server fills in: so of two equal specs both are the same. */
  private static Map<String, Object> fields(@Nullable Object spec) {
    var fields = new TreeMap<String, Object>();
    if (spec instanceof Map<?, ?> there) {
      there.forEach((key, value) -> {
        var written = withoutDefaults(value);
        if (!NOTHING.contains(written) && !written.equals(DEFAULTS.get(key))) {
          fields.put(String.valueOf(key), written);
        }
      });
    }
    return fields;
  }

  private static Object withoutDefaults(@Nullable Object value) {
    return switch (value) {
      case null -> "";
      case Map<?, ?> map -> fields(map);
      case List<?> list -> list.stream().map(AdmissionPolicyReader::withoutDefaults).toList();
      default -> value;
    };
  }

  private static Finding missing(String what) {
    return new Finding(
        RunnerSetReason.POLICY_MISSING,
        ("the cluster has no %s, so a deletion of a pod, or a foreground deletion of what owns it, ends"
                + " its job: run %s (the chart makes it with shield.admissionPolicy: true);"
                + " spec.protection: None asks for no shield")
            .formatted(what, Installation.UPGRADE));
  }

  private static Finding changed(String name, String what) {
    return new Finding(
        RunnerSetReason.POLICY_CHANGED,
        ("%s differs from the one of this version, so a deletion of a pod may end its job:"
                + " kubectl delete"
                + " validatingadmissionpolicies.admissionregistration.k8s.io,"
                + "validatingadmissionpolicybindings.admissionregistration.k8s.io %s, then %s")
            .formatted(what, name, Installation.UPGRADE));
  }

  private static Finding outdated(String what) {
    return new Finding(
        RunnerSetReason.POLICY_OUTDATED,
        ("%s is of another version than this controller, so the shield of running jobs differs"
                + " from the documentation. To fix this, run %s, so that both have the same version")
            .formatted(what, Installation.UPGRADE));
  }

  private static Finding notVisible(String name) {
    return new Finding(
        RunnerSetReason.POLICY_NOT_VISIBLE,
        ("the controller may not read the ValidatingAdmissionPolicy %s, so it does not know"
                + " whether deletions of pods with a job are refused; kubectl get"
                + " validatingadmissionpolicies shows it")
            .formatted(name));
  }

  /** What sets must tell of the policy; null if it stands, and before the first look. */
  @Nullable Finding lacks() {
    return lacks;
  }
}
