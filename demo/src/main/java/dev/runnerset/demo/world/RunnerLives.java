package dev.runnerset.demo.world;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerPhase;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Watches runners until they are gone, as the API server tells of them. Thread-safe. */
public final class RunnerLives implements Watcher<EphemeralRunner>, AutoCloseable {
  private final Clock clock;
  private final Map<String, Life> lifeByName = new ConcurrentHashMap<>();
  private final Watch watch;

  /**
   * One runner.
   *
   * @param last as it was when it was seen last
   * @param gone when its object had disappeared
   */
  public record Life(EphemeralRunner last, @Nullable Instant gone) {
    /** What its condition Succeeded says; empty while it has not ended. */
    public Optional<String> outcome() {
      return last.statusOrNone().conditions().stream()
          .filter(c -> c.getType().equals("Succeeded"))
          .map(Condition::getStatus)
          .findFirst();
    }

    public boolean isFailed() {
      return outcome().filter("False"::equals).isPresent();
    }

    /** Whether its phase is that of a runner that did its work. */
    public boolean didItsWork() {
      return last.statusOrNone().phase() == RunnerPhase.SUCCEEDED;
    }

    /** Whether it has ended, or is gone. */
    boolean isOver() {
      return gone != null || outcome().isPresent();
    }

    /** From its end to its disappearance; empty if one of them was not seen. */
    private Optional<Long> keptMillis() {
      var ended = last.statusOrNone().completionTime();
      return ended == null || gone == null
          ? Optional.empty()
          : Optional.of(Duration.between(ended, gone).toMillis());
    }
  }

  RunnerLives(KubernetesClient kube, String namespace, Clock clock) {
    this.clock = clock;
    watch = kube.resources(EphemeralRunner.class).inNamespace(namespace).watch(this);
  }

  @Override
  public void eventReceived(Action action, EphemeralRunner runner) {
    var gone = action == Action.DELETED ? clock.instant() : null;
    lifeByName.put(runner.getMetadata().getName(), new Life(runner, gone));
  }

  /** The names of all that were seen so far. */
  public Set<String> names() {
    return Set.copyOf(lifeByName.keySet());
  }

  /** Whether it failed, by its condition. */
  public boolean isFailed(String name) {
    var life = lifeByName.get(name);
    return life != null && life.isFailed();
  }

  /** Those that came later than these. */
  public List<Life> since(Set<String> before) {
    return lifeByName.entrySet().stream()
        .filter(e -> !before.contains(e.getKey()))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** Whether each of these has ended, or is gone. */
  public boolean areOver(Collection<String> names) {
    var over =
        lifeByName.entrySet().stream()
            .filter(e -> e.getValue().isOver())
            .map(Map.Entry::getKey)
            .collect(Collectors.toSet());
    return over.containsAll(names);
  }

  /** The same names, oldest first as the limits count. */
  public List<String> oldestFirst(Collection<String> names) {
    return lifeByName.entrySet().stream()
        .filter(e -> names.contains(e.getKey()))
        .map(e -> e.getValue().last())
        .sorted(World.OLDEST_FIRST)
        .map(runner -> runner.getMetadata().getName())
        .toList();
  }

  /** How long those that came later than these were kept after their end, shortest first. */
  public List<Long> keptMillis(Set<String> before, boolean failed) {
    return since(before).stream()
        .filter(life -> life.outcome().isPresent() && life.isFailed() == failed)
        .flatMap(life -> life.keptMillis().stream())
        .sorted()
        .toList();
  }

  @Override
  public void onClose(WatcherException cause) {
    System.err.println("the watch of runners ended: " + cause.getMessage());
  }

  @Override
  public void close() {
    watch.close();
  }
}
