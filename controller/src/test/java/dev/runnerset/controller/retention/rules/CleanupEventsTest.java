package dev.runnerset.controller.retention.rules;

import static dev.runnerset.controller.retention.rules.Finished.limits;
import static dev.runnerset.controller.retention.rules.Finished.runner;
import static dev.runnerset.controller.retention.rules.Finished.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.Retention;
import dev.runnerset.crds.RunnerPhase;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which events count, a row for each clause of RT7 and RT8. */
final class CleanupEventsTest {
  record Added(String rule, Finished runner, boolean counts) {
    @Override
    public String toString() {
      return rule;
    }
  }

  static Stream<Added> added() {
    return Stream.of(
        new Added("RT7: finished with its TTL", ended().ttl("1h", null), true),
        new Added("RT7: finished, the other TTL", ended().ttl(null, "1h"), false),
        new Added("RT7: finished without", ended(), false),
        new Added("RT7: finished, a broken TTL", ended().ttl("-1h", null), false),
        new Added("RT7: running with a TTL", running().ttl("1h", "1h"), false),
        new Added("RT7: Unknown", running().condition("Unknown").ttl("1h", "1h"), false),
        new Added("RT7: standalone", ended().ttl("1h", null).standalone(), true));
  }

  @ParameterizedTest
  @MethodSource("added")
  void ttlOnAdd(Added row) {
    assertThat(CleanupEvents.ttlOnAdd(row.runner().made())).isEqualTo(row.counts());
  }

  record Updated(String rule, Finished before, Finished now, boolean ttl, boolean limit) {
    @Override
    public String toString() {
      return rule;
    }
  }

  private static Finished ended() {
    return runner("a").failed();
  }

  private static Finished running() {
    return runner("a").phase(RunnerPhase.RUNNING);
  }

  static Stream<Updated> updated() {
    var unknown = running().condition("Unknown").ttl("1h", null);
    return Stream.of(
        new Updated("Unknown to False", unknown, ended().ttl("1h", null), true, true),
        new Updated(
            "Unknown to True", unknown, runner("a").succeeded().ttl(null, "1h"), true, true),
        new Updated(
            "e11: a missing condition is Unknown",
            running().ttl("1h", null),
            ended().ttl("1h", null),
            true,
            true),
        new Updated(
            "the phase alone is no end",
            running().ttl("1h", null),
            running().phase(RunnerPhase.FAILED).ttl("1h", null),
            false,
            false),
        new Updated("finished without a TTL", running(), ended(), false, true),
        new Updated("RT6: the other TTL", running(), ended().ttl(null, "1h"), false, true),
        new Updated(
            "already finished", ended().ttl("1h", null), ended().ttl("1h", null), false, false),
        new Updated(
            "TTL introduced on a finished one", ended(), ended().ttl("1h", null), true, false),
        new Updated(
            "TTL lowered on a finished one",
            ended().ttl("1h", null),
            ended().ttl("59m", null),
            true,
            false),
        new Updated(
            "TTL raised on a finished one",
            ended().ttl("1h", null),
            ended().ttl("61m", null),
            false,
            false),
        new Updated(
            "TTL spelt otherwise", ended().ttl("1h", null), ended().ttl("60m", null), false, false),
        new Updated("TTL removed", ended().ttl("1h", null), ended(), false, false),
        new Updated(
            "TTL lowered on a running one",
            running().ttl("2h", null),
            running().ttl("1h", null),
            false,
            false),
        new Updated(
            "RT8: standalone ones are ignored by the limits",
            running().standalone().ttl("1h", null),
            ended().standalone().ttl("1h", null),
            true,
            false),
        new Updated(
            "no longer retained",
            ended().ttl("1h", null).retained(),
            ended().ttl("1h", null),
            true,
            true),
        new Updated(
            "retained now",
            ended().ttl("1h", null),
            ended().ttl("1h", null).retained(),
            false,
            false));
  }

  @ParameterizedTest
  @MethodSource("updated")
  void ttlOnUpdateAndRunnerOnUpdate(Updated row) {
    var now = row.now().made();
    var before = row.before().made();
    assertThat(CleanupEvents.ttlOnUpdate(now, before)).as("RT7").isEqualTo(row.ttl());
    assertThat(CleanupEvents.runnerOnUpdate(now, before)).as("RT8").isEqualTo(row.limit());
  }

  record SetRow(String rule, @Nullable Retention before, @Nullable Retention now, boolean update) {
    @Override
    public String toString() {
      return rule;
    }
  }

  static Stream<SetRow> sets() {
    var ttl = new Retention("1h", "1h", null, null, null, null);
    return Stream.of(
        new SetRow("introduced", null, limits(2, null), true),
        new SetRow("RT13 introduced as it is by default", null, limits(3, null), true),
        new SetRow("introduced beside the other", limits(3, null), limits(3, 5), true),
        new SetRow("lowered", limits(null, 5), limits(null, 4), true),
        new SetRow("raised", limits(null, 5), limits(null, 6), false),
        new SetRow("one raised, one lowered", limits(5, 5), limits(6, 4), true),
        new SetRow("equal", limits(5, 5), limits(5, 5), false),
        new SetRow("RT5 removed", limits(5, null), null, false),
        new SetRow("removed beside another", limits(5, 5), limits(null, 5), false),
        new SetRow("only times", null, ttl, false),
        new SetRow("a broken one", null, limits(0, 101), false),
        new SetRow("made whole", limits(0, null), limits(1, null), true));
  }

  @ParameterizedTest
  @MethodSource("sets")
  void limitOnUpdate(SetRow row) {
    assertThat(CleanupEvents.limitOnUpdate(set(row.now()), set(row.before())))
        .as("RT8")
        .isEqualTo(row.update());
  }
}
