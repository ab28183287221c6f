package dev.runnerset.cli.ui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.cli.ui.FleetModel.Card;
import dev.runnerset.cli.ui.FleetModel.Notes;
import dev.runnerset.cli.ui.FleetModel.Row;
import dev.runnerset.cli.view.CapacityView;
import dev.runnerset.cli.view.RunnerState;
import dev.runnerset.cli.view.RunnerView;
import dev.runnerset.cli.view.SetHealth;
import dev.runnerset.cli.view.SetName;
import dev.runnerset.cli.view.SetView;
import dev.runnerset.crds.JobCounts;
import dev.runnerset.crds.RunnerCounts;
import dev.runnerset.crds.RunnerMode;
import dev.runnerset.crds.RunnerTimeline;
import dev.runnerset.crds.condition.Mending;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** 42.2: what a browser gets of a fleet that changes. */
final class FleetModelTest {
  private static final SetDetail DETAIL = new SetDetail(List.of(), 0, List.of(), null, List.of());

  private final FleetModel model = new FleetModel();

  @Test
  void aNewReaderGetsEverything() {
    model.put(set("linux", 1), DETAIL);
    model.put(runner("linux", "linux-a", RunnerState.IDLE));
    var change = all(0);
    assertThat(change.isWhole()).isTrue();
    assertThat(change.sets()).extracting(Card::key).containsExactly("ci/linux");
    assertThat(change.runners()).extracting(Row::key).containsExactly("ci/linux-a");
  }

  @Test
  void afterThatAReaderGetsWhatChanged() {
    model.put(set("linux", 1), DETAIL);
    model.put(set("gpu", 0), DETAIL);
    long seen = all(0).version();
    model.put(set("linux", 2), DETAIL);
    model.removeSet("ci", "gpu");
    var change = all(seen);
    assertThat(change.isWhole()).isFalse();
    assertThat(change.sets()).extracting(card -> card.set().runners().busy()).containsExactly(2);
    assertThat(change.gone()).containsExactly("ci/gpu");
  }

  @Test
  void whatComesAgainAsItWasIsNoChange() {
    model.put(set("linux", 1), DETAIL);
    long seen = model.version();
    model.put(set("linux", 1), DETAIL);
    model.removeRunner("ci", "unknown");
    model.note(Notes.NONE);
    assertThat(model.version()).isEqualTo(seen);
  }

  @Test
  void aSetWhoseDetailChangesGetsANewVersion() {
    model.put(set("linux", 1), DETAIL);
    long seen = model.version();
    model.put(set("linux", 1), new SetDetail(List.of(), 3, List.of(), null, List.of()));
    assertThat(all(seen).sets()).extracting(Card::version).containsExactly(seen + 1);
    assertThat(model.detail("ci", "linux")).map(SetDetail::minRunners).contains(3);
  }

  @Test
  void aReaderGetsTheRunnersOfItsSetOnly() {
    model.put(runner("linux", "linux-a", RunnerState.BUSY));
    model.put(runner("gpu", "gpu-a", RunnerState.BUSY));
    assertThat(model.since(0, row -> row.set().equals("ci/gpu")).runners())
        .extracting(Row::key)
        .containsExactly("ci/gpu-a");
  }

  @Test
  void aRunnerThatComesBackIsNotGone() {
    model.put(runner("linux", "linux-a", RunnerState.BUSY));
    long seen = model.version();
    model.removeRunner("ci", "linux-a");
    model.put(runner("linux", "linux-a", RunnerState.STARTING));
    assertThat(all(seen).goneRunners()).isEmpty();
    assertThat(all(seen).runners()).extracting(Row::state).containsExactly("starting");
  }

  @Test
  void aReaderThatWasAwayForTooManyDeletionsStartsAnew() {
    model.put(set("linux", 1), DETAIL);
    long early = model.version();
    for (int i = 0; i <= Shelf.GONE_AT_MOST; i++) {
      model.put(runner("linux", "r" + i, RunnerState.BUSY));
      model.removeRunner("ci", "r" + i);
    }
    assertThat(all(early).isWhole()).isTrue();
    assertThat(all(early).sets()).hasSize(1);
    assertThat(all(model.version() - 2).isWhole()).isFalse();
  }

  @Test
  void aNoteIsNewsAndWakesWhoWaits() throws InterruptedException {
    long seen = model.version();
    var reader =
        Thread.ofVirtual()
            .start(() -> {
              try {
                model.await(seen, Duration.ofMinutes(1));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    model.note(new Notes("the cluster does not answer", List.of()));
    assertThat(reader.join(Duration.ofSeconds(30))).isTrue();
    assertThat(all(seen).notes().banner()).isEqualTo("the cluster does not answer");
  }

  private FleetModel.Change all(long seen) {
    return model.since(seen, _ -> true);
  }

  private static SetView set(String name, int busy) {
    return new SetView(
        new SetName("ci", name),
        "https://github.com/my-org",
        RunnerMode.ACTIVE,
        new RunnerCounts(busy, busy, 0, 0, busy, 0, 0),
        JobCounts.of(busy, busy, 0),
        new CapacityView(null, null, null, List.of(), null, null),
        new SetHealth(SetHealth.Level.WELL, "", "", Mending.WAIT));
  }

  private static RunnerView runner(String set, String name, RunnerState state) {
    return new RunnerView(
        new SetName("ci", set),
        name,
        state,
        "",
        null,
        new RunnerTimeline(null, null, null, null, null, null),
        "");
  }
}
