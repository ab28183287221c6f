package dev.runnerset.controller.features.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.ScheduleWindow;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Windows around changes of clocks, against a clock on the wall that is looked at each minute:
 * random expressions, in zones whose clocks change at night, at midnight, by half an hour, by a
 * day, and never.
 */
final class ClocksChangeTest {
  private static final Duration BEFORE = Duration.ofDays(5);
  private static final Duration AROUND = Duration.ofDays(2);

  private static final String[] CHANGES = {
    "Europe/Berlin 2026-03-29T01:00:00Z",
    "Europe/Berlin 2026-10-25T01:00:00Z",
    "America/New_York 2026-03-08T07:00:00Z",
    "America/New_York 2026-11-01T06:00:00Z",
    "Australia/Lord_Howe 2026-04-04T15:00:00Z",
    "Australia/Lord_Howe 2026-10-03T15:30:00Z",
    "Africa/Cairo 2024-04-25T22:00:00Z",
    "America/Sao_Paulo 2018-02-18T02:00:00Z",
    "Pacific/Apia 2011-12-30T10:00:00Z",
    "Asia/Kathmandu 2026-03-29T01:00:00Z"
  };

  /** A field of an expression: the values it allows; all of them is a star. */
  private record Field(TreeSet<Integer> values, int from, int to) {
    static Field random(Random random, int from, int to, int atMost) {
      var values = new TreeSet<Integer>();
      if (random.nextInt(3) > 0) {
        for (int i = random.nextInt(atMost); i >= 0; i--) {
          values.add(from + random.nextInt(to - from + 1));
        }
      }
      return new Field(values, from, to);
    }

    boolean isStar() {
      return values.isEmpty();
    }

    boolean allows(int value) {
      return isStar() || values.contains(value);
    }

    @Override
    public String toString() {
      return isStar() ? "*" : values.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
  }

  private record Expression(Field minute, Field hour, Field day, Field weekday) {
    static Expression random(Random random) {
      return new Expression(
          Field.random(random, 0, 59, 3),
          Field.random(random, 0, 5, 3),
          Field.random(random, 1, 31, 8),
          Field.random(random, 0, 6, 3));
    }

    boolean names(LocalDateTime time) {
      boolean onDay = day.allows(time.getDayOfMonth());
      boolean onWeekday = weekday.allows(time.getDayOfWeek().getValue() % 7);
      boolean today = day.isStar() || weekday.isStar() ? onDay && onWeekday : onDay || onWeekday;
      return minute.allows(time.getMinute()) && hour.allows(time.getHour()) && today;
    }

    String text() {
      return minute + " " + hour + " " + day + " * " + weekday;
    }
  }

  static Stream<Integer> seeds() {
    return IntStream.range(0, Integer.getInteger("seeds", 40)).boxed();
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aWindowIsOpenAsAClockOnTheWallSays(int seed) {
    var random = new Random(seed);
    var change = CHANGES[seed % CHANGES.length].split(" ");
    var zone = ZoneId.of(change[0]);
    var at = Instant.parse(change[1]);
    var expression = Expression.random(random);
    int minutes = 1 + random.nextInt(random.nextBoolean() ? 90 : 2_900);
    var spec = new ScheduleWindow("w", change[0], expression.text(), minutes + "m", 1, null);
    var window = Window.of("w", spec);
    var from = at.minus(BEFORE);
    var until = at.plus(AROUND).plus(AROUND);
    var starts = starts(expression, zone, from, until);
    for (int i = 0; i < 60; i++) {
      var wide = random.nextInt(3) == 0 ? AROUND : Duration.ofHours(2);
      long span = wide.toSeconds();
      var now = at.plusSeconds(random.nextLong(-span, span));
      var found = window.at(now);
      var why = "seed %d: %s for %dm in %s at %s".formatted(seed, spec.start(), minutes, zone, now);
      assertThat(found.open()).as(why).isEqualTo(isOpen(starts, minutes, now));
      var seen = found.until().isBefore(until) ? found.until() : until;
      var wrong =
          Stream.iterate(now, each -> each.isBefore(seen), each -> each.plusSeconds(3_571))
              .filter(each -> isOpen(starts, minutes, each) != found.open());
      assertThat(wrong.findFirst()).as(why).isEmpty();
      if (found.until().isBefore(until) && found.changes()) {
        var last = found.until().minusMillis(1);
        assertThat(isOpen(starts, minutes, last)).as(why + ", before").isEqualTo(found.open());
        assertThat(isOpen(starts, minutes, found.until()))
            .as(why + ", then")
            .isNotEqualTo(found.open());
      }
    }
  }

  /** The starts, by reading a clock each minute. */
  private static NavigableSet<Instant> starts(
      Expression expression, ZoneId zone, Instant from, Instant until) {
    var starts = new TreeSet<Instant>();
    var seen = new HashSet<LocalDateTime>();
    var next = LocalDateTime.ofInstant(from, zone);
    for (var now = from; now.isBefore(until); now = now.plusSeconds(60)) {
      var shown = LocalDateTime.ofInstant(now, zone);
      boolean begins = false;
      for (; !next.isAfter(shown); next = next.plusMinutes(1)) { // what the clock skipped, too
        begins |= seen.add(next) && expression.names(next);
      }
      if (begins) {
        starts.add(now);
      }
    }
    return starts;
  }

  private static boolean isOpen(NavigableSet<Instant> starts, int minutes, Instant now) {
    var last = starts.floor(now); // all windows are equally long
    return last != null && now.isBefore(last.plusSeconds(60L * minutes));
  }
}
