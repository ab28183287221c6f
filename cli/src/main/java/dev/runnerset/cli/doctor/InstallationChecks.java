package dev.runnerset.cli.doctor;

import dev.runnerset.base.Installation;
import dev.runnerset.base.Pure;
import dev.runnerset.cli.cluster.Listing;
import dev.runnerset.cli.text.Ages;
import dev.runnerset.cli.view.Texts;
import dev.runnerset.crds.FieldPaths;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What is installed for all sets. */
@Pure
final class InstallationChecks {
  private static final int NAMED = 3;
  private static final int USUAL_LEASE_SECONDS = 15;

  private InstallationChecks() {}

  /**
   * Whether the kinds are there, with all fields of this version.
   *
   * @param served the fields that the cluster has, by kind
   * @param ours the fields of this version
   */
  static Check kinds(Map<String, FieldPaths> served, Map<String, FieldPaths> ours) {
    var absent = ours.keySet().stream().filter(kind -> !served.containsKey(kind)).sorted().toList();
    if (!absent.isEmpty()) {
      return Check.wrong(
          "kinds",
          "the cluster does not have " + String.join(", ", absent),
          "run " + Installation.UPGRADE);
    }
    var lacking = new ArrayList<String>();
    var more = new ArrayList<String>();
    ours.forEach((kind, fields) -> {
      var has = Objects.requireNonNull(served.get(kind));
      fields.lackedBy(has).forEach(path -> lacking.add(kind + " " + path));
      has.lackedBy(fields).forEach(path -> more.add(kind + " " + path));
    });
    if (!lacking.isEmpty()) {
      return Check.wrong(
          "kinds",
          "they are older than this program: they lack " + some(lacking),
          "run " + Installation.UPGRADE);
    }
    return more.isEmpty()
        ? Check.ok("kinds", "all four, of the version of this program")
        : Check.wrong(
            "kinds",
            "they are newer than this program: it does not know " + some(more),
            "use a newer kubectl runnerset");
  }

  private static String some(List<String> all) {
    var first = String.join(", ", all.subList(0, Math.min(NAMED, all.size())));
    return all.size() > NAMED ? first + " and " + (all.size() - NAMED) + " more" : first;
  }

  /** Whether a program runs, and in the version of this one. */
  static Check program(String name, String namespace, Listing<Deployment> found, String version) {
    if (found.gap().isPresent()) {
      return Check.unknown(name, found.gap().get());
    }
    if (found.items().isEmpty()) {
      return Check.wrong(
          name,
          "there is no deployment " + name + " in the namespace " + namespace,
          "install it, or name its namespace with --controller-namespace or --listener-namespace");
    }
    var deployment = found.items().getFirst();
    var status = deployment.getStatus();
    var available = status == null ? null : status.getAvailableReplicas();
    if (available == null || available == 0) {
      return Check.wrong(
          name,
          "no pod of the deployment " + name + " is ready",
          "kubectl get pods -n " + namespace + ", and their logs");
    }
    var labels =
        Objects.requireNonNullElse(deployment.getMetadata().getLabels(), Map.<String, String>of());
    var runs = labels.getOrDefault("app.kubernetes.io/version", "");
    var says =
        "%d ready, version %s"
            .formatted(available, runs.isEmpty() ? "not known" : Texts.line(runs));
    return runs.isEmpty() || version.equals("dev") || runs.equals(version)
        ? Check.ok(name, says)
        : Check.wrong(
            name,
            says + "; this program has the version " + version,
            "use the same version of all parts (docs/operate/upgrade.md)");
  }

  /** Whether somebody holds a lease and renews it. */
  static Check lease(String name, String namespace, Listing<Lease> found, Instant now) {
    var what = "lease of " + name;
    if (found.gap().isPresent()) {
      return Check.unknown(what, found.gap().get());
    }
    var spec = found.items().isEmpty() ? null : found.items().getFirst().getSpec();
    var logs = "kubectl logs -n %s deployment/%s says why".formatted(namespace, name);
    if (spec == null || spec.getHolderIdentity() == null || spec.getHolderIdentity().isEmpty()) {
      return Check.wrong(
          what, "nobody holds the lease " + name + " in the namespace " + namespace, logs);
    }
    var holder = Texts.line(spec.getHolderIdentity());
    if (spec.getRenewTime() == null) {
      return Check.unknown(what, holder + " holds it; there is no time of a renewal");
    }
    var seconds = Objects.requireNonNullElse(spec.getLeaseDurationSeconds(), USUAL_LEASE_SECONDS);
    var age = Duration.between(spec.getRenewTime().toInstant(), now);
    return age.compareTo(Duration.ofSeconds(seconds)) > 0
        ? Check.wrong(
            what, holder + " renewed it " + Ages.of(age) + " ago: it is dead or hangs", logs)
        : Check.ok(what, holder + " renews it");
  }

  /** Whether the policy that shields running jobs is there, with its binding. */
  static Check policy(
      Listing<? extends HasMetadata> policy, Listing<? extends HasMetadata> binding) {
    var name = "admission policy";
    if (policy.gap().isPresent()) {
      return Check.unknown(name, policy.gap().get());
    }
    if (binding.gap().isPresent()) {
      return Check.unknown(name, binding.gap().get());
    }
    boolean isThere = !policy.items().isEmpty() && !binding.items().isEmpty();
    return isThere
        ? Check.ok(name, "it is there, with its binding")
        : Check.wrong(
            name,
            "the ValidatingAdmissionPolicy "
                + (policy.items().isEmpty() ? "is" : "has a binding that is")
                + " missing: a deletion of a pod ends its job",
            "run " + Installation.UPGRADE + " (docs/operate/shield.md)");
  }
}
