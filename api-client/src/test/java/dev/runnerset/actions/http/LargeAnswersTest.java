package dev.runnerset.actions.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A1: what the answers under way take together is bounded, and a slow one holds up nobody. */
final class LargeAnswersTest {
  private static final int STEP = LargeAnswers.STEP;

  private final AtomicLong nanos = new AtomicLong();
  private final LargeAnswers answers =
      new LargeAnswers(2L * STEP, Duration.ofSeconds(2), nanos::get);
  private final List<String> givenUp = new ArrayList<>();

  private LargeAnswers.Place place(String name) {
    return answers.begin(() -> givenUp.add(name), () -> false);
  }

  @Test
  void theFirstStepIsForNothing() throws IOException {
    for (int i = 0; i < 100; i++) {
      place("small").grow(STEP);
    }
    assertThat(answers.takenBytes()).isZero();
  }

  @Test
  void whatAnAnswerTookIsThereAgainAfterIt() throws IOException {
    for (int i = 0; i < 100; i++) {
      try (var large = place("large")) {
        for (int step = 0; step < 3; step++) {
          large.grow(STEP);
        }
        assertThat(large.<Integer>alone(() -> 7)).isEqualTo(7);
      }
    }
    assertThat(answers.takenBytes()).isZero();
  }

  @Test
  void theSlowestIsGivenUpForOneThatComes() throws IOException {
    var drips = place("drips");
    drips.grow(STEP);
    drips.grow(STEP);
    drips.grow(STEP);
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    var honest = answers.begin(() -> {}, () -> !givenUp.isEmpty());
    honest.grow(STEP);
    assertThatThrownBy(() -> honest.grow(STEP)).isInstanceOf(IOException.class);
    assertThat(givenUp).containsExactly("drips");
    assertThat(drips.isTaken()).isTrue();
    assertThatThrownBy(() -> drips.grow(STEP)).hasMessageContaining("came slowly");
    drips.close();
    place("next").grow(STEP);
    assertThat(answers.takenBytes()).isZero();
  }

  @Test
  void anAnswerThatIsThereIsNotGivenUp() throws IOException {
    var there = place("there");
    there.grow(STEP);
    there.grow(STEP);
    there.grow(STEP);
    var looks = new AtomicLong();
    assertThat(
            there.<Boolean>alone(() -> {
              nanos.addAndGet(Duration.ofSeconds(9).toNanos());
              var other = answers.begin(() -> {}, () -> looks.incrementAndGet() > 3);
              other.grow(STEP);
              assertThatThrownBy(() -> other.grow(STEP)).hasMessage("cancelled");
              return true;
            }))
        .isTrue();
    assertThat(givenUp).isEmpty();
  }
}
