package dev.runnerset.cli.ui;

import dev.runnerset.cli.act.Action;
import dev.runnerset.cli.act.ActionWriter;
import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerMode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;

/**
 * The buttons of {@code ui --allow-actions}: the same plans and writes as the commands pause,
 * resume, drain and retire, with the rights of the person who runs the page.
 */
public final class ClusterStage implements Stage {
  private final Cluster cluster;

  /** Buttons that write to that cluster. */
  public ClusterStage(Cluster cluster) {
    this.cluster = cluster;
  }

  @Override
  public List<Button> buttons() {
    return List.of(
        new Button("pause", "Pause", Place.SET, "The set takes no new jobs. Go on?"),
        new Button("resume", "Resume", Place.SET, "The set takes jobs again. Go on?"),
        new Button(
            "drain", "Drain", Place.SET, "The set takes no new jobs, and its runners go. Go on?"),
        new Button("retire", "Retire", Place.RUNNER, "The runner goes when it has no job. Go on?"));
  }

  @Override
  public Map<String, Long> counters() {
    return Map.of();
  }

  @Override
  public String press(String id, String namespace, String name) {
    return switch (id) {
      case "pause" -> mode(RunnerMode.PAUSED, namespace, name);
      case "resume" -> mode(RunnerMode.ACTIVE, namespace, name);
      case "drain" -> mode(RunnerMode.DRAINED, namespace, name);
      case "retire" -> carryOut(Action.retire(found(EphemeralRunner.class, namespace, name)));
      default -> throw new IllegalArgumentException("There is no button '" + id + "'.");
    };
  }

  private String mode(RunnerMode mode, String namespace, String name) {
    return carryOut(Action.mode(found(AutoScalingRunnerSet.class, namespace, name), mode));
  }

  private <T extends HasMetadata> T found(Class<T> kind, String namespace, String name) {
    return cluster.get(kind, namespace, name).orElseThrow(() -> gone(name));
  }

  private String carryOut(Action.Plan plan) {
    return switch (plan) {
      case Action.Plan.Refused(var sentence) -> throw new IllegalArgumentException(sentence + ".");
      case Action.Plan.Nothing(var sentence) -> sentence + ".";
      case Action.Plan.Do(var action) -> write(action);
    };
  }

  private String write(Action action) {
    return switch (ActionWriter.send(cluster, action, false)) {
      case DONE -> action.sentence();
      case CHANGED_MEANWHILE ->
          throw new IllegalArgumentException(
              "Somebody else changed it at the same moment: look at it, and press again.");
      case GONE -> throw gone(action.target().getMetadata().getName());
    };
  }

  private static IllegalArgumentException gone(String name) {
    return new IllegalArgumentException(name + " is gone.");
  }
}
