package dev.runnerset.controller.features.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AutoScalingRunnerSetSpec;
import dev.runnerset.crds.AutoScalingRunnerSetSpecBuilder;
import dev.runnerset.crds.NameReference;
import dev.runnerset.crds.ScheduleWindow;
import dev.runnerset.crds.StoredTemplate;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of a schedule at an instant; of the spec, 2 and 10. */
final class ScheduledLimitsTest {
  private static final ScheduleWindow OFFICE = window("office", "0 7 * * 1-5", "12h", 5, 20);
  private static final ScheduleWindow NIGHT = window("night", "30 2 * * *", "2h", null, 4);

  private static ScheduleWindow window(
      String name,
      String start,
      String duration,
      @Nullable Integer minRunners,
      @Nullable Integer maxRunners) {
    return new ScheduleWindow(name, "Europe/Berlin", start, duration, minRunners, maxRunners);
  }

  private static ScheduledLimits limits(String now, ScheduleWindow... schedule) {
    return ScheduledLimits.of(spec(schedule), Instant.parse(now));
  }

  private static AutoScalingRunnerSetSpec spec(ScheduleWindow... schedule) {
    return AutoScalingRunnerSetSpecBuilder.builder()
        .githubConfigUrl("https://github.com/my-org")
        .githubConfigSecret(new NameReference("github"))
        .minRunners(2)
        .maxRunners(10)
        .schedule(List.of(schedule))
        .template(StoredTemplate.of(new PodTemplateSpec()))
        .build();
  }

  @Test
  void sc1TheStatusShowsNoMoreIdleRunnersThanThereMayBeRunners() {
    var many = window("many", "0 0 * * *", "23h", 9, null);
    var few = window("few", "0 0 * * *", "23h", null, 6);
    var status = limits("2026-11-23T10:00:00Z", many, few).status();
    assertThat(status.minRunners()).isEqualTo(6);
    assertThat(status.maxRunners()).isEqualTo(6);
  }

  private static final Map<String, ScheduleWindow> WINDOWS =
      Stream.of(
              OFFICE,
              NIGHT,
              window("low", "0 0 * * *", "24h", 0, null),
              window("all", "0 9 * * *", "3h", 1, 1),
              window("after", "0 12 * * *", "3h", 5, 20),
              window("before", "0 9 * * *", "3h", 5, 20),
              window("shift", "0 19 * * 6", "16h", 5, 20),
              window("hours", "0 * * * *", "1h", 5, null),
              window("halves", "0 * * * *", "30m", 5, null))
          .collect(Collectors.toMap(ScheduleWindow::name, window -> window));

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        // windows at an instant: minimum, maximum, open windows, next change
        // in winter Berlin is an hour ahead of UTC; 2026-11-23 is a Monday
        "before           | 2026-11-23T05:59:59Z | office | 2 10 [] 2026-11-23T06:00:00Z",
        "start            | 2026-11-23T06:00:00Z | office | 5 20 [office] 2026-11-23T18:00:00Z",
        "last             | 2026-11-23T17:59:59Z | office | 5 20 [office] 2026-11-23T18:00:00Z",
        "end              | 2026-11-23T18:00:00Z | office | 2 10 [] 2026-11-24T06:00:00Z",
        "over the weekend | 2026-11-27T18:00:00Z | office | 2 10 [] 2026-11-30T06:00:00Z",
        "no schedule      | 2026-11-23T12:00:00Z |        | 2 10 [] null",
        // where a window sets one limit only, the other one stays
        "one limit        | 2026-11-23T02:00:00Z | night | 2 4 [night] 2026-11-23T03:30:00Z",
        // the clocks go from 02:00 to 03:00 at 01:00 UTC: the night begins then, and lasts 2 h
        "gap, before      | 2026-03-29T00:59:59Z | night | 2 10 [] 2026-03-29T01:00:00Z",
        "gap, start       | 2026-03-29T01:00:00Z | night | 2 4 [night] 2026-03-29T03:00:00Z",
        "gap, end         | 2026-03-29T03:00:00Z | night | 2 10 [] 2026-03-30T00:30:00Z",
        // elapsed time: from 07:00 in winter to what is 19:00 then and 20:00 by the new clock
        "over the change  | 2026-03-28T20:00:00Z | shift | 5 20 [shift] 2026-03-29T10:00:00Z",
        "summer           | 2026-03-30T04:59:59Z | office | 2 10 [] 2026-03-30T05:00:00Z",
        // they go back from 03:00 to 02:00 at 01:00 UTC: 02:30 is at 00:30 and at 01:30
        "overlap, first   | 2026-10-25T00:30:00Z | night | 2 4 [night] 2026-10-25T02:30:00Z",
        "overlap, second  | 2026-10-25T01:30:00Z | night | 2 4 [night] 2026-10-25T02:30:00Z",
        "overlap, end     | 2026-10-25T02:30:00Z | night | 2 10 [] 2026-10-26T01:30:00Z",
        // the first open window that has the limit
        "overlap of two   | 2026-11-23T09:00:00Z | low all | 0 1 [low, all] 2026-11-23T11:00:00Z",
        "other order      | 2026-11-23T09:00:00Z | all low | 1 1 [all, low] 2026-11-23T11:00:00Z",
        "one follows | 2026-11-23T10:59:59Z | before after | 5 20 [before] 2026-11-23T11:00:00Z",
        "the next    | 2026-11-23T11:00:00Z | before after | 5 20 [after] 2026-11-23T14:00:00Z",
        // a window that begins again before it ends never closes: nobody can tell a change
        "always           | 2026-11-23T09:17:00Z | hours | 5 10 [hours] null",
        "never again      | 2026-11-23T09:40:00Z | halves | 2 10 [] 2026-11-23T10:00:00Z",
      })
  void limitsFollowTheSchedule(String rule, String now, @Nullable String names, String expected) {
    var schedule = names == null ? Stream.<String>empty() : Stream.of(names.split(" "));
    var found = limits(now, schedule.map(WINDOWS::get).toArray(ScheduleWindow[]::new));
    var min = found.minRunners().value();
    var max = found.maxRunners().value();
    assertThat("%s %s %s %s".formatted(min, max, found.open(), found.nextChange()))
        .as(rule)
        .isEqualTo(expected);
    assertThat(found.problems()).isEmpty();
  }

  @Test
  void aWindowWhoseEndIsNotKnownIsLookedAtAgain() {
    var always = limits("2026-11-23T09:17:00Z", window("hours", "0 * * * *", "1h", 5, null));
    assertThat(always.requeueAt().at()).isEqualTo("2026-11-25T12:00:00Z");
    assertThat(limits("2026-11-23T09:17:00Z").requeueAt().isNever()).isTrue();
  }

  @Test
  void aLimitNamesItsField() {
    var night = limits("2026-11-23T02:00:00Z", OFFICE, NIGHT);
    assertThat(night.minRunners().field()).isEqualTo("spec.minRunners");
    assertThat(night.maxRunners().field()).isEqualTo("maxRunners of spec.schedule[1] 'night'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0 7 * * 1-5 | 12h | Europe/Berln | timeZone 'Europe/Berln' is unknown: write a name of",
        "0 7 * * 1-5 | 12h |  | timeZone '' is unknown",
        "0 25 * * * | 12h | UTC | start '0 25 * * *' is no cron expression (Value 25 not in range [0, 23])",
        "0 7 * * | 12h | UTC | (Cron expression contains 4 parts but we expect one of [5])",
        "0 7 * * * * | 12h | UTC | (Cron expression contains 6 parts but we expect one of [5])",
        " | 12h | UTC | (Empty expression!): write minute hour day month weekday, as 0 7 * * 1-5",
        "@daily | 12h | UTC | (a character of it has no meaning)",
        "0 7 * * 1||0 8 * * 2 | 12h | UTC | (a character of it has no meaning)",
        "0|5 7 * * 1 | 12h | UTC | (a character of it has no meaning)",
        "0 7 30 2 * | 12h | UTC | (no month has that day)",
        "0 7 31 4,6,9,11 * | 12h | UTC | (no month has that day)",
        "0 7 L * * | 12h | UTC | is no cron expression",
        "0 22-2 * * * | 12h | UTC | (Invalid range! [22,2])",
        "0 7 * * * | 0s | UTC | duration '0s' is not one: write how long it holds, as 12h",
        "0 7 * * * | a day | UTC | duration 'a day' is not one"
      })
  void aWindowThatCannotBeReadIsReportedAndTheOthersHold(String given) {
    var parts = given.split(" \\| ", -1);
    var bad = new ScheduleWindow("bad", parts[2], parts[0], parts[1], 7, 7);
    var found = limits("2026-11-23T09:00:00Z", bad, OFFICE);
    assertThat(found.open()).containsExactly("office");
    assertThat(found.problems())
        .singleElement()
        .asString()
        .startsWith("spec.schedule[0] 'bad': ")
        .contains(parts[3])
        .endsWith("; until then it never opens");
  }

  @Test
  void aWindowThatHoldsLessThanItSaysIsReported() {
    var empty = window("empty", "0 7 * * *", "12h", null, null);
    var high = window("high", "0 7 * * *", "12h", 11, null);
    var off = window("off", "0 7 * * *", "12h", null, 0);
    var found = limits("2026-11-23T09:00:00Z", empty, high, off);
    assertThat(found.problems())
        .containsExactly(
            "spec.schedule[0] 'empty': it changes nothing: give it minRunners or maxRunners, or"
                + " remove it",
            "spec.schedule[1] 'high': minRunners is 11, but spec.maxRunners allows 10: give the"
                + " window a maxRunners of its own");
    assertThat(found.open()).containsExactly("empty", "high", "off");
  }

  /** A user's text is no reason for a status without a bound. */
  @Test
  void whatIsReportedIsBounded() {
    var text = "x".repeat(5_000);
    var found =
        limits(
            "2026-11-23T09:00:00Z",
            new ScheduleWindow(text, "UTC", text, "1h", 1, null),
            new ScheduleWindow(text, text, "* * * * *", "1h", 1, null),
            new ScheduleWindow(text, "UTC", "* * * * *", "1h", 1, null));
    assertThat(found.problems())
        .hasSize(2)
        .allSatisfy(reported -> assertThat(reported).hasSizeLessThan(400));
    assertThat(found.open()).singleElement().asString().hasSizeLessThan(100);
  }
}
