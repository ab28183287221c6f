package dev.runnerset.controller.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceError;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the service refuses to runners: when it stands, of which set, and when it is forgotten. */
class RefusalBookTest {
  private static final Instant T0 = Instant.parse("2026-11-22T08:00:00Z");
  private static final ScaleSetId OURS = new ScaleSetId(1);
  private static final ScaleSetId THEIRS = new ScaleSetId(2);
  private static final ScaleSetId REMOVALS = new ScaleSetId(0);

  private final RefusalBook book = new RefusalBook();

  private static ServiceError error(String kind) {
    int status = kind.equals("silence") ? 0 : 500;
    var details = new ServiceError.Details("POST x", status, "", kind, "", "");
    return switch (kind) {
      case "401" -> new ServiceError.Unauthorized(details);
      case "403" -> new ServiceError.Forbidden(details);
      case "429 for the pace" -> new ServiceError.RateLimited(details, Duration.ofSeconds(1));
      case "429" -> new ServiceError.RateLimited(details, Duration.ofMinutes(1));
      default -> new ServiceError.Unavailable(details, null);
    };
  }

  private @Nullable ServiceError standing(ScaleSetId id, Instant now) {
    return book.standing(id, now);
  }

  @ParameterizedTest(name = "{0} stands after {1}")
  @CsvSource({"401, 2", "403, 2", "500, 2", "429, 1", "429 for the pace, 5", "silence, 1"})
  void aSlipStandsFromTheSecondTimeOn(String kind, int times) {
    for (int i = 1; i <= times; i++) {
      book.refused(OURS, error(kind), T0);
      assertThat(standing(OURS, T0) != null).isEqualTo(i >= times);
    }
    assertThat(standing(THEIRS, T0)).as("of another set with that secret").isNull();
    book.allowed(OURS);
    assertThat(standing(OURS, T0)).isNull();
  }

  @Test
  void aRefusedRemovalIsReportedOfAllUntilOneIsLetThrough() {
    book.refused(REMOVALS, error("403"), T0);
    book.refused(REMOVALS, error("403"), T0);
    assertThat(standing(OURS, T0)).isNotNull();
    assertThat(standing(THEIRS, T0)).isNotNull();
    book.allowed(THEIRS);
    assertThat(standing(OURS, T0)).isNull();
  }

  @Test
  void nobodyAsksForLongAndItIsForgotten() {
    book.refused(OURS, error("401"), T0);
    book.refused(OURS, error("401"), T0);
    var end = T0.plus(ConnectionTimes.REFUSAL_FORGOTTEN_AFTER);
    assertThat(standing(OURS, end.minusSeconds(1))).isNotNull();
    assertThat(standing(OURS, end)).isNull();
    book.refused(OURS, error("401"), end);
    assertThat(standing(OURS, end)).as("the count starts over").isNull();
  }

  /** A condition shows the same text while a refusal stands, but the newest end of a limit. */
  @Test
  void theTextStaysWhileTheKindDoes() {
    var first = error("401");
    book.refused(OURS, first, T0);
    book.refused(OURS, error("401"), T0);
    assertThat(standing(OURS, T0)).isSameAs(first);
    var limit = error("429");
    book.refused(OURS, limit, T0);
    assertThat(standing(OURS, T0)).isSameAs(limit);
    var newer = error("429");
    book.refused(OURS, newer, T0);
    assertThat(standing(OURS, T0)).isSameAs(newer);
  }

  /** Hundreds of runners wait: one of them tries, every five seconds. */
  @Test
  void whileARefusalStandsOneRegistrationIsTriedAtATime() {
    assertThat(book.heldBack(OURS, T0)).isNull();
    book.tried(OURS, T0);
    book.refused(OURS, error("silence"), T0);
    var next = T0.plus(ConnectionTimes.REFUSED_TRIED_EVERY);
    assertThat(book.heldBack(OURS, next.minusSeconds(1)))
        .as("until the next may try")
        .isEqualTo(new JitWait(next, error("silence")));
    assertThat(book.heldBack(OURS, next)).isNull();
    book.tried(OURS, next);
    assertThat(book.heldBack(OURS, next)).as("that one is under way").isNotNull();
    assertThat(book.heldBack(THEIRS, next)).isNull();
    book.allowed(OURS);
    assertThat(book.heldBack(OURS, next)).isNull();
  }

  @Test
  void aRateLimitHoldsNothingBackHere() {
    book.tried(OURS, T0);
    book.refused(OURS, error("429"), T0);
    assertThat(standing(OURS, T0)).as("but it is reported").isNotNull();
    assertThat(book.heldBack(OURS, T0)).isNull();
  }
}
