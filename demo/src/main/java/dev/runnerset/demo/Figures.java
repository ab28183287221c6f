package dev.runnerset.demo;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a rehearsal measured, in the form of its JSON. */
record Figures(
    @JsonUnwrapped Place place,
    @JsonUnwrapped Work work,
    @JsonUnwrapped Cost cost,
    Extra extra,
    List<String> violations,
    long elapsedMs) {

  /** Which scenario ran, and on which API server. */
  record Place(String scenario, String cluster) {}

  /** The jobs, and how long they and their pods took. */
  record Work(
      Jobs jobs,
      Percentiles queuedToStartedMs,
      Percentiles completedToRemovedMs,
      Percentiles podStartMs) {}

  /** Jobs by their end. */
  record Jobs(int submitted, int completed, int lost) {}

  /**
   * What the work took.
   *
   * @param kubernetes null where the API server cannot be asked
   * @param cpuMs processor time in milliseconds, by program
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Cost(
      Runners runners, Service service, @Nullable Kubernetes kubernetes, Map<String, Long> cpuMs) {}

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

  /**
   * What the scenario found.
   *
   * @param slowStarts runners that got a status before their container ran, as they may when the
   *     pod takes more than 2 s (BG1)
   */
  record Extra(@JsonUnwrapped Findings findings, long slowStarts) {}

  /** The figures with what they prove. */
  record Report(@JsonUnwrapped Figures figures, List<Check> checks, boolean ok) {}

  Jobs jobs() {
    return work.jobs();
  }

  Runners runners() {
    return cost.runners();
  }

  Service service() {
    return cost.service();
  }

  @Nullable Kubernetes kubernetes() {
    return cost.kubernetes();
  }
}
