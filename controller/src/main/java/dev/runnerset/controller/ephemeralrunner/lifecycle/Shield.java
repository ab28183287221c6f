package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView.RunnerContainer;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.Protection;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The labels and annotations of a runner's pod by which the budget of its set, the admission policy
 * and the autoscalers of nodes spare it while it has a job (SH1).
 */
@Pure
public final class Shield {
  /** Annotations of a pod that has a job: autoscalers of nodes leave its node alone. */
  private static final Map<String, String> WHILE_BUSY =
      Map.of(
          "karpenter.sh/do-not-disrupt",
          "true",
          "cluster-autoscaler.kubernetes.io/safe-to-evict",
          "false");

  private Shield() {}

  /**
   * The labels that a pod has.
   *
   * @param protection null where the pod has no such label, as pods of former versions
   */
  public record Marks(@Nullable Protection protection, boolean busy) {
    static Marks of(Pod pod) {
      var labels = pod.getMetadata().getLabels();
      if (labels == null) {
        return new Marks(null, false);
      }
      var word = labels.getOrDefault(Labels.PROTECTION, "");
      Protection protection = null;
      for (var each : Protection.values()) {
        protection = each.word().equals(word) ? each : protection;
      }
      return new Marks(protection, "true".equals(labels.get(Labels.BUSY)));
    }
  }

  /**
   * What to write onto a pod.
   *
   * @param labels null values take a label off
   * @param annotations null values take an annotation off
   */
  public record Change(
      Map<String, @Nullable String> labels, Map<String, @Nullable String> annotations) {}

  /** The template, whose pods have the label of their protection. */
  static PodTemplateSpec onto(PodTemplateSpec template, @Nullable Protection protection) {
    var metadata =
        template.getMetadata() == null
            ? new ObjectMetaBuilder()
            : new ObjectMetaBuilder(template.getMetadata());
    var copy = new PodTemplateSpec();
    copy.setMetadata(metadata.addToLabels(Labels.PROTECTION, orDefault(protection).word()).build());
    copy.setSpec(template.getSpec());
    return copy;
  }

  /** What the runner's pod lacks, or has and should not have; empty if nothing. */
  public static Optional<Change> missing(ObservedRunner observed) {
    var pod = observed.pod();
    if (pod == null || pod.isOver() || pod.terminating()) {
      return Optional.empty();
    }
    var has = pod.identity().shield();
    var protection = protection(observed, has);
    var wanted = new Marks(protection, protection == Protection.BUSY && isBusy(observed, pod));
    return wanted.equals(has) ? Optional.empty() : Optional.of(change(has, wanted, observed));
  }

  /** That of the set now; while the set is not known, what the pod was made with. */
  private static Protection protection(ObservedRunner observed, Marks has) {
    var set = observed.set();
    return orDefault(
        observed.isStandalone()
            ? null
            : set == null ? has.protection() : set.getSpec().protection());
  }

  private static Protection orDefault(@Nullable Protection protection) {
    return protection == null ? Protection.BUSY : protection;
  }

  /**
   * Once busy, until its container has ended. The pod of a kept runner may have another container
   * that still runs: nothing keeps that from being evicted.
   */
  private static boolean isBusy(ObservedRunner observed, PodView pod) {
    boolean before = pod.identity().shield().busy();
    return pod.runner() instanceof RunnerContainer.Terminated
        ? before && !observed.ownStatus().isTerminal()
        : before || (observed.observedStatus().isBusy() && !observed.isJobCompleted());
  }

  private static Change change(Marks has, Marks wanted, ObservedRunner observed) {
    var labels = new HashMap<String, @Nullable String>();
    labels.put(Labels.PROTECTION, orDefault(wanted.protection()).word());
    var annotations = new HashMap<String, @Nullable String>();
    if (wanted.busy()) {
      labels.put(Labels.BUSY, "true");
      annotations.putAll(WHILE_BUSY);
    } else if (has.busy()) {
      labels.put(Labels.BUSY, null);
      var users = ofTemplate(observed);
      WHILE_BUSY.keySet().forEach(key -> annotations.put(key, users.get(key)));
    }
    return new Change(labels, annotations);
  }

  private static Map<String, String> ofTemplate(ObservedRunner observed) {
    var set = observed.set();
    var template = set == null ? observed.runner().getSpec().template() : set.getSpec().template();
    return Optional.ofNullable(template)
        .map(PodTemplateSpec::getMetadata)
        .map(ObjectMeta::getAnnotations)
        .orElse(Map.of());
  }
}
