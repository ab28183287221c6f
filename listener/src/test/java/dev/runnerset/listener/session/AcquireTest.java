package dev.runnerset.listener.session;

import static dev.runnerset.listener.demand.Heard.counts;
import static dev.runnerset.listener.demand.Heard.message;
import static dev.runnerset.listener.session.FakeWorld.details;
import static dev.runnerset.listener.session.FakeWorld.listener;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.listener.metrics.ListenerMeter;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A service that offers its jobs (DM11), and one that changes its flavour (protocol 0). */
final class AcquireTest {
  private final FakeWorld world = new FakeWorld();

  @Test
  void whatIsOfferedIsAcquiredThenDemandThenAcknowledged() {
    world.service.offered.addAll(List.of(1L, 2L));
    world.started(() -> world.service.say(message("5: v2; available j1#1, available j2#2")));
    world.at(2, () -> world.service.say(message("6: a2; assigned j1#1, assigned j2#2")));
    world.at(3, () -> world.service.say(message("7: a2 r1; started j1#1 on r1")));
    world.run(4);
    assertThat(world.events)
        .containsSubsequence(
            "acquire [1, 2]", "demand 2@5", "ack 5", "poll 5 capacity 10", "ack 6", "start r1")
        .doesNotContain("list offers")
        .filteredOn(e -> e.startsWith("acquire"))
        .hasSize(1);
    assertThat(world.counted(ListenerMeter.OFFERED_JOBS, "acquired")).isEqualTo(2);
  }

  enum Failure {
    UNAVAILABLE(new ServiceError.Unavailable(details(503), null)),
    RATE_LIMITED(new ServiceError.RateLimited(details(429), Duration.ofSeconds(3)));

    final ServiceError error;

    Failure(ServiceError error) {
      this.error = error;
    }
  }

  /** I8: its marks are written all the same. */
  @ParameterizedTest
  @EnumSource
  void aMessageIsNotAcknowledgedBeforeItsOffersAreAnswered(Failure failure) {
    world.service.offered.add(1L);
    world.started(() -> {
      world.service.failures.add(failure.error);
      world.service.say(message("5: a1 v1; started j9#9 on r9, available j1#1"));
    });
    world.run(9);
    var failed = failure.error.getClass().getSimpleName();
    assertThat(world.events)
        .containsSubsequence(
            "start r9", failed, "acquire [1]", "demand 2@5", "poll 0 capacity 10", "ack 5");
    assertThat(world.events.subList(0, world.events.indexOf(failed))).doesNotContain("ack 5");
    assertThat(world.events).filteredOn("acquire [1]"::equals).hasSize(1);
    assertThat(world.counted(ListenerMeter.OFFERED_JOBS, "acquired")).isEqualTo(1);
  }

  @Test
  void anAnswerThatMakesNoSenseDoesNotHoldUpTheQueue() {
    world.started(() -> {
      world.service.failures.add(new ServiceError.Refused(details(400)));
      world.service.say(message("5: v1; available j1#1"));
    });
    world.run(2);
    assertThat(world.events).containsSubsequence("Refused", "ack 5");
  }

  /** DM4: the offer itself says that the zeros are wrong, or older. */
  @ParameterizedTest(name = "won: {0}")
  @ValueSource(booleans = {true, false})
  void anOfferIsAskedForThoughItsMessageCountsNoneAvailable(boolean won) {
    if (won) {
      world.service.offered.add(1L);
    }
    world.started(() -> world.service.say(message("5: a1 r1; started j9#9 on r9")));
    world.at(2, () -> world.service.say(message("6: a0; completed j9#9 on r9, available j1#1")));
    world.run(3);
    assertThat(world.events)
        .containsSubsequence("done r9", "demand 0@6", "acquire [1]", won ? "demand 1@6" : "ack 6");
  }

  @Test
  void offersWithoutAPlaceWaitForAGreaterCapacityOrTheEndOfAJob() {
    world.listener = listener("u1", 1, false);
    world.seen(world.listener);
    world.service.offered.addAll(List.of(1L, 2L, 3L));
    world.started(
        () -> world.service.say(message("5: v3; available #1, available #2, available #3")));
    world.at(2, () -> world.seen(listener("u1", 2, false)));
    world.at(3, () -> world.service.say(message("6: a1 v1 r1; completed #1 on r1")));
    world.run(4);
    assertThat(world.events)
        .filteredOn(e -> !e.startsWith("status") && !e.startsWith("close"))
        .containsExactly(
            "acquire [1]",
            "demand 1@5",
            "ack 5",
            "poll 5 capacity 1",
            "cancel",
            "acquire [2]",
            "demand 2@5",
            "poll 5 capacity 2",
            "done r1",
            "demand 1@6",
            "acquire [3]",
            "demand 2@6",
            "ack 6",
            "poll 6 capacity 2",
            "cancel");
  }

  @Test
  void offersOfBeforeTheSessionAreListed() {
    world.service.offered.addAll(List.of(7L, 8L));
    world.service.atStart = counts("v2");
    world.run(1);
    assertThat(world.events)
        .containsSubsequence(
            "demand 0@0", "list offers", "acquire [7, 8]", "demand 2@0", "poll 0 capacity 10");
  }

  @Test
  void aServiceThatAssignsJobsIsAskedForOffersOnceIfJobsWait() {
    world.run(500);
    assertThat(world.events).doesNotContain("list offers");
    world.service.atStart = counts("v2");
    var waiting = new FakeWorld();
    waiting.service.atStart = counts("v2");
    waiting.run(500);
    assertThat(waiting.events).filteredOn("list offers"::equals).hasSize(1);
    assertThat(waiting.events).noneMatch(e -> e.startsWith("acquire"));
  }

  /** What another set has acquired long since must not stand before what only this one can. */
  @Test
  void offersThatAnotherSetHasAcquiredDoNotHoldUpALaterOne() {
    world.listener = listener("u1", 2, false);
    world.seen(world.listener);
    world.service.ofScaleSet = counts("v1");
    world.started(() -> {
      var gone = IntStream.rangeClosed(1, 40).mapToObj(i -> "available #" + i);
      world.service.say(message("5: v40; " + gone.collect(joining(", "))));
      world.service.offered.add(99L);
    });
    world.at(2, () -> world.service.say(message("6: v1; available #99")));
    world.run(3);
    assertThat(world.events)
        .containsSubsequence("acquire [1, 2]", "list offers", "acquire [99]", "demand 1@5")
        .filteredOn(e -> e.startsWith("acquire"))
        .hasSize(2);
  }

  @Test
  void offersAreForgottenWhenNoneIsAvailable() {
    world.listener = listener("u1", 0, false);
    world.seen(world.listener);
    world.started(() -> world.service.say(message("5: v1; available #1")));
    world.at(2, () -> world.service.say(message("6: v0")));
    world.at(3, () -> world.seen(listener("u1", 2, false)));
    world.run(4);
    assertThat(world.events).contains("ack 6").noneMatch(e -> e.startsWith("acquire"));
  }

  /** A call that fails for hours stops neither polls nor marks; the set says why jobs wait. */
  @Test
  void aPollGoesOnWhileOffersCannotBeAcquired() {
    world.listener = listener("u1", 0, false);
    world.seen(world.listener);
    world.service.offered.add(1L);
    world.started(() -> world.service.say(message("5: v1; available #1")));
    world.at(
        2,
        () -> {
          world.service.failures.add(new ServiceError.Unavailable(details(503), null));
          world.seen(listener("u1", 2, false));
        });
    world.at(3, () -> world.service.say(message("6: a1 r1 v1; started j9 on r9")));
    world.run(5);
    assertThat(world.events)
        .containsSubsequence("Unavailable", "poll 5 capacity 2", "start r9", "acquire [1]", "ack 6")
        .anyMatch(e -> e.contains("MessagesApplied=Unavailable"));
    assertThat(world.condition("MessagesApplied").getStatus()).isEqualTo("True");
  }

  @Test
  void aListThatCannotBeReadKeepsNobodyFromPolling() {
    world.service.atStart = counts("v2");
    world.service.offered.add(1L);
    world.service.failsToList = 1;
    world.run(120);
    assertThat(world.events)
        .containsSubsequence("Unavailable", "poll 0 capacity 10", "list offers", "acquire [1]");
  }

  /** The ids begin small again while jobs run, and the session may have survived. */
  @Test
  void aServiceThatOffersJobsFromNowOnNeedsNoRestart() {
    world.started(
        () -> world.service.say(message("100000007: a2 r2; started j1 on r1, started j2 on r2")));
    world.service.offered.add(1L);
    world.at(
        3, () -> world.service.say(message("4: a1 r1 v1; completed j1 on r1, available j3#1")));
    world.run(60);
    assertThat(world.events)
        .containsSubsequence(
            "demand 2@100000007",
            "ack 100000007",
            "poll 100000007 capacity 10",
            "poll 0 capacity 10",
            "done r1",
            "demand 1@1000000000004",
            "acquire [1]",
            "demand 2@1000000000004",
            "ack 4");
  }

  @Test
  void aServiceThatAssignsJobsFromNowOnNeedsNoRestart() {
    world.service.offered.add(1L);
    world.started(() -> world.service.say(message("4: v1; available j3#1")));
    world.at(2, () -> world.service.say(message("5: a1 r1; assigned j3#1, started j3#1 on r1")));
    world.at(3, () -> world.service.say(message("100000001: a1; completed j3 on r1, assigned j4")));
    world.run(4);
    assertThat(world.events)
        .containsSubsequence(
            "demand 1@4", "start r1", "done r1", "demand 1@100000001", "ack 100000001");
  }
}
