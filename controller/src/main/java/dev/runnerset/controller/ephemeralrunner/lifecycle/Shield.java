package dev.runnerset.controller.ephemeralrunner.lifecycle;

import dev.runnerset.base.Pure;
import dev.runnerset.controller.ephemeralrunner.lifecycle.PodView.RunnerContainer;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.Protection;
import dev.runnerset.crds.StoredTemplate;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The labels and annotations of a runner's pod by which the budget of its set, the admission policy
 * and the autoscalers of nodes spare it (SH1). The pod of a set's runner is made with them; those
 * of a standalone runner come with its job.
 */
@Pure
public final class Shield {
  /** Annotations of a pod that is shielded: autoscalers of nodes leave its node alone. */
  public static final Map<String, String> SPARED =
      Map.of(
          "karpenter.sh/do-not-disrupt",
          "true",
          "cluster-autoscaler.kubernetes.io/safe-to-evict",
          "false");

  private Shield() {}

  /**
   * What to write onto a pod.
   *
   * @param labels null values take a label off
   * @param annotations null values take an annotation off
   * @param urgent whether a job is at stake now, so that the write must not wait for others
   */
  public record Change(
      Map<String, @Nullable String> labels,
      Map<String, @Nullable String> annotations,
      boolean urgent) {}

  /** The template, whose pods are shielded from the first moment, but for standalone runners. */
  static PodTemplateSpec onto(
      PodTemplateSpec template, @Nullable Protection protection, boolean standalone) {
    var metadata =
        template.getMetadata() == null
            ? new ObjectMetaBuilder()
            : new ObjectMetaBuilder(template.getMetadata());
    metadata.addToLabels(Labels.PROTECTION, orDefault(protection).word());
    if (!standalone && orDefault(protection) == Protection.BUSY) {
      metadata.addToLabels(Labels.BUSY, "true").addToAnnotations(SPARED);
    }
    var copy = new PodTemplateSpec();
    copy.setMetadata(metadata.build());
    copy.setSpec(template.getSpec());
    return copy;
  }

  /** What the runner's pod lacks, or has and should not have; empty if nothing. */
  public static Optional<Change> missing(ObservedRunner observed) {
    var pod = observed.pod();
    if (pod == null || pod.isOver() || pod.terminating()) {
      return Optional.empty();
    }
    var has = pod.shield();
    var protection = protection(observed, has);
    var set = RunnerPod.labels(observed.runner()).get(Labels.SET);
    var wanted =
        new ShieldMarks(
            protection,
            protection == Protection.BUSY && isShielded(observed, pod),
            set == null ? has.set() : set);
    return wanted.equals(has) ? Optional.empty() : Optional.of(change(has, wanted, observed));
  }

  /** That of the set now; while the set is not known, what the pod was made with. */
  private static Protection protection(ObservedRunner observed, ShieldMarks has) {
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
   * With a job until its container has ended: the pod of a kept runner may have another container
   * that still runs, and nothing keeps that from being evicted. Without one as its set judged, and
   * as before while the set has not judged yet.
   */
  private static boolean isShielded(ObservedRunner observed, PodView pod) {
    boolean before = pod.shield().busy();
    if (pod.runner() instanceof RunnerContainer.Terminated) {
      return before && !observed.ownStatus().isTerminal();
    }
    if (observed.isJobCompleted()) {
      return before;
    }
    if (observed.observedStatus().isBusy()) {
      return true;
    }
    var open = observed.memory().open();
    return observed.isStandalone() || open == null ? before : !open;
  }

  private static Change change(ShieldMarks has, ShieldMarks wanted, ObservedRunner observed) {
    var labels = new HashMap<String, @Nullable String>();
    labels.put(Labels.PROTECTION, orDefault(wanted.protection()).word());
    if (!Objects.equals(has.set(), wanted.set())) {
      labels.put(Labels.SET, wanted.set());
    }
    var annotations = new HashMap<String, @Nullable String>();
    if (wanted.busy()) {
      labels.put(Labels.BUSY, "true");
      annotations.putAll(SPARED);
    } else if (has.busy()) {
      labels.put(Labels.BUSY, null);
      var users = ofTemplate(observed);
      SPARED.keySet().forEach(key -> annotations.put(key, users.get(key)));
    }
    return new Change(labels, annotations, observed.hadJob());
  }

  private static Map<String, String> ofTemplate(ObservedRunner observed) {
    var set = observed.set();
    var template = set == null ? observed.runner().getSpec().template() : set.getSpec().template();
    return Optional.ofNullable(template)
        .map(StoredTemplate::podTemplate)
        .map(PodTemplateSpec::getMetadata)
        .map(ObjectMeta::getAnnotations)
        .orElse(Map.of());
  }
}
