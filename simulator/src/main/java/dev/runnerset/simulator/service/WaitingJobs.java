package dev.runnerset.simulator.service;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
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
  private final Map<Long, Job> byNumber = new HashMap<>();

  void add(Job job) {
    queues.computeIfAbsent(wanted(job), w -> new TreeSet<>(OLDEST)).add(job);
    byNumber.put(job.number, job);
  }

  void remove(Job job) {
    byNumber.remove(job.number);
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

  /** The job of that number, if the set may run it. */
  Optional<Job> find(ScaleSet set, long number) {
    return Optional.ofNullable(byNumber.get(number)).filter(job -> matches(set, job));
  }

  /** The jobs that the set may run, oldest first. */
  List<Job> all(ScaleSet set) {
    return matching(set).flatMap(TreeSet::stream).sorted(OLDEST).toList();
  }

  int count(ScaleSet set) {
    return matching(set).mapToInt(TreeSet::size).sum();
  }

  private Stream<TreeSet<Job>> matching(ScaleSet set) {
    return queues.entrySet().stream()
        .filter(e -> matches(set, e.getKey()))
        .map(Map.Entry::getValue);
  }

  /** Whether the set may run the job. */
  static boolean matches(ScaleSet set, Job job) {
    return matches(set, wanted(job));
  }

  private static boolean matches(ScaleSet set, Wanted wanted) {
    return set.labelNames().containsAll(wanted.labels()) && set.scope.covers(wanted.repository());
  }

  private static Wanted wanted(Job job) {
    return new Wanted(job.labels, job.request.repository());
  }
}
