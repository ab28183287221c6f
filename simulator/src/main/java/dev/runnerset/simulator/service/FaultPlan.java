package dev.runnerset.simulator.service;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Which faults are on (protocol 7.5).
 *
 * @param http answers that go wrong
 * @param dropped share of job events that are never sent, by message type ({@code JobStarted}, ...)
 * @param duplicated share of job events that are sent twice
 * @param statistics what is told as statistics
 * @param linger how long a runner stays registered and busy after its job
 * @param byteOrderMark every JSON answer starts with one
 * @param unknownMessages every envelope also carries an element of an unknown type
 * @param odd what answers about sessions and messages lack
 * @param idGap message ids skipped before each envelope
 */
public record FaultPlan(
    List<HttpFault> http,
    Map<String, Double> dropped,
    double duplicated,
    StatisticsFault statistics,
    Duration linger,
    boolean byteOrderMark,
    boolean unknownMessages,
    OddAnswers odd,
    int idGap) {

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
          0);

  public FaultPlan {
    http = List.copyOf(http);
    dropped = Map.copyOf(dropped);
    dropped.forEach((type, share) -> requireShare(type, share));
    requireShare("duplicated", duplicated);
  }

  private static void requireShare(String name, double share) {
    if (share < 0 || share > 1) {
      throw new IllegalArgumentException(name + ": share " + share + " is not in 0..1");
    }
  }

  public FaultPlan withHttp(HttpFault... values) {
    return with(draft -> draft.http = List.of(values));
  }

  /** {@code share} of the job events of this type is never sent. */
  public FaultPlan withDropped(String messageType, double share) {
    return with(draft -> draft.dropped = Map.of(messageType, share));
  }

  public FaultPlan withDuplicated(double share) {
    return with(draft -> draft.duplicated = share);
  }

  public FaultPlan withStatistics(StatisticsFault value) {
    return with(draft -> draft.statistics = value);
  }

  public FaultPlan withLinger(Duration value) {
    return with(draft -> draft.linger = value);
  }

  public FaultPlan withByteOrderMark(boolean value) {
    return with(draft -> draft.byteOrderMark = value);
  }

  public FaultPlan withOdd(OddAnswers value) {
    return with(draft -> draft.odd = value);
  }

  private FaultPlan with(Consumer<Draft> change) {
    var draft = new Draft(this);
    change.accept(draft);
    return draft.plan();
  }

  /** The values of a plan, to be changed. */
  private static final class Draft {
    private final FaultPlan before;
    private List<HttpFault> http;
    private Map<String, Double> dropped;
    private double duplicated;
    private StatisticsFault statistics;
    private Duration linger;
    private boolean byteOrderMark;
    private OddAnswers odd;

    Draft(FaultPlan before) {
      this.before = before;
      http = before.http;
      dropped = before.dropped;
      duplicated = before.duplicated;
      statistics = before.statistics;
      linger = before.linger;
      byteOrderMark = before.byteOrderMark;
      odd = before.odd;
    }

    FaultPlan plan() {
      return new FaultPlan(
          http,
          dropped,
          duplicated,
          statistics,
          linger,
          byteOrderMark,
          before.unknownMessages,
          odd,
          before.idGap);
    }
  }
}
