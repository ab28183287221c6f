package dev.runnerset.cli.why;

import dev.runnerset.base.Pure;
import dev.runnerset.cli.view.JobView;
import dev.runnerset.cli.view.RunnerState;
import dev.runnerset.cli.view.RunnerView;
import dev.runnerset.cli.view.Texts;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Why a runner does what it does, and what became of its job. */
@Pure
public final class WhyRunner {
  private static final Set<String> OF_ANY_START = Set.of("ContainerCreating", "PodInitializing");

  private WhyRunner() {}

  /** The explanation of a runner. */
  public static Explanation of(RunnerMaterial material) {
    var view = RunnerView.of(material.runner());
    return Explanation.of(
        "runner " + name(view), sentence(material, view), facts(material), advice(material, view));
  }

  /** The explanation of its job, which it must have or have had. */
  static Explanation ofJob(RunnerMaterial material, JobView job) {
    var view = RunnerView.of(material.runner());
    return Explanation.of(
        "job " + job.name(), ofJob(material, view, job), facts(material), advice(material, view));
  }

  static List<Fact> facts(RunnerMaterial material) {
    var runner = material.runner();
    var of = " of " + Texts.line(runner.getMetadata().getName());
    return Stream.of(
            Facts.ofTimeline(runner),
            Facts.ofConditions(of, runner.statusOrNone().conditions()),
            Facts.ofEvents(material.events()),
            material.pod().stream().flatMap(Facts::ofPod),
            material.node().stream().flatMap(Facts::ofNode),
            Facts.ofBlackBox(runner))
        .flatMap(facts -> facts)
        .toList();
  }

  private static String name(RunnerView view) {
    return view.set().namespace() + "/" + view.name();
  }

  private static String sentence(RunnerMaterial material, RunnerView view) {
    var name = name(view);
    var job = view.job();
    if (material.runner().getMetadata().getDeletionTimestamp() != null) {
      return name + " is being deleted" + held(material);
    }
    if (view.state() == RunnerState.FAILED) {
      return name + " failed: " + view.why() + lost(job);
    }
    if (job != null) {
      return ofJob(material, view, job);
    }
    return switch (view.state()) {
      case STARTING -> name + " starts" + waiting(material, view);
      case IDLE -> name + " is well, and waits for a job.";
      default -> name + " ended well.";
    };
  }

  private static String ofJob(RunnerMaterial material, RunnerView view, JobView job) {
    var what = "The job " + job.name() + (job.runUrl().isEmpty() ? "" : " of " + job.runUrl());
    if (!job.lostBy().isEmpty()) {
      return what
          + " was lost with the runner "
          + name(view)
          + " ("
          + job.lostBy()
          + "): "
          + view.why();
    }
    if (!job.result().isEmpty()) {
      return what
          + " ended on the runner "
          + name(view)
          + " with the result "
          + job.result()
          + ending(view);
    }
    return switch (view.state()) {
      case BUSY -> what + " runs on the runner " + name(view) + node(view) + doubt(material);
      case FAILED ->
          what + " ended with the runner " + name(view) + ", which failed: " + view.why();
      default -> what + " is over on the runner " + name(view) + ending(view);
    };
  }

  private static String ending(RunnerView view) {
    return view.state() == RunnerState.ENDING ? ", whose container still runs." : ".";
  }

  private static String node(RunnerView view) {
    return view.node().isEmpty() ? "" : " on the node " + view.node();
  }

  /** What may end a job that runs. */
  private static String doubt(RunnerMaterial material) {
    return material.node().stream()
        .flatMap(Facts::ofNode)
        .findFirst()
        .map(fact -> ", and the " + fact.source() + " " + fact.text())
        .orElse(".");
  }

  private static String lost(@Nullable JobView job) {
    return job == null || job.lostBy().isEmpty()
        ? ""
        : "; its job " + job.name() + " was lost (" + job.lostBy() + ")";
  }

  private static String held(RunnerMaterial material) {
    return StatusConditions.find(
            material.runner().statusOrNone().conditions(),
            ConditionType.REMOVABLE,
            StatusConditions.Value.FALSE)
        .map(c -> ", and waits: " + Cause.words(c))
        .orElse(".");
  }

  private static String waiting(RunnerMaterial material, RunnerView view) {
    if (!view.why().isEmpty()) {
      return ", and waits: " + view.why();
    }
    return material
        .pod()
        .flatMap(WhyRunner::obstacle)
        .map(words -> ", and waits: " + words)
        .orElse(
            material.pod().isEmpty() ? ", and has no pod yet." : "; nothing keeps it from that.");
  }

  /** What a pod waits for, before the controller has reported it. */
  private static Optional<String> obstacle(Pod pod) {
    var status = pod.getStatus();
    if (status == null) {
      return Optional.empty();
    }
    var scheduled =
        status.getConditions().stream()
            .filter(c -> "PodScheduled".equals(c.getType()) && "False".equals(c.getStatus()))
            .map(c -> Texts.reasoned(c.getReason(), c.getMessage()));
    var containers =
        Stream.concat(
                status.getInitContainerStatuses().stream(), status.getContainerStatuses().stream())
            .map(c -> c.getState())
            .filter(Objects::nonNull)
            .map(state -> state.getWaiting())
            .filter(Objects::nonNull)
            .filter(w -> !OF_ANY_START.contains(Objects.requireNonNullElse(w.getReason(), "")))
            .map(w -> Texts.reasoned(w.getReason(), w.getMessage()));
    return Stream.concat(scheduled, containers).findFirst();
  }

  private static List<String> advice(RunnerMaterial material, RunnerView view) {
    var advice = new ArrayList<String>();
    var name = view.name();
    var namespace = view.set().namespace();
    boolean hurts = view.state() == RunnerState.FAILED || view.state() == RunnerState.STARTING;
    if (hurts && !view.set().name().isEmpty()) {
      advice.add(
          "What its set says, and what to change: kubectl runnerset why %s -n %s"
              .formatted(view.set().name(), namespace));
    }
    if (material.pod().isPresent() && view.state() != RunnerState.STARTING) {
      advice.add("Its log: kubectl logs %s -n %s --all-containers".formatted(name, namespace));
    }
    if (view.job() != null && !view.job().lostBy().isEmpty()) {
      advice.add("docs/operate/lost-jobs.md says whether another try may help");
    }
    if (advice.isEmpty()) {
      advice.add("Nothing to do.");
    }
    return advice;
  }
}
