package dev.runnerset.cli.act;

import dev.runnerset.base.Pure;
import dev.runnerset.cli.view.JobView;
import dev.runnerset.cli.view.RunnerState;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.RunnerMode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One action: the object, the one merge patch that carries it out, and what a person reads before
 * agreeing.
 *
 * @param target the object as it was read; the patch names its resourceVersion, so that an object
 *     that has changed since is refused
 * @param field what the patch sets, as a path: {@code spec.mode}
 * @param value what it sets it to
 * @param sentence what the action does, with what it costs
 */
@Pure
public record Action(HasMetadata target, String field, String value, String sentence) {
  private static final String MODE = "spec.mode";

  /** An action, or why there is nothing to do. */
  public sealed interface Plan {
    /** It is to be carried out. */
    record Do(Action action) implements Plan {}

    /** Nothing is to be done; that is no failure. */
    record Nothing(String sentence) implements Plan {}

    /** It cannot be done; the sentence says what to do instead. */
    record Refused(String sentence) implements Plan {}
  }

  /** Sets {@code spec.mode} of a set. */
  public static Plan mode(AutoScalingRunnerSet set, RunnerMode mode) {
    var name = named(set);
    if (set.getMetadata().getDeletionTimestamp() != null) {
      return new Plan.Refused(name + " is being deleted: it takes no jobs any more");
    }
    if (set.modeNow() == mode) {
      return new Plan.Nothing(name + " is " + word(mode) + " already");
    }
    var effect =
        switch (mode) {
          case ACTIVE -> "takes jobs again";
          case PAUSED -> "takes no new jobs, and keeps its runners";
          case DRAINED ->
              "takes no new jobs; its idle runners go now, and its "
                  + busy(set)
                  + " with a job go when the job ends";
        };
    return new Plan.Do(new Action(set, MODE, word(mode), name + " " + effect + "."));
  }

  /** Lets a runner of a set go as soon as it has no job. */
  public static Plan retire(EphemeralRunner runner) {
    var name = named(runner);
    if (labels(runner).getOrDefault(Labels.SET, "").isEmpty()) {
      return new Plan.Refused(
          name + " belongs to no set, so nothing replaces it: delete it with kubectl delete");
    }
    if (runner.getMetadata().getDeletionTimestamp() != null || runner.statusOrNone().isTerminal()) {
      return new Plan.Nothing(name + " has ended already");
    }
    if (isMarked(runner, Labels.RETIRE)) {
      return new Plan.Nothing(name + " is to go already");
    }
    var when =
        JobView.of(runner)
            .filter(_ -> RunnerState.of(runner) == RunnerState.BUSY)
            .map(job -> "when its job '" + job.name() + "' ends")
            .orElse("now, unless it gets a job at this moment");
    return new Plan.Do(annotate(runner, Labels.RETIRE, name + " goes " + when + "."));
  }

  /** Ends the deletion of a runner that waits, with the job that it may have. */
  public static Plan force(EphemeralRunner runner) {
    var job =
        JobView.of(runner)
            .filter(_ -> !runner.statusOrNone().isTerminal())
            .map(each -> "its job '" + each.name() + "' is lost")
            .orElse("a job that it may have is lost");
    return forced(
        runner, "goes whatever the service answers: " + job + ", and its registration may be left");
  }

  /** Ends the deletion of a set that waits, with the jobs of its runners. */
  public static Plan force(AutoScalingRunnerSet set) {
    return forced(
        set,
        "goes with its runners whatever the service answers: the jobs of "
            + busy(set)
            + " are lost, and its scale set may be left at GitHub");
  }

  private static Plan forced(HasMetadata object, String effect) {
    var name = named(object);
    if (object.getMetadata().getDeletionTimestamp() == null) {
      return new Plan.Refused(
          "%s is not being deleted: first run kubectl delete %s %s -n %s --wait=false, and force it only if it stays"
              .formatted(
                  name,
                  object instanceof AutoScalingRunnerSet
                      ? "autoscalingrunnersets.runnerset.dev"
                      : "ephemeralrunners.runnerset.dev",
                  object.getMetadata().getName(),
                  object.getMetadata().getNamespace()));
    }
    if (isMarked(object, Labels.FORCE_DELETE)) {
      return new Plan.Nothing(name + " is forced already");
    }
    return new Plan.Do(annotate(object, Labels.FORCE_DELETE, name + " " + effect + "."));
  }

  private static Action annotate(HasMetadata object, String annotation, String sentence) {
    return new Action(object, "metadata.annotations." + annotation, "true", sentence);
  }

  /** The tool that sets the field back, since it owns the object; empty if none is known. */
  public Optional<String> ownedByGit() {
    if (!field.equals(MODE)) {
      return Optional.empty();
    }
    var labels = labels(target);
    var annotations =
        Objects.requireNonNullElse(target.getMetadata().getAnnotations(), Map.<String, String>of());
    if (labels.containsKey("kustomize.toolkit.fluxcd.io/name")
        || labels.containsKey("helm.toolkit.fluxcd.io/name")) {
      return Optional.of("Flux");
    }
    return annotations.containsKey("argocd.argoproj.io/tracking-id")
            || labels.containsKey("argocd.argoproj.io/instance")
        ? Optional.of("Argo CD")
        : Optional.empty();
  }

  /** The merge patch, as a tree for JSON. */
  public Map<String, Object> patch() {
    var version = target.getMetadata().getResourceVersion();
    if (field.equals(MODE)) {
      return Map.of("metadata", Map.of("resourceVersion", version), "spec", Map.of("mode", value));
    }
    var annotation = field.substring("metadata.annotations.".length());
    return Map.of(
        "metadata", Map.of("resourceVersion", version, "annotations", Map.of(annotation, value)));
  }

  private static Map<String, String> labels(HasMetadata object) {
    return Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of());
  }

  private static boolean isMarked(HasMetadata object, String annotation) {
    var annotations = object.getMetadata().getAnnotations();
    return annotations != null && "true".equals(annotations.get(annotation));
  }

  private static String busy(AutoScalingRunnerSet set) {
    var runners = set.statusOrNone().runners();
    int busy = runners == null ? 0 : runners.busy();
    return busy == 1 ? "1 runner" : busy + " runners";
  }

  private static String named(HasMetadata object) {
    var what = object instanceof AutoScalingRunnerSet ? "The set " : "The runner ";
    return what + object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
  }

  private static String word(RunnerMode mode) {
    return switch (mode) {
      case ACTIVE -> "Active";
      case PAUSED -> "Paused";
      case DRAINED -> "Drained";
    };
  }
}
