package dev.runnerset.demo.world;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerPhase;
import dev.runnerset.simulator.node.PodTimings;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Watches for runners that get a status before their container runs. The controller may write one
 * if the pod takes more than 2 s (BG1), by its own clock: on a full machine it makes a pod earlier
 * and sees it run later than the node does.
 */
final class EarlyStatuses implements Watcher<EphemeralRunner>, AutoCloseable {
  /** An earlier status is not excused: the node sees a pod less than a second after it was made. */
  private static final Duration LEAST = Duration.ofSeconds(1);

  private final Clock clock;
  private final Map<String, Instant> seenAtByName = new ConcurrentHashMap<>();
  private final Watch watch;

  EarlyStatuses(KubernetesClient kube, String namespace, Clock clock) {
    this.clock = clock;
    watch = kube.resources(EphemeralRunner.class).inNamespace(namespace).watch(this);
  }

  @Override
  public void eventReceived(Action action, EphemeralRunner runner) {
    var status = runner.statusOrNone();
    if (status.phase() == RunnerPhase.PENDING && status.podName() != null) {
      seenAtByName.putIfAbsent(runner.getMetadata().getName(), clock.instant());
    }
  }

  /** Runners with such a status, one at most for each pod, that came late enough to be due. */
  long due(Map<String, PodTimings> podByName) {
    return seenAtByName.entrySet().stream()
        .filter(early -> {
          var pod = podByName.get(early.getKey());
          return pod != null && !early.getValue().isBefore(pod.created().plus(LEAST));
        })
        .count();
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
