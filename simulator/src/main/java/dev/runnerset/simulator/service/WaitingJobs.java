package dev.runnerset.simulator.service;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Queued jobs, one queue for each combination of labels and repository, so that finding the next
 * for a set costs as much as there are combinations, not jobs. Guarded by the {@link ServiceState}.
 */
final class WaitingJobs {
  private record Wanted(Set<String> labels, Optional<String> repository) {}

  private static final Comparator<Job> OLDEST = Comparator.comparingLong(j -> j.number);
  private final Map<Wanted, TreeSet<Job>> queues = new LinkedHashMap<>();

  void add(Job job) {
    queues.computeIfAbsent(wanted(job), w -> new TreeSet<>(OLDEST)).add(job);
  }

  void remove(Job job) {
    var queue = queues.get(wanted(job));
    if (queue != null && queue.remove(job) && queue.isEmpty()) {
      queues.remove(wanted(job));
    }
  }

  /** Takes the oldest job the set may run. */
  Optional<Job> next(ScaleSet set) {
    var job = matching(set).map(TreeSet::first).min(OLDEST);
    job.ifPresent(this::remove);
    return job;
  }

  int count(ScaleSet set) {
    return matching(set).mapToInt(TreeSet::size).sum();
  }

  private Stream<TreeSet<Job>> matching(ScaleSet set) {
    var labels = set.labelNames();
    return queues.entrySet().stream()
        .filter(e -> labels.containsAll(e.getKey().labels()))
        .filter(e -> set.scope.covers(e.getKey().repository()))
        .map(Map.Entry::getValue);
  }

  private static Wanted wanted(Job job) {
    return new Wanted(job.labels, job.request.repository());
  }
}
