package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Which faults are on (protocol 7.5).
 *
 * @param http answers that go wrong
 * @param dropped share of job events that are never sent, by message type ({@code JobStarted}, ...)
 * @param duplicated share of job events that are sent twice
 * @param statistics what is sent as statistics
 * @param linger how long a runner stays registered and busy after its job
 * @param byteOrderMark every JSON answer starts with one
 * @param noCreatedOn scale sets are shown without the time at which they were made
 * @param odd what answers about sessions and messages lack
 * @param legacy how a service of the legacy flavour acts
 * @param jitConfigsPerSecond JIT configs that are given out, and what may be saved up of them; 0
 *     for no limit
 * @param jitRetryAfter seconds in the Retry-After of those beyond that; 0 for none
 * @param runLag how long a run is in progress still after its last job has ended
 * @param restPerHour calls of the REST API an hour for each credential (protocol 3.18)
 */
@WithWithers
public record FaultPlan(
    List<HttpFault> http,
    Map<String, Double> dropped,
    double duplicated,
    StatisticsFault statistics,
    Duration linger,
    boolean byteOrderMark,
    boolean noCreatedOn,
    OddAnswers odd,
    LegacyRules legacy,
    int jitConfigsPerSecond,
    int jitRetryAfter,
    Duration runLag,
    int restPerHour)
    implements FaultPlanBuilder.With {

  /** Statistics known to have been wrong in the field (protocol 4.5). */
  public enum StatisticsFault {
    NONE,
    NULL,
    ZERO,
    INFLATED,

    /** No message tells of statistics alone: they travel with job messages. */
    WITH_JOBS_ONLY
  }

  public static final FaultPlan NONE =
      new FaultPlan(
          List.of(),
          Map.of(),
          0,
          StatisticsFault.NONE,
          Duration.ZERO,
          false,
          false,
          OddAnswers.NONE,
          LegacyRules.DEFAULT,
          0,
          0,
          Duration.ZERO,
          RestLimit.USUAL);

  public FaultPlan {
    http = List.copyOf(http);
    dropped = Map.copyOf(dropped);
    dropped.forEach((type, share) -> requireShare(type, share));
    requireShare("duplicated", duplicated);
  }

  /**
   * By the names of the components; what is left out is as in {@link #NONE}.
   *
   * @throws IllegalArgumentException if there is no such component, or it cannot be so
   */
  static FaultPlan of(JsonNode json) {
    var every = HttpFault.answer("*", 500, -1);
    var http =
        json.path("http")
            .valueStream()
            .map(fault -> Json.changed(every, HttpFault.class, fault))
            .toArray(HttpFault[]::new);
    var others = json.isObject() ? ((ObjectNode) json).without("http") : json;
    return Json.changed(NONE, FaultPlan.class, others).withHttp(http);
  }

  private static void requireShare(String name, double share) {
    if (share < 0 || share > 1) {
      throw new IllegalArgumentException(name + ": share " + share + " is not in 0..1");
    }
  }

  public FaultPlan withHttp(HttpFault... value) {
    return withHttp(List.of(value));
  }

  /** {@code share} of the job events of this type is never sent. */
  public FaultPlan withDropped(String messageType, double share) {
    return withDropped(Map.of(messageType, share));
  }

  /**
   * So many JIT configs a second; those beyond them are refused with that Retry-After, 0 for none.
   */
  public FaultPlan withJitConfigsPerSecond(int value, int retryAfter) {
    return withJitConfigsPerSecond(value).withJitRetryAfter(retryAfter);
  }
}
