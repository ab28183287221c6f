package dev.runnerset.demo.scenario;

import dev.runnerset.simulator.node.PodFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The first pods that come: their runners work as usual and then crash. Thread-safe. */
final class Crashes implements Function<String, Optional<PodFault>> {
  private static final int EXIT_CODE = 1;

  private final int count;
  private final List<String> pods = new ArrayList<>(); // guarded by this

  Crashes(int count) {
    this.count = count;
  }

  @Override
  public synchronized Optional<PodFault> apply(String pod) {
    if (!pods.contains(pod) && pods.size() < count) {
      pods.add(pod);
    }
    return pods.contains(pod) ? Optional.of(new PodFault.ExitsWith(EXIT_CODE)) : Optional.empty();
  }

  /** Those that crash, by name; the runner of a pod bears its name. */
  synchronized List<String> pods() {
    return List.copyOf(pods);
  }
}
