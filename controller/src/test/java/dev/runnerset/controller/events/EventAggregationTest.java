package dev.runnerset.controller.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.events.EventAggregation.Due;
import dev.runnerset.controller.events.EventAggregation.Key;
import dev.runnerset.controller.events.EventAggregation.Write;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class EventAggregationTest {
  private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
  private static final Key KEY = new Key("uid", "Reason", "");

  private final AtomicInteger ids = new AtomicInteger();
  private final EventAggregation<String> events =
      new EventAggregation<>(() -> "e" + ids.incrementAndGet());

  private Optional<Write> seen(Key key, long seconds) {
    return events.seen(key, "at " + seconds, START.plusSeconds(seconds)).map(Due::write);
  }

  @Test
  void theSameReasonIsOneEventCountedAtMostEveryThirtySeconds() {
    assertThat(seen(KEY, 0)).contains(new Write("e1", 1));
    assertThat(seen(KEY, 1)).isEmpty();
    assertThat(seen(KEY, 29)).isEmpty();
    assertThat(seen(KEY, 30)).contains(new Write("e1", 4));
    assertThat(seen(KEY, 31)).isEmpty();
  }

  private List<Due<String>> due(long seconds) {
    return events.due(START.plusSeconds(seconds));
  }

  /** Eight jobs that were lost within 30 s were one event with the count 1 for ever. */
  @Test
  void ev4WhatWasHeldIsWrittenOnceWhenItIsDueThoughNothingElseHappens() {
    for (int second = 0; second < 8; second++) {
      seen(KEY, second);
    }
    assertThat(due(29)).isEmpty();
    assertThat(due(30)).containsExactly(new Due<>(KEY, "at 7", new Write("e1", 8)));
    assertThat(due(60)).as("it is written").isEmpty();
    assertThat(seen(KEY, 59)).as("30 s after that").isEmpty();
    assertThat(due(60)).containsExactly(new Due<>(KEY, "at 59", new Write("e1", 9)));
  }

  @Test
  void ev4AtTheEndAllThatIsHeldIsWritten() {
    seen(KEY, 0);
    seen(KEY, 1);
    seen(new Key("uid", "Other", ""), 1);
    assertThat(events.all(START.plusSeconds(2)))
        .containsExactly(new Due<>(KEY, "at 1", new Write("e1", 2)));
  }

  @Test
  void afterFifteenQuietMinutesItIsAnotherEvent() {
    seen(KEY, 0);
    assertThat(seen(KEY, 899)).contains(new Write("e1", 2));
    assertThat(seen(KEY, 899 + 900)).contains(new Write("e2", 1));
  }

  @Test
  void anotherReasonObjectOrSubjectIsAnotherEvent() {
    seen(KEY, 0);
    assertThat(seen(new Key("uid", "Other", ""), 0)).contains(new Write("e2", 1));
    assertThat(seen(new Key("uid2", "Reason", ""), 0)).contains(new Write("e3", 1));
    assertThat(seen(new Key("uid", "Reason", "s"), 0)).contains(new Write("e4", 1));
  }

  @Test
  void oneThatCouldNotBeWrittenIsWrittenAgain() {
    seen(KEY, 0);
    events.lost(KEY);
    assertThat(seen(KEY, 1)).contains(new Write("e2", 1));
  }

  @Test
  void onlySoManyAreRemembered() {
    for (int i = 0; i <= EventAggregation.LIMIT; i++) {
      seen(new Key("uid" + i, "Reason", ""), 0);
    }
    assertThat(seen(new Key("uid1", "Reason", ""), 1)).isEmpty();
    assertThat(seen(new Key("uid0", "Reason", ""), 1)).map(Write::count).contains(1);
  }
}
