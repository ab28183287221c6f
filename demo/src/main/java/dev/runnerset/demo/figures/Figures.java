package dev.runnerset.demo.figures;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.runnerset.demo.progress.Progress.Moment;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a rehearsal measured, in the form of its JSON.
 *
 * @param extra what the scenario found, by name
 */
public record Figures(
    @JsonUnwrapped Place place,
    @JsonUnwrapped Work work,
    @JsonUnwrapped Cost cost,
    Map<String, Long> extra,
    List<String> violations,
    long elapsedMs) {

  /** Of a runner whose pod started within 30 s; a slower one has one more (BG1). */
  public static final double WRITES_PER_RUNNER = 8;

  /** Which scenario ran, and on which API server. */
  public record Place(String scenario, String cluster) {}

  /** The jobs, and how long they and their pods took. */
  public record Work(
      Jobs jobs,
      Percentiles queuedToStartedMs,
      Percentiles completedToRemovedMs,
      Percentiles podStartMs) {}

  /** Jobs by their end. */
  public record Jobs(int submitted, int completed, int lost) {}

  /**
   * What the work took.
   *
   * @param kubernetes null where the API server cannot be asked
   * @param cpuMs processor time in milliseconds, by program
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Cost(
      Runners runners, Service service, @Nullable Kubernetes kubernetes, Map<String, Long> cpuMs) {}

  /** Runners by their end; {@code perJob} is made runners a job. */
  public record Runners(long created, long removedIdle, long removedBusy, double perJob) {}

  /** Calls at the Actions service. */
  public record Service(
      Map<String, Long> calls,
      double callsPerRunner,
      long removeRequests,
      long uselessRemoveRequests,
      long removalBudgetBreaches,
      long jitConfigsUsedTwice,
      long registrationsLeaked) {}

  /** Writes at the API server; leases are left out. */
  public record Kubernetes(
      Map<String, Long> writesByWriter,
      double writesPerRunner,
      double setWritesPerRunner,
      Map<String, Long> breakdown) {}

  /** The figures with what they prove, and how the rehearsal went. */
  public record Report(
      @JsonUnwrapped Figures figures, List<Check> checks, boolean ok, List<Moment> timeline) {}

  public Jobs jobs() {
    return work.jobs();
  }

  public Runners runners() {
    return cost.runners();
  }

  public Service service() {
    return cost.service();
  }

  public @Nullable Kubernetes kubernetes() {
    return cost.kubernetes();
  }

  /**
   * How many writes a runner's own objects may have on average over all runners, in hundredths.
   *
   * @param each of a runner that is as fast as it should be; one more is of the set, the check of
   *     its template (BG4)
   */
  public double mostWritesPerRunner(double each) {
    return withOneOfTheSet(each);
  }

  /**
   * How many calls for a runner there may be on average, in hundredths: one each for its JIT
   * config, and one of the set for the version of its runners (RN21).
   */
  public double mostCallsPerRunner() {
    return withOneOfTheSet(1);
  }

  private double withOneOfTheSet(double each) {
    return Math.ceil(100 * (each + 1.0 / Math.max(1, runners().created()))) / 100;
  }
}
