package dev.runnerset.demo.cluster;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What the API server counted, by who asked for what: never the product's own word.
 *
 * @param countByRequest every request so far
 */
public record WriteCounts(Map<Request, Long> countByRequest) {
  private static final Set<String> WRITES =
      Set.of("create", "update", "patch", "delete", "deletecollection");
  private static final Set<String> OF_A_RUNNER =
      Set.of("ephemeralrunners.runnerset.dev", "secrets", "pods");
  static final String CONTROLLER = "runnerset-controller";
  static final String LISTENER = "runnerset-listener";
  private static final Set<String> OURS = Set.of(CONTROLLER, LISTENER);

  public WriteCounts {
    countByRequest = Map.copyOf(countByRequest);
  }

  /**
   * One kind of request.
   *
   * @param writer the user agent up to its first slash
   * @param resource plural with group, as {@code leases.coordination.k8s.io}
   */
  record Request(String writer, String verb, String resource, String subresource, int code) {
    boolean isWrite() {
      return WRITES.contains(verb) && !resource.endsWith(".authorization.k8s.io");
    }

    boolean isLease() {
      return resource.startsWith("leases.");
    }
  }

  /** What was counted since an earlier look. */
  public WriteCounts since(WriteCounts earlier) {
    var result = new HashMap<Request, Long>();
    countByRequest.forEach((request, count) -> {
      long more = count - earlier.countByRequest.getOrDefault(request, 0L);
      if (more > 0) {
        result.put(request, more);
      }
    });
    return new WriteCounts(result);
  }

  /** Writes by writer, leases left out. */
  public Map<String, Long> byWriter() {
    var sums = new TreeMap<String, Long>();
    countByRequest.forEach((r, n) -> {
      if (r.isWrite() && !r.isLease()) {
        sums.merge(r.writer(), n, Long::sum);
      }
    });
    return sums;
  }

  /** Our writes on runners, their secrets and pods. */
  public long onRunners() {
    return sum(r -> OF_A_RUNNER.contains(r.resource()) && OURS.contains(r.writer()));
  }

  /** Our other writes, leases left out. */
  public long onSets() {
    return sum(
        r -> !OF_A_RUNNER.contains(r.resource()) && OURS.contains(r.writer()) && !r.isLease());
  }

  /** Our writes of the status of a set's parent of runners. */
  public long onStatusesOfRunnerSets() {
    return sum(r ->
        r.resource().equals("ephemeralrunnersets.runnerset.dev")
            && r.subresource().equals("status")
            && OURS.contains(r.writer()));
  }

  /** All our writes but leases. */
  public long ours() {
    return onRunners() + onSets();
  }

  /** Runners that the controller made. */
  public long runnersCreated() {
    return sum(r ->
        r.verb().equals("create")
            && r.resource().equals("ephemeralrunners.runnerset.dev")
            && r.code() == 201
            && r.writer().equals(CONTROLLER));
  }

  /** Our writes by verb, resource and answer, for reading where they went. */
  public Map<String, Long> breakdown() {
    var sums = new TreeMap<String, Long>();
    countByRequest.forEach((r, n) -> {
      if (r.isWrite() && OURS.contains(r.writer()) && !r.isLease()) {
        var what = r.resource() + (r.subresource().isEmpty() ? "" : "/" + r.subresource());
        sums.merge(r.writer() + " " + r.verb() + " " + what + " " + r.code(), n, Long::sum);
      }
    });
    return sums;
  }

  /** How often the controller has asked that. */
  public long ofController(String verb, String resource) {
    return countByRequest.entrySet().stream()
        .filter(e -> e.getKey().writer().equals(CONTROLLER))
        .filter(e -> e.getKey().verb().equals(verb) && e.getKey().resource().equals(resource))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  private long sum(Predicate<Request> which) {
    return countByRequest.entrySet().stream()
        .filter(e -> e.getKey().isWrite() && which.test(e.getKey()))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }
}
