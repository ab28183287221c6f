package dev.runnerset.simulator.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code --fault} means, and what it refuses. */
final class FaultFlagsTest {
  record Row(String flags, FaultPlan plan) {}

  static Stream<Row> rows() {
    var none = FaultPlan.NONE;
    var legacy = LegacyRules.DEFAULT;
    return Stream.of(
        new Row("duplicated=0.25", none.withDuplicated(1 / 4.0)),
        new Row("dropped.JobStarted=1", none.withDropped("JobStarted", 1)),
        new Row("statistics=zero", none.withStatistics(FaultPlan.StatisticsFault.ZERO)),
        new Row("linger=10", none.withLinger(Duration.ofSeconds(10))),
        new Row("byteOrderMark", none.withByteOrderMark(true)),
        new Row("odd.noQueueToken=1", none.withOdd(new OddAnswers(0, 1, 0, 0, 0))),
        new Row("legacy.won=0", none.withLegacy(legacy.withWon(0))),
        new Row(
            "legacy.assignDelay=5 legacy.acquiredInAssigned",
            none.withLegacy(
                legacy.withAssignDelay(Duration.ofSeconds(5)).withAcquiredInAssigned(true))),
        new Row("removeRunner=500", none.withHttp(HttpFault.answer("removeRunner", 500, -1))),
        new Row(
            "getMessage=503,times=3,retryAfter=5",
            none.withHttp(
                HttpFault.answer("getMessage", 503, 3).withRetryAfter(Duration.ofSeconds(5)))),
        new Row(
            "getRunner=404,typeName=a.B,share=0.5",
            none.withHttp(
                HttpFault.answer("getRunner", 404, -1).withException("a.B").withShare(1 / 2.0))),
        new Row(
            "getRunner=200,body=empty",
            none.withHttp(HttpFault.answer("getRunner", 200, -1).withBody(HttpFault.Body.EMPTY))),
        new Row(
            "getRunner=garbage *=endless",
            none.withHttp(
                HttpFault.answer("getRunner", 200, -1).withBody(HttpFault.Body.GARBAGE),
                HttpFault.answer("*", 200, -1).withBody(HttpFault.Body.ENDLESS))),
        new Row(
            "getMessage=flood findScaleSet=bomb,bytes=9000",
            none.withHttp(
                HttpFault.hostile("getMessage", HttpFault.Body.FLOOD, 4 << 20),
                HttpFault.hostile("findScaleSet", HttpFault.Body.BOMB, 9_000))));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isMeant(Row row) {
    assertThat(FaultFlags.plan(List.of(row.flags().split(" ")))).isEqualTo(row.plan());
  }

  @Test
  void aCallMayHangBeResetOrLoseItsAnswer() {
    var calls = FaultFlags.plan(List.of("*=hang", "*=reset", "*=lost,times=1")).http();
    assertThat(calls.get(0).body()).isEqualTo(HttpFault.Body.NEVER);
    assertThat(calls.get(1).dropped() && !calls.get(1).afterEffect()).isTrue();
    assertThat(calls.get(2).dropped() && calls.get(2).afterEffect()).isTrue();
    assertThat(calls.get(2).times()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "nonsense, neither a call nor a switch: 'nonsense'",
    "getMessage, is no status",
    "getMessage=x, 'x' is no status",
    "getMessage=999, 999",
    "'getMessage=500,tmes=1', ^'tmes' is none of .*times",
    "'getMessage=500,body=blue', ^'blue' is none of .*garbage",
    "'getMessage=500,times=many', ^'many' is none of numbers",
    "duplicated=2, not in 0..1",
    "legacy.won=-1, not in 0..1",
    "legacy.win=1, legacy.win",
    "statistics=many, ^'many' is none of .*inflated"
  })
  void isRefusedInOneLine(String flag, String says) {
    assertThatThrownBy(() -> FaultFlags.plan(List.of(flag)))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .containsPattern(says);
  }

  @Test
  void theHelpNamesAllCallsSwitchesAndBodies() {
    var help = SimulatedServiceMain.commandLine().getUsageMessage();
    assertThat(help).contains(FaultFlags.names());
    assertThat(help)
        .contains(
            Arrays.stream(Endpoint.values())
                .filter(e -> e != Endpoint.UNKNOWN)
                .map(Endpoint::label)
                .toList());
    var bodies = Arrays.stream(HttpFault.Body.values()).filter(b -> b != HttpFault.Body.NEVER);
    assertThat(help)
        .contains(bodies.map(b -> b.name().toLowerCase(java.util.Locale.ROOT)).toList());
  }
}
