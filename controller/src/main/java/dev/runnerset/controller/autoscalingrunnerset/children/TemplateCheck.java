package dev.runnerset.controller.autoscalingrunnerset.children;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runnerset.base.Backoff;
import dev.runnerset.base.RequeueTime;
import dev.runnerset.base.ShortText;
import dev.runnerset.controller.autoscalingrunnerset.planning.SpecCheck;
import dev.runnerset.controller.autoscalingrunnerset.planning.TemplatePod;
import dev.runnerset.controller.autoscalingrunnerset.status.Finding;
import dev.runnerset.controller.autoscalingrunnerset.status.TemplateFindings;
import dev.runnerset.controller.managerrole.MissingRole;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import dev.runnerset.controller.podspec.ChangedFields;
import dev.runnerset.controller.podspec.PodBuild;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.kube.Denial;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.LostFields;
import dev.runnerset.kube.MergePatch;
import dev.runnerset.kube.NamespaceTermination;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Asks the API server by a dry run whether it would take a runner's pod: once for each revision
 * that it takes, and again and again while it does not, while runners' pods are refused, or while a
 * webhook changes them (BG4). Thread-safe.
 */
public record TemplateCheck(KubeApi kube, Clock clock, Memories memories) {
  /** After that long a refusal is looked at again: a policy or a quota may be repaired. */
  static final Duration AGAIN = Duration.ofSeconds(20);

  /** After that long a warning is looked at again: no event says that a webhook was repaired. */
  static final Duration CHANGED_AGAIN = Duration.ofMinutes(5);

  /** The longest list of fields in a message, in characters. */
  private static final int LONGEST_LIST = 500;

  /** After an answer that says nothing, such as that of a webhook that is down. */
  private static final Backoff UNANSWERED = Backoff.of(Duration.ofSeconds(2), AGAIN);

  private static final Slot<Checked> CHECKED = new Slot<>();
  private static final Slot<Answer> ANSWER = new Slot<>();
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The pod that the API server answered with to a dry run, with all that it would add. */
  private record Answer(String revision, Pod pod) {}

  /**
   * A result.
   *
   * @param failures the tries in a row without an answer
   * @param askAgainAt {@link Instant#MAX} for never
   */
  private record Checked(
      String revision, TemplateFindings findings, int failures, Instant at, Instant askAgainAt) {}

  /**
   * What the server has against the template; blocks for requests unless the result is known.
   *
   * @param doubted whether pods of this revision are refused, so that an older answer may be over
   */
  public TemplateFindings findings(AutoScalingRunnerSet set, String revision, boolean doubted) {
    var memory = memories.of(set);
    var known =
        Optional.ofNullable(memory.find(CHECKED))
            .filter(checked -> checked.revision().equals(revision))
            .map(checked -> doubted ? doubted(checked) : checked);
    known.ifPresent(checked -> memory.put(CHECKED, checked));
    var standing = known.filter(checked -> clock.instant().isBefore(checked.askAgainAt()));
    if (standing.isPresent()) {
      return standing.get().findings();
    }
    var checked = check(set, revision, known.map(Checked::failures).orElse(0));
    memory.put(CHECKED, checked);
    return checked.findings();
  }

  private static Checked doubted(Checked checked) {
    var again = RequeueTime.earlier(checked.at().plus(AGAIN), checked.askAgainAt());
    return new Checked(
        checked.revision(), checked.findings(), checked.failures(), checked.at(), again);
  }

  /** What the API server would make of a pod of that revision; empty if it has not said so. */
  public static Optional<Pod> answer(Memories memories, HasMetadata set, String revision) {
    return Optional.ofNullable(memories.of(set).find(ANSWER))
        .filter(answer -> answer.revision().equals(revision))
        .map(Answer::pod);
  }

  private Checked check(AutoScalingRunnerSet set, String revision, int failures) {
    var now = clock.instant();
    try {
      var tooLong = SpecCheck.name(set);
      if (tooLong.isPresent()) {
        return new Checked(revision, TemplateFindings.refused(tooLong.get()), 0, now, Instant.MAX);
      }
      return switch (TemplatePod.of(set)) {
        case PodBuild.Problem(var sentence) ->
            new Checked(
                revision,
                TemplateFindings.refused(
                    new Finding(RunnerSetReason.TEMPLATE_INVALID, "spec.template: " + sentence)),
                0,
                now,
                Instant.MAX);
        case PodBuild.Built(var pod) -> {
          var findings = ask(pod, answer -> keep(answer, set, revision));
          yield new Checked(revision, findings, 0, now, askAgainAt(findings, now));
        }
      };
    } catch (KubernetesClientException e) {
      return new Checked(
          revision,
          TemplateFindings.refused(unanswered(e)),
          failures + 1,
          now,
          now.plus(UNANSWERED.after(failures + 1)));
    }
  }

  private static Instant askAgainAt(TemplateFindings findings, Instant now) {
    if (findings.refused() != null || findings.quota() != null) {
      return now.plus(AGAIN);
    }
    var warning = findings.warning();
    return warning != null && warning.reason() == RunnerSetReason.FIELDS_CHANGED
        ? now.plus(CHANGED_AGAIN)
        : Instant.MAX;
  }

  /** When the API server is asked again; never if it takes the template as it is. */
  public RequeueTime askAgainAt(AutoScalingRunnerSet set) {
    var checked = memories.of(set).find(CHECKED);
    return checked != null && checked.askAgainAt().isBefore(Instant.MAX)
        ? RequeueTime.at(checked.askAgainAt())
        : RequeueTime.NEVER;
  }

  /** A field that the server does not know is no refusal: the pods are made without it. */
  private TemplateFindings ask(Pod pod, Consumer<JsonNode> answered) {
    try {
      var answer = kube.strictDryRunCreate(pod);
      answered.accept(answer);
      return compared(pod, answer);
    } catch (KubernetesClientException e) {
      var words = Denial.words(e);
      return e.getCode() == 400 && words.contains("strict decoding error")
          ? askLeniently(pod, answered).with(dropped(words))
          : meaning(e);
    }
  }

  private TemplateFindings askLeniently(Pod pod, Consumer<JsonNode> answered) {
    try {
      var answer = kube.dryRunCreate(pod);
      answered.accept(answer);
      return compared(pod, answer);
    } catch (KubernetesClientException e) {
      return meaning(e);
    }
  }

  private void keep(JsonNode answer, AutoScalingRunnerSet set, String revision) {
    try {
      memories.of(set).put(ANSWER, new Answer(revision, MAPPER.treeToValue(answer, Pod.class)));
    } catch (JsonProcessingException e) {
      memories.of(set).clear(ANSWER); // what a runner takes is computed from the template then
    }
  }

  /** Whether the answer has all that was sent: a webhook may take off or change what it likes. */
  private static TemplateFindings compared(Pod sent, JsonNode answer) {
    var vital = ChangedFields.vital(sent, answer);
    if (!vital.isEmpty()) {
      return TemplateFindings.refused(
          new Finding(
              RunnerSetReason.FIELDS_CHANGED,
              "no runner of this template is made; the API server is asked again every %d s: "
                      .formatted(AGAIN.toSeconds())
                  + ChangedFields.words("Pod", vital)));
    }
    var changed = ChangedFields.all(MergePatch.tree(sent), answer);
    return changed.isEmpty() ? TemplateFindings.NONE : TemplateFindings.NONE.with(changed(changed));
  }

  private TemplateFindings meaning(KubernetesClientException e) {
    var words = Denial.words(e);
    return switch (e.getCode()) {
      case 400, 422 ->
          words.contains("does not support dry run")
              ? TemplateFindings.NONE // a webhook; its answer shows when a pod is made
              : TemplateFindings.refused(refused(RunnerSetReason.TEMPLATE_REFUSED, words));
      case 403 -> forbidden(e, words);
      case 409 -> TemplateFindings.NONE; // a pod of that name exists: the template is read
      default -> throw e;
    };
  }

  private TemplateFindings forbidden(KubernetesClientException e, String words) {
    if (NamespaceTermination.isCauseOf(e)) {
      return TemplateFindings.NONE; // reported where something is to be made
    }
    if (Denial.isOfQuota(e)) {
      return new TemplateFindings(null, null, words);
    }
    return TemplateFindings.refused(
        Denial.in(words).isPresent()
            ? ClusterFindings.of(e, denied -> MissingRole.advice(kube, denied))
            : refused(RunnerSetReason.TEMPLATE_FORBIDDEN, words));
  }

  private static Finding refused(RunnerSetReason reason, String words) {
    return new Finding(
        reason,
        "the API server refuses pods of spec.template, and no runner of this template is made; it is"
            + " asked again every %d s: ".formatted(AGAIN.toSeconds())
            + words);
  }

  private static Finding dropped(String words) {
    int at = words.indexOf("unknown field");
    return new Finding(
        RunnerSetReason.UNKNOWN_FIELDS,
        "pods are made without fields of spec.template that the API server does not know; correct"
            + " them: "
            + (at < 0 ? words : words.substring(at)));
  }

  private static Finding changed(List<String> fields) {
    return new Finding(
        RunnerSetReason.FIELDS_CHANGED,
        ("%s changes fields of the pods of spec.template, so runners differ from it: %s; if one of them"
                + " is needed, let it leave the pods of runners as they are; %s")
            .formatted(
                LostFields.CHANGED_BY,
                ShortText.of(String.join(", ", fields), LONGEST_LIST),
                LostFields.ADVICE));
  }

  private static Finding unanswered(KubernetesClientException e) {
    return new Finding(
        RunnerSetReason.TEMPLATE_UNCHECKED,
        "the API server could not say whether it takes pods of spec.template, and no runner of this"
            + " template is made; it is asked again within %d s. Look at the webhooks for pods: "
                .formatted(AGAIN.toSeconds())
            + Denial.words(e));
  }
}
