package dev.runnerset.controller.retention;

import static dev.runnerset.controller.retention.rules.Finished.T0;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class DeletePaceTest {
  private static final Duration BETWEEN = Duration.ofMillis(50);

  @Test
  void theFirstGoesAtOnceTheNextInTurn() {
    var pace = new DeletePace(BETWEEN, 4);
    assertThat(pace.enter("a", T0)).isEmpty();
    assertThat(pace.enter("b", T0)).contains(T0.plusMillis(50));
    assertThat(pace.enter("c", T0)).contains(T0.plusMillis(100));
    assertThat(pace.enter("b", T0.plusMillis(49))).contains(T0.plusMillis(50));
    assertThat(pace.enter("b", T0.plusMillis(50))).isEmpty();
    assertThat(pace.waiting()).isEqualTo(1);
  }

  @Test
  void aPauseIsNotSavedUpForABurst() {
    var pace = new DeletePace(BETWEEN, 4);
    assertThat(pace.enter("a", T0)).isEmpty();
    var later = T0.plusSeconds(60);
    assertThat(pace.enter("b", later)).isEmpty();
    assertThat(pace.enter("c", later)).contains(later.plusMillis(50));
  }

  @Test
  void aSlowServerSlowsUsDown() {
    var pace = new DeletePace(BETWEEN, 2);
    assertThat(pace.enter("a", T0)).isEmpty();
    assertThat(pace.enter("b", T0.plusMillis(50))).isEmpty();
    assertThat(pace.enter("c", T0.plusMillis(100))).contains(T0.plusMillis(150));
    pace.leave();
    assertThat(pace.enter("c", T0.plusMillis(150))).isEmpty();
  }

  @Test
  void placesThatNobodyTakesAreGivenUp() {
    var pace = new DeletePace(BETWEEN, 4);
    for (int i = 0; i < 100; i++) {
      pace.enter("r" + i, T0);
    }
    assertThat(pace.enter("x", T0.plusSeconds(200))).isEmpty();
    assertThat(pace.waiting()).isZero();
  }

  @Test
  void aClockThatIsSetBackHoldsNothingUp() {
    var pace = new DeletePace(BETWEEN, 4);
    assertThat(pace.enter("a", T0)).isEmpty();
    assertThat(pace.enter("b", T0)).isPresent();
    var back = T0.minusSeconds(3600);
    assertThat(pace.enter("b", back)).isEmpty();
    assertThat(pace.enter("c", back)).as("at the same pace").contains(back.plusMillis(50));
  }

  @Test
  void aThreadThatReadTheClockALittleEarlierChangesNothing() {
    var pace = new DeletePace(BETWEEN, 4);
    assertThat(pace.enter("a", T0)).isEmpty();
    assertThat(pace.enter("b", T0.minusMillis(900))).contains(T0.plusMillis(50));
  }

  @Test
  void theControllersDeleteTwentyASecondAndFourAtATime() {
    var pace = new DeletePace();
    assertThat(pace.enter("a", T0)).isEmpty();
    assertThat(pace.enter("b", T0)).contains(T0.plusMillis(50));
    for (int i = 1; i < 4; i++) {
      assertThat(pace.enter("slow-" + i, T0.plusSeconds(i))).isEmpty();
    }
    assertThat(pace.enter("fifth", T0.plusSeconds(9))).isPresent();
  }

  static LongStream seeds() {
    return LongStream.range(0, 50);
  }

  /** Whoever asks, whenever: never two within the interval, never too many at once, all in time. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void aThousandGoEvenly(long seed) {
    var random = new Random(seed);
    var pace = new DeletePace(BETWEEN, 4);
    record Asks(Instant at, String uid) {}
    var queue = new PriorityQueue<Asks>((a, b) -> a.at().compareTo(b.at()));
    for (int i = 0; i < 1000; i++) {
      queue.add(new Asks(T0.plusMillis(random.nextInt(200)), "r" + i));
    }
    var begun = new ArrayList<Instant>();
    var ends = new PriorityQueue<Instant>();
    var asked = new HashMap<String, Integer>();
    while (!queue.isEmpty()) {
      var next = queue.remove();
      while (!ends.isEmpty() && !ends.peek().isAfter(next.at())) {
        ends.remove();
        pace.leave();
      }
      asked.merge(next.uid(), 1, Integer::sum);
      var wait = pace.enter(next.uid(), next.at());
      if (wait.isPresent()) {
        queue.add(new Asks(wait.get(), next.uid()));
      } else {
        begun.add(next.at());
        ends.add(next.at().plusMillis(5 + random.nextInt(40)));
        assertThat(ends.size()).as("seed %d", seed).isLessThanOrEqualTo(4);
      }
    }
    assertThat(begun).as("seed %d", seed).hasSize(1000);
    for (int i = 1; i < begun.size(); i++) {
      assertThat(Duration.between(begun.get(i - 1), begun.get(i)))
          .as("seed %d, deletion %d", seed, i)
          .isGreaterThanOrEqualTo(BETWEEN);
    }
    assertThat(Duration.between(T0, begun.getLast())).isLessThan(Duration.ofSeconds(52));
    assertThat(List.copyOf(asked.values())).as("nobody asks in a loop").allMatch(n -> n <= 3);
  }
}
