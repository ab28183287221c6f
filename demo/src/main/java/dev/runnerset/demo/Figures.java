package dev.runnerset.demo;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a rehearsal measured, in the form of its JSON. Null: the server cannot be asked. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Figures(
    String scenario,
    String cluster,
    Jobs jobs,
    Percentiles queuedToStartedMs,
    Percentiles completedToRemovedMs,
    Percentiles podStartMs,
    Runners runners,
    Service service,
    @Nullable Kubernetes kubernetes,
    Map<String, Long> cpuMs,
    Map<String, Long> extra,
    List<String> violations,
    long elapsedMs,
    List<Check> checks,
    boolean ok) {

  /** Jobs by their end. */
  record Jobs(int submitted, int completed, int lost) {}

  /** Runners by their end; {@code perJob} is made runners a job. */
  record Runners(long created, long removedIdle, long removedBusy, double perJob) {}

  /** Calls at the Actions service. */
  record Service(
      Map<String, Long> calls,
      double callsPerRunner,
      long removeRequests,
      long uselessRemoveRequests,
      long removalBudgetBreaches,
      long jitConfigsUsedTwice,
      long registrationsLeaked) {}

  /** Writes at the API server; leases are left out. */
  record Kubernetes(
      Map<String, Long> writesByWriter,
      double writesPerRunner,
      double setWritesPerRunner,
      Map<String, Long> breakdown) {}
}
