package dev.runnerset.demo.world;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** What the servers have of the finished runners of the set. */
public final class FinishedRunners {
  private final World world;

  public FinishedRunners(World world) {
    this.world = world;
  }

  private Stream<EphemeralRunner> all() {
    return world.runners().stream()
        .filter(r -> r.statusOrNone().isTerminal())
        .filter(r -> r.getMetadata().getDeletionTimestamp() == null);
  }

  /** Their names, oldest first as the limits count. */
  public List<String> names() {
    return all().map(r -> r.getMetadata().getName()).toList();
  }

  /** Those whose status does not say in one piece that they ended well. */
  public long halfReported() {
    return all().filter(r -> !isReported(r)).count();
  }

  private static boolean isReported(EphemeralRunner runner) {
    var status = runner.getStatus();
    return status.completionTime() != null
        && status.conditions().stream()
            .filter(c -> c.getType().equals("Succeeded") && c.getStatus().equals("True"))
            .map(Condition::getLastTransitionTime)
            .anyMatch(at -> OffsetDateTime.parse(at).toInstant().equals(status.completionTime()));
  }

  /** Registrations at the service, of whatever runner. */
  public int registrations() {
    return world.service().runners().size();
  }

  /** Objects of a kind that are made for runners. */
  public <T extends HasMetadata> long objects(Class<T> kind) {
    return namesOf(kind).count();
  }

  /** Objects of a kind that are made for these runners, whose names they bear. */
  public <T extends HasMetadata> long objects(Class<T> kind, Collection<String> runners) {
    return namesOf(kind).filter(runners::contains).count();
  }

  private <T extends HasMetadata> Stream<String> namesOf(Class<T> kind) {
    return world
        .kube()
        .resources(kind)
        .inNamespace(World.NAMESPACE)
        .withLabel(Labels.COMPONENT, Labels.COMPONENT_RUNNER)
        .list()
        .getItems()
        .stream()
        .map(object -> object.getMetadata().getName());
  }

  /** Events that tell of a deletion. */
  public long events() {
    return world.kube().v1().events().inNamespace(World.NAMESPACE).list().getItems().stream()
        .filter(e -> "RunnerRetentionExpired".equals(e.getReason()))
        .count();
  }
}
