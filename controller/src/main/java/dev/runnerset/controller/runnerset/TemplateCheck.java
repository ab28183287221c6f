package dev.runnerset.controller.runnerset;

import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.podspec.PodBuild;
import dev.runnerset.crd.AutoScalingRunnerSet;
import dev.runnerset.kube.KubeApi;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Asks the API server, once a revision, whether it would take a runner's pod. Only 400 and 422 mean
 * that it refuses the template: other answers, as of a quota, may be others later. Thread-safe.
 */
final class TemplateCheck {
  private record Checked(String revision, Optional<Finding> finding) {}

  private final KubeApi kube;
  private final Events events;
  private final Map<String, Checked> checkedByUid = new ConcurrentHashMap<>();

  TemplateCheck(KubeApi kube, Events events) {
    this.kube = kube;
    this.events = events;
  }

  /** Why the template makes no runners; blocks for one request where it is not known. */
  Optional<Finding> finding(AutoScalingRunnerSet set, String revision) {
    var uid = set.getMetadata().getUid();
    var known = checkedByUid.get(uid);
    if (known != null && known.revision().equals(revision)) {
      return known.finding();
    }
    var finding = SpecCheck.name(set).or(() -> ofTemplate(set));
    checkedByUid.put(uid, new Checked(revision, finding));
    finding.ifPresent(found -> events.warn(set, found.reason(), found.message()));
    return finding;
  }

  void forget(String uid) {
    checkedByUid.remove(uid);
  }

  private Optional<Finding> ofTemplate(AutoScalingRunnerSet set) {
    return switch (TemplatePod.of(set)) {
      case PodBuild.Problem(var sentence) ->
          Optional.of(new Finding("TemplateInvalid", "spec.template: " + sentence));
      case PodBuild.Built(var pod) -> refusal(pod);
    };
  }

  private Optional<Finding> refusal(Pod pod) {
    try {
      kube.dryRunCreate(pod);
      return Optional.empty();
    } catch (KubernetesClientException e) {
      if (e.getCode() == 400 || e.getCode() == 422) {
        var words = e.getStatus() == null ? e.getMessage() : e.getStatus().getMessage();
        return Optional.of(
            new Finding(
                "TemplateRefused",
                "The API server refuses pods of spec.template, so that no runners are made: "
                    + words));
      }
      if (e.getCode() == 403 || e.getCode() == 409) {
        return Optional.empty(); // it could be read; whether it may be made shows when it is made
      }
      throw e;
    }
  }
}
