package dev.runnerset.controller.audit;

import dev.runnerset.base.Pure;
import dev.runnerset.base.RequeueTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the service is asked about the registrations of a set, and when.
 *
 * <p>A pass asks for the counts while they leave a question open: a runner is not known to be
 * online, or a job waits beside an idle one (RN7, RN19). The service reports counts with messages
 * about jobs; that it reports a runner that comes online is not certain.
 *
 * <p>A sweep asks nothing while the counts agree with the resources and are later than the last
 * change of the runners: a set that stands still is asked for once after each time of change, and
 * then no more; one that never stands still, again and again. Counts that disagree twice begin a
 * search (RN20).
 */
@Pure
public final class RegistrationAudit {
  private RegistrationAudit() {}

  /** What to do about a set. */
  public enum Step {
    /** Nothing: the counts agree, or it is too early. */
    NOTHING,
    /** Read the service's counts. */
    READ_COUNTS,
    /** Search the list of registrations for those without a resource. */
    LIST_REGISTRATIONS,
    /** Ask the service about runners that it may not know. */
    ASK_ABOUT_RUNNERS
  }

  /**
   * What to do now.
   *
   * @param state what is known after that; a pass changes nothing of it
   * @param requeue when a pass must come again without an event
   */
  public record Decision(Step step, AuditState state, RequeueTime requeue) {
    private static Decision of(Step step, AuditState state) {
      return new Decision(step, state, RequeueTime.NEVER);
    }
  }

  /** Has the counts read while a question is open; the end of that reading brings a pass. */
  public static Decision answerQuestions(
      @Nullable ServiceCounts counts, AuditState state, Instant now) {
    var open = state.openSince();
    if (open.isEmpty()) {
      return Decision.of(Step.NOTHING, state);
    }
    boolean isDoubted = state.strand() != null || (counts != null && counts.offline() > 0);
    var pause = (isDoubted ? AuditTimes.READ_IN_DOUBT : AuditTimes.READ).after(state.reads());
    var due =
        latest(
            open.get().plus(AuditTimes.FIRST_READ),
            counts == null ? Instant.EPOCH : counts.observedAt().plus(AuditTimes.FIRST_READ),
            state.reads() == 0 ? Instant.EPOCH : state.readAt().plus(pause),
            state.isReading() ? now.plus(AuditTimes.FIRST_READ) : Instant.EPOCH);
    return now.isBefore(due)
        ? new Decision(Step.NOTHING, state, RequeueTime.at(due))
        : Decision.of(Step.READ_COUNTS, state);
  }

  /**
   * Has the counts read, or a search begun, where they disagree with the resources.
   *
   * @param compared of those counts
   */
  public static Decision compare(
      @Nullable ServiceCounts counts, Compared compared, AuditState before, Instant now) {
    var doubt = before.doubt().with(compared);
    if (counts == null || compared.isOpen() || counts.observedAt().isBefore(doubt.countsFrom())) {
      var first = doubt.since();
      var due = first == null ? doubt.calmUntil() : first.plus(AuditTimes.CONFIRMED_AFTER);
      return read(before.with(doubt), due, now);
    }
    var at = counts.observedAt();
    var state = before.with(doubt.counted(compared.agrees(), at));
    var since = state.doubt().since();
    if (since == null) {
      return Decision.of(Step.NOTHING, state);
    }
    if (at.isBefore(since.plus(AuditTimes.CONFIRMED_AFTER))) {
      return read(state, at.plus(AuditTimes.CONFIRMED_AFTER), now);
    }
    if (now.isBefore(doubt.searchFrom())) {
      return Decision.of(Step.NOTHING, state);
    }
    if (at.isBefore(now.minus(AuditTimes.FRESH_FOR_SEARCH))) {
      return read(state, now, now);
    }
    return Decision.of(
        compared.excess() > 0 ? Step.LIST_REGISTRATIONS : Step.ASK_ABOUT_RUNNERS, state);
  }

  private static Decision read(AuditState state, Instant due, Instant now) {
    boolean waits = state.isReading() || now.isBefore(latest(due, state.doubt().readFrom()));
    return waits
        ? Decision.of(Step.NOTHING, state)
        : Decision.of(Step.READ_COUNTS, state.with(state.doubt().reading(now)));
  }

  private static Instant latest(Instant... times) {
    return Stream.of(times).max(Comparator.naturalOrder()).orElseThrow();
  }
}
