package dev.runnerset.controller.autoscalingrunnerset.children;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.autoscalingrunnerset.planning.RetryWaits;
import dev.runnerset.controller.autoscalingrunnerset.planning.SpecCheck;
import dev.runnerset.controller.autoscalingrunnerset.planning.TemplatePod;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.podspec.PodBuild;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.kube.KubeApi;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Asks the API server once per revision, by a dry run, whether it would accept a runner's pod. 400
 * and 422 mean that it refuses the template; 403 and 409 mean that the template is valid. After any
 * other answer, such as that of a webhook that is down, it is asked again. Thread-safe.
 */
public final class TemplateCheck {
  /** A result; {@code failures} counts the tries in a row without an answer. */
  private record Checked(
      String revision, Optional<Finding> finding, int failures, Instant askAgainAt) {}

  private final KubeApi kube;
  private final Events events;
  private final Clock clock;
  private final Map<String, Checked> checkedByUid = new ConcurrentHashMap<>();

  public TemplateCheck(KubeApi kube, Events events, Clock clock) {
    this.kube = kube;
    this.events = events;
    this.clock = clock;
  }

  /** Why the template makes no runners; blocks for one request unless the result is known. */
  public Optional<Finding> finding(AutoScalingRunnerSet set, String revision) {
    var uid = set.getMetadata().getUid();
    var known =
        Optional.ofNullable(checkedByUid.get(uid))
            .filter(checked -> checked.revision().equals(revision));
    var standing = known.filter(checked -> clock.instant().isBefore(checked.askAgainAt()));
    if (standing.isPresent()) {
      return standing.get().finding();
    }
    var checked = check(set, revision, known.map(Checked::failures).orElse(0));
    checkedByUid.put(uid, checked);
    checked.finding().ifPresent(found -> events.warn(set, found.reason(), found.message()));
    return checked.finding();
  }

  private Checked check(AutoScalingRunnerSet set, String revision, int failures) {
    try {
      var finding = SpecCheck.name(set).or(() -> ofTemplate(set));
      return new Checked(revision, finding, 0, Instant.MAX);
    } catch (KubernetesClientException e) {
      var askAgainAt = clock.instant().plus(RetryWaits.SERVICE.after(failures + 1));
      return new Checked(revision, Optional.of(unanswered(e)), failures + 1, askAgainAt);
    }
  }

  /** When the API server is asked again; never if it has answered. */
  public RequeueTime askAgainAt(AutoScalingRunnerSet set) {
    var checked = checkedByUid.get(set.getMetadata().getUid());
    return checked != null && checked.failures() > 0
        ? RequeueTime.at(checked.askAgainAt())
        : RequeueTime.NEVER;
  }

  public void forget(String uid) {
    checkedByUid.remove(uid);
  }

  private Optional<Finding> ofTemplate(AutoScalingRunnerSet set) {
    return switch (TemplatePod.of(set)) {
      case PodBuild.Problem(var sentence) ->
          Optional.of(new Finding(RunnerSetReason.TEMPLATE_INVALID, "spec.template: " + sentence));
      case PodBuild.Built(var pod) -> refusal(pod);
    };
  }

  private Optional<Finding> refusal(Pod pod) {
    try {
      kube.dryRunCreate(pod);
      return Optional.empty();
    } catch (KubernetesClientException e) {
      return switch (e.getCode()) {
        case 400, 422 ->
            Optional.of(
                new Finding(
                    RunnerSetReason.TEMPLATE_REFUSED,
                    "The API server refuses pods of spec.template, so no runners are created: "
                        + words(e)));
        // the template is valid; whether a pod may be created shows when it is created
        case 403, 409 -> Optional.empty();
        default -> throw e;
      };
    }
  }

  private static Finding unanswered(KubernetesClientException e) {
    return new Finding(
        RunnerSetReason.TEMPLATE_UNCHECKED,
        "The API server could not say whether it accepts pods of spec.template. It is asked again;"
            + " meanwhile the last accepted template is used. Look at the webhooks for pods: "
            + words(e));
  }

  private static @Nullable String words(KubernetesClientException e) {
    return e.getStatus() == null ? e.getMessage() : e.getStatus().getMessage();
  }
}
