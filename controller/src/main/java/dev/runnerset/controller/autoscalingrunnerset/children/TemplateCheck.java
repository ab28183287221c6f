package dev.runnerset.controller.autoscalingrunnerset.children;

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
 * Asks the API server, once a revision, whether it would take a runner's pod. Only 400 and 422 mean
 * that it refuses the template, and 403 and 409 that it could be read; after any other answer, as
 * of a webhook that is down, it is asked again. Thread-safe.
 */
public final class TemplateCheck {
  /** What came of it; {@code failures} times in a row no answer, and 0 when there is one. */
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

  /** Why the template makes no runners; blocks for one request where it is not known. */
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

  /** When the API server is asked again, if it gave no answer. */
  public Optional<Instant> askAgainAt(AutoScalingRunnerSet set) {
    return Optional.ofNullable(checkedByUid.get(set.getMetadata().getUid()))
        .filter(checked -> checked.failures() > 0)
        .map(Checked::askAgainAt);
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
                    "The API server refuses pods of spec.template, so that no runners are made: "
                        + words(e)));
        // it could be read; whether it may be made shows when it is made
        case 403, 409 -> Optional.empty();
        default -> throw e;
      };
    }
  }

  private static Finding unanswered(KubernetesClientException e) {
    return new Finding(
        RunnerSetReason.TEMPLATE_UNCHECKED,
        "The API server could not say whether it takes pods of spec.template; it is asked again, and"
            + " the template it took before stays meanwhile. Look at the webhooks for pods: "
            + words(e));
  }

  private static @Nullable String words(KubernetesClientException e) {
    return e.getStatus() == null ? e.getMessage() : e.getStatus().getMessage();
  }
}
