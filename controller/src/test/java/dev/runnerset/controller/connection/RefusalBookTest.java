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
import org.junit.jupiter.params.provider.ValueSource;

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
      case "429" -> new ServiceError.RateLimited(details, Duration.ofMinutes(1));
      default -> new ServiceError.Unavailable(details, null);
    };
  }

  private @Nullable ServiceError standing(ScaleSetId id, Instant now) {
    return book.standing(id, now);
  }

  @ParameterizedTest(name = "{0} stands after {1}")
  @CsvSource({"401, 2", "403, 2", "500, 2", "silence, 1"})
  void aSlipStandsFromTheSecondTimeOn(String kind, int times) {
    for (int i = 1; i <= 2; i++) {
      book.refused(OURS, error(kind), T0);
      assertThat(standing(OURS, T0) != null).isEqualTo(i >= times);
    }
    assertThat(standing(THEIRS, T0)).as("of another set with that secret").isNull();
    book.allowed(OURS, T0);
    assertThat(standing(OURS, T0)).isNull();
  }

  @Test
  void aRefusedRemovalIsReportedOfAllUntilOneIsLetThrough() {
    book.refused(REMOVALS, error("403"), T0);
    book.refused(REMOVALS, error("403"), T0);
    assertThat(standing(OURS, T0)).isNotNull();
    assertThat(standing(THEIRS, T0)).isNotNull();
    book.allowed(THEIRS, T0);
    assertThat(standing(OURS, T0)).isNull();
  }

  @Test
  void nobodyAsksForLongAndItIsForgotten() {
    book.refused(OURS, error("401"), T0);
    book.refused(OURS, error("401"), T0);
    var end = T0.plus(RunnerRefusals.FORGOTTEN_AFTER);
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
    var next = T0.plus(RefusalBook.TRIED_EVERY);
    assertThat(book.heldBack(OURS, next.minusSeconds(1)))
        .as("until the next may try")
        .isEqualTo(new JitWait(next, error("silence")));
    assertThat(book.heldBack(OURS, next)).isNull();
    book.tried(OURS, next);
    assertThat(book.heldBack(OURS, next)).as("that one is under way").isNotNull();
    assertThat(book.heldBack(THEIRS, next)).isNull();
    book.allowed(OURS, T0);
    assertThat(book.heldBack(OURS, next)).isNull();
  }

  private static ServiceError limit(int status, int retryAfter) {
    return new ServiceError.RateLimited(
        new ServiceError.Details("POST x", status, "", "slow", "", ""),
        retryAfter == 0 ? null : Duration.ofSeconds(retryAfter));
  }

  /** The set is as ready as before: its runners start at the pace of the service. */
  @ParameterizedTest(name = "Retry-After {0}")
  @ValueSource(ints = {0, 1, 5})
  void cn2ALimitThatSetsThePaceIsNoRefusalWhileRunnersAreRegistered(int retryAfter) {
    for (int i = 0; i < 60; i++) {
      var now = T0.plusSeconds(i);
      book.refused(OURS, limit(429, retryAfter), now);
      book.refused(OURS, limit(429, retryAfter), now);
      assertThat(standing(OURS, now)).isNull();
      if (i % 8 == 0) {
        book.allowed(OURS, now);
      }
    }
  }

  @Test
  void cn2ALimitThatLetsNothingThroughStandsAfterTenSeconds() {
    book.refused(OURS, limit(429, 1), T0);
    book.refused(OURS, limit(429, 1), T0.plusSeconds(9));
    assertThat(standing(OURS, T0.plusSeconds(9))).isNull();
    book.refused(OURS, limit(429, 1), T0.plusSeconds(10));
    assertThat(standing(OURS, T0.plusSeconds(10))).isNotNull();
    book.allowed(OURS, T0.plusSeconds(10));
    assertThat(standing(OURS, T0.plusSeconds(10))).isNull();
  }

  /** Answers to calls that were under way, and tries that are kept back, do not change it. */
  @Test
  void cn2ALongerWaitStandsUntilItIsOver() {
    book.refused(OURS, limit(429, 10), T0);
    book.allowed(OURS, T0);
    assertThat(standing(OURS, T0)).isNotNull();
    book.refused(OURS, limit(0, 4), T0.plusSeconds(6));
    assertThat(standing(OURS, T0.plusSeconds(6))).isNotNull();
    book.allowed(OURS, T0.plusSeconds(9));
    assertThat(standing(OURS, T0.plusSeconds(9))).isNotNull();
    book.allowed(OURS, T0.plusSeconds(10));
    assertThat(standing(OURS, T0.plusSeconds(10))).isNull();
  }

  @Test
  void cn2AWaitThatWasNotedBeforeTheClockWasPutBackEndsWithTheNextRunner() {
    book.refused(OURS, limit(429, 10), T0);
    book.allowed(OURS, T0.minusSeconds(3600));
    assertThat(standing(OURS, T0.minusSeconds(3600))).isNull();
  }

  @Test
  void aRateLimitHoldsNothingBackHere() {
    book.tried(OURS, T0);
    book.refused(OURS, error("429"), T0);
    assertThat(standing(OURS, T0)).as("but it is reported").isNotNull();
    assertThat(book.heldBack(OURS, T0)).isNull();
  }
}
