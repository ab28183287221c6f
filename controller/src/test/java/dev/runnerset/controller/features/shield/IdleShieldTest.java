package dev.runnerset.controller.features.shield;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Runners.pending;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.audit.RegisteredRunners;
import dev.runnerset.controller.audit.ServiceCounts;
import dev.runnerset.controller.removal.Runners;
import dev.runnerset.controller.removal.RunnersOfSet;
import dev.runnerset.controller.removal.Situation;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whose pod loses the shield without a job (SH1). */
final class IdleShieldTest {
  private static final Instant NOW = T0.plusSeconds(600);

  private record Row(String about, Runners runner, @Nullable Instant listening, boolean open) {
    @Override
    public String toString() {
      return about;
    }
  }

  private static Row row(String about, Runners runner, boolean open) {
    return new Row(about, runner, T0.minusSeconds(60), open);
  }

  static Stream<Row> rows() {
    return Stream.of(
        row("idle for ten minutes", idle("a"), true),
        row("idle for less", idle("a").since(T0.plusMillis(1)), false),
        row("busy", busy("a"), false),
        row("its container has not started", pending("a"), false),
        row("not known to be online", idle("a").unregistered(), false),
        row("the service refused to remove it", idle("a").suspectUntil(NOW.plusSeconds(1)), false),
        row("it refused not long ago", idle("a").suspectUntil(T0.plusSeconds(1)), false),
        row("it refused long ago", idle("a").suspectUntil(T0), true),
        row("being deleted", idle("a").terminating(), false),
        row("ended", idle("a").endedAt(T0), false),
        row("seen offline since", idle("a").registeredAt(T0.plusSeconds(1)), false),
        new Row("the listener is away", idle("a"), null, false),
        new Row("the listener came back", idle("a"), T0.plusSeconds(1), false));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void onlyARunnerThatIsIdleForLongIsOpen(Row row) {
    var moment = new Situation(row.runner()).at(NOW);
    assertThat(moment.hasAny(IdleShield.of(row.listening()).open())).isEqualTo(row.open());
  }

  @Test
  void itIsLookedAtAgainWhenTheTenMinutesAreOver() {
    var moment = new Situation(idle("a"), idle("b").since(T0.plusSeconds(5))).at(T0);
    assertThat(moment.hasAny(IdleShield.of(T0).open())).isFalse();
    assertThat(moment.now().next().toOptional()).contains(NOW);
  }

  /** So the counts of one moment cost at most two writes in ten minutes. */
  @Test
  void aRunnerThatTheCountsMissOnceWaitsForTenMinutesMore() {
    var runners = RunnersOfSet.of(List.of(idle("a").view()), T0);
    var registered = new RegisteredRunners();
    var open = IdleShield.of(T0).open();
    for (int online : new int[] {0, 1}) {
      runners.advance(NOW.plusSeconds(online));
      var counts = new ServiceCounts(NOW.plusSeconds(online), 0, 0, 1, 0, online);
      registered.update(runners, counts, 0, at -> Map.of(), NOW.plusSeconds(online));
      assertThat(runners.count(open)).isZero();
    }
    runners.advance(NOW.plusSeconds(600));
    assertThat(runners.count(open)).isZero();
    runners.advance(NOW.plusSeconds(601));
    assertThat(runners.count(open)).isOne();
  }
}
