package dev.runnerset.controller.features.shield;

import static dev.runnerset.controller.removal.Runners.T0;
import static dev.runnerset.controller.removal.Runners.busy;
import static dev.runnerset.controller.removal.Runners.idle;
import static dev.runnerset.controller.removal.Runners.pending;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.removal.Now;
import dev.runnerset.controller.removal.Runners;
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

  private record Row(
      String about,
      Runners runner,
      @Nullable Instant listening,
      Map<String, Instant> missed,
      boolean open) {
    @Override
    public String toString() {
      return about;
    }
  }

  private static Row row(String about, Runners runner, boolean open) {
    return new Row(about, runner, T0.minusSeconds(60), Map.of(), open);
  }

  static Stream<Row> rows() {
    return Stream.of(
        row("idle for ten minutes", idle("a"), true),
        row("idle for less", idle("a").since(T0.plusMillis(1)), false),
        row("busy", busy("a"), false),
        row("its container has not started", pending("a"), false),
        row("not known to be online", idle("a").unregistered(), false),
        row("the service refused to remove it", idle("a").suspectUntil(NOW.plusSeconds(1)), false),
        row("being deleted", idle("a").terminating(), false),
        row("ended", idle("a").endedAt(T0), false),
        new Row("the listener is away", idle("a"), null, Map.of(), false),
        new Row("the listener came back", idle("a"), T0.plusSeconds(1), Map.of(), false),
        new Row("seen offline since", idle("a"), T0, Map.of("uid-a", T0.plusSeconds(1)), false),
        new Row("another was offline", idle("a"), T0, Map.of("uid-b", NOW), true));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void onlyARunnerThatIsIdleForLongIsOpen(Row row) {
    var judged =
        IdleShield.of(List.of(row.runner().view()), row.missed(), row.listening(), new Now(NOW));
    assertThat(judged.open().contains("uid-a")).isEqualTo(row.open());
  }

  @Test
  void itIsLookedAtAgainWhenTheTenMinutesAreOver() {
    var runners = List.of(idle("a").view(), idle("b").since(T0.plusSeconds(5)).view());
    var now = new Now(NOW.minusSeconds(1));
    assertThat(IdleShield.of(runners, Map.of(), T0, now).open()).isEmpty();
    assertThat(now.next().toOptional()).contains(NOW);
  }

  /** So the counts of one moment cost at most two writes in ten minutes. */
  @Test
  void aRunnerThatTheCountsMissOnceWaitsForTenMinutesMore() {
    var missed =
        IdleShield.of(List.of(idle("a").unregistered().view()), Map.of(), T0, new Now(NOW));
    assertThat(missed.notIdleAt()).containsEntry("uid-a", NOW);
    var back = List.of(idle("a").view());
    assertThat(IdleShield.of(back, missed.notIdleAt(), T0, new Now(NOW.plusSeconds(599))).open())
        .isEmpty();
    assertThat(IdleShield.of(back, missed.notIdleAt(), T0, new Now(NOW.plusSeconds(600))).open())
        .containsExactly("uid-a");
    assertThat(IdleShield.of(List.of(), missed.notIdleAt(), T0, new Now(NOW)).notIdleAt())
        .isEmpty();
  }
}
