package dev.runnerset.bench;

import dev.runnerset.testcluster.Audit;
import dev.runnerset.testcluster.AuditEntry;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The requests of a stretch of time, from the audit log.
 *
 * @param countByRequest how many there were of each
 * @param deleted when the first accepted DELETE of a runner came in, by its name
 */
record Requests(Map<Request, Long> countByRequest, Map<String, Instant> deleted) {
  private static final String RUNNERS = "ephemeralrunners";
  private static final Set<String> OF_A_RUNNER = Set.of(RUNNERS, "pods", "secrets");

  /**
   * One kind of request.
   *
   * @param client the user agent up to its first slash
   * @param resource the plural, with the subresource behind a slash
   */
  record Request(String client, String verb, String resource, boolean write, boolean accepted) {
    /** By one of the programs, or by the bound. */
    boolean isOurWrite() {
      return write && client.startsWith("runnerset-") && !client.equals("runnerset-node");
    }

    boolean isOurWriteOfARunner() {
      return isOurWrite() && OF_A_RUNNER.contains(resource.split("/")[0]);
    }

    boolean isOfALease() {
      return resource.equals("leases");
    }

    /** What is done, whoever does it. */
    String deed() {
      return verb + " " + resource;
    }
  }

  /** What was logged since the last reading. */
  static Requests next(Audit audit) {
    var counts = new HashMap<Request, Long>();
    var deleted = new HashMap<String, Instant>();
    audit.forEachNew(e -> {
      counts.merge(of(e), 1L, Long::sum);
      if (e.verb().equals("delete") && e.resource().equals(RUNNERS) && e.isAccepted()) {
        deleted.putIfAbsent(e.name(), e.received());
      }
    });
    return new Requests(counts, deleted);
  }

  static Request of(AuditEntry e) {
    int end = e.userAgent().indexOf('/');
    var client = end < 0 ? e.userAgent() : e.userAgent().substring(0, end);
    var resource = e.subresource().isEmpty() ? e.resource() : e.resource() + "/" + e.subresource();
    boolean write = e.isWrite() && !e.apiGroup().endsWith("authorization.k8s.io");
    return new Request(client, e.verb(), resource, write, e.isAccepted());
  }

  /** Our writes on runners, their pods and secrets. */
  long writesOnRunners() {
    return sum(Request::isOurWriteOfARunner);
  }

  /** Our other writes, leases left out. */
  long writesOnSets() {
    return sum(r -> r.isOurWrite() && !r.isOurWriteOfARunner() && !r.isOfALease());
  }

  /** Runners that we made. */
  long runnersMade() {
    return sum(r -> r.isOurWrite() && r.accepted() && r.deed().equals("create " + RUNNERS));
  }

  /** Our writes on runners, pods and secrets by what they do. */
  Map<String, Long> deeds() {
    return by(Request::isOurWriteOfARunner, Request::deed);
  }

  /** All requests by client, verb and resource. */
  Map<String, Long> byClient() {
    return by(r -> true, r -> r.client() + " " + r.deed());
  }

  private Map<String, Long> by(Predicate<Request> which, Function<Request, String> name) {
    var sums = new TreeMap<String, Long>();
    countByRequest.forEach((r, n) -> {
      if (which.test(r)) {
        sums.merge(name.apply(r), n, Long::sum);
      }
    });
    return sums;
  }

  private long sum(Predicate<Request> which) {
    return by(which, _ -> "").getOrDefault("", 0L);
  }
}
