package dev.runnerset.controller.features.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.HistoryEntry;
import dev.runnerset.crds.HistoryEntry.State;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When an entry begins, is filled, is completed, is closed (HS5, HS7). */
class RolloutHistoryTest {
  private static final Instant T0 = Instant.parse("2026-01-01T00:00:00Z");

  private List<HistoryEntry> history = List.of();
  private Instant now = T0;

  /** What is seen a minute later; whether that changes the list. */
  private boolean see(String revision, String image, String version, boolean complete) {
    now = now.plusSeconds(60);
    return look(revision, image, version, complete);
  }

  private boolean look(String revision, String image, String version, boolean complete) {
    var change =
        RolloutHistory.next(
            history, new Rollout(revision, image, version, complete), HistoryPolicy.DEFAULT, now);
    change.ifPresent(c -> history = c.entries());
    return change.isPresent();
  }

  /** Seen twice where it is complete: what follows another entry completes at the later look. */
  private boolean see(String revision, boolean complete) {
    boolean changed = see(revision, "i-" + revision, "1.0.0", complete);
    return (complete && look(revision, "i-" + revision, "1.0.0", true)) || changed;
  }

  private String words() {
    return String.join(
        " ", history.stream().map(e -> e.state().name().charAt(0) + e.revision()).toList());
  }

  @Test
  void aRolloutBeginsPartialAndIsCompletedOnce() {
    assertThat(see("a", false)).isTrue();
    var begun = history.getFirst();
    assertThat(begun)
        .isEqualTo(new HistoryEntry(State.PARTIAL, "1.0.0", "i-a", "a", now, null, null));
    assertThat(see("a", true)).isTrue();
    assertThat(history)
        .containsExactly(
            new HistoryEntry(State.COMPLETED, "1.0.0", "i-a", "a", begun.startedTime(), now, null));
    assertThat(see("a", false)).as("a completion is never taken back").isFalse();
    assertThat(see("a", true)).isFalse();
  }

  /** HS5: the superseded entry ends when the next begins. */
  @Test
  void aSupersededRolloutStaysPartialAndIsClosed() {
    see("a", false);
    see("b", false);
    assertThat(words()).isEqualTo("Pb Pa");
    assertThat(history.getLast().completionTime()).isEqualTo(history.getFirst().startedTime());
    assertThat(history.getLast().reason()).isEqualTo("Superseded");
    see("c", true);
    var b = history.get(1);
    assertThat(b.completionTime()).isEqualTo(history.getFirst().startedTime());
  }

  @Test
  void aCompletedRolloutKeepsItsTimeWhenTheNextBegins() {
    see("a", true);
    var before = history.getFirst();
    see("b", false);
    assertThat(history.getLast()).isEqualTo(before);
  }

  @Test
  void goingBackIsARolloutOfItsOwn() {
    see("a", true);
    see("b", true);
    see("a", false);
    assertThat(words()).isEqualTo("Pa Cb Ca");
  }

  /**
   * In A, B, A the counts of the first A may be seen once more, and must not count for the third.
   */
  @Test
  void whatFollowsAnotherEntryIsNotCompletedByTheVeryLookThatBeginsIt() {
    see("a", true);
    see("b", false);
    assertThat(see("a", "i-a", "1.0.0", true)).isTrue();
    assertThat(words()).isEqualTo("Pa Pb Ca");
    var seen = new Rollout("a", "i-a", "1.0.0", true);
    assertThat(RolloutHistory.isOpen(history, seen)).isTrue();
    assertThat(see("a", "i-a", "1.0.0", true)).isTrue();
    assertThat(words()).isEqualTo("Ca Pb Ca");
    assertThat(RolloutHistory.isOpen(history, seen)).isFalse();
  }

  /** A template without an image adds no entry, and completes none of another revision. */
  @Test
  void withoutAnImageAPartialEntryOfAnotherRevisionStaysPartial() {
    see("a", false);
    assertThat(see("b", "", "1.0.0", true)).isFalse();
    assertThat(words()).isEqualTo("Pa");
  }

  /** HS5: what is not a change of revision. */
  @Test
  void theSameAgainIsNoNews() {
    see("a", false);
    for (int i = 0; i < 3; i++) {
      assertThat(see("a", false)).isFalse();
    }
    assertThat(history).hasSize(1);
  }

  /** Nothing is in memory: the stored list says what is current. */
  @Test
  void aRestartAddsNothing() {
    see("a", true);
    var another = new RolloutHistoryTest();
    another.history = List.copyOf(history);
    assertThat(another.see("a", true)).isFalse();
  }

  @Test
  void aWipedStatusStartsWithOneEntryForWhatIsCurrent() {
    see("a", true);
    see("b", true);
    history = List.of();
    see("b", true);
    assertThat(words()).isEqualTo("Cb");
  }

  @Test
  void withoutAnImageThereIsNoEntry() {
    assertThat(see("a", "", "1.0.0", true)).isFalse();
    see("b", true);
    assertThat(see("c", "", "1.0.0", true)).as("and none is closed for it").isFalse();
    assertThat(words()).isEqualTo("Cb");
  }

  /** Decided: a version learned later fills the gap, and never opens an entry. */
  @Test
  void aVersionLearnedLaterFillsTheGap() {
    see("a", "img", "", true);
    assertThat(see("a", "img", "2.3.4", true)).isTrue();
    assertThat(history).hasSize(1);
    assertThat(history.getFirst().version()).isEqualTo("2.3.4");
    assertThat(see("a", "img", "9.9.9", true)).as("only a gap is filled").isFalse();
  }

  /** HS5: what is outside the revision adds no entry, whatever else is seen. */
  @Test
  void onlyTheRevisionOpensAnEntry() {
    see("a", "one", "1.0.0", true);
    assertThat(see("a", "two", "2.0.0", true)).isFalse();
    assertThat(words()).isEqualTo("Ca");
  }

  @Test
  void theHundredAndFirstEntryPushesOneOutAndSaysWhich() {
    for (int i = 0; i < 100; i++) {
      see("r" + i, false);
    }
    var before = history;
    now = now.plusSeconds(60);
    var change =
        RolloutHistory.next(history, new Rollout("new", "i", "", false), HistoryPolicy.DEFAULT, now)
            .orElseThrow();
    assertThat(change.entries()).hasSize(100).contains(before.getLast());
    assertThat(change.entries().getFirst().revision()).isEqualTo("new");
    assertThat(change.removed())
        .singleElement()
        .satisfies(removed -> {
          assertThat(removed.index()).isEqualTo(99);
          assertThat(removed.entry().revision()).isEqualTo("r1");
          assertThat(removed.rank()).isEqualTo(-99_99);
          assertThat(removed.reason().phrase()).isEqualTo("older and of less weight");
        });
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "none",
      value = {
        "none, ghcr.io/actions/actions-runner:2.335.1, 2.335.1",
        "none, runner:v2.335.1, 2.335.1",
        "none, runner:2.335.1-foo, 2.335.1-foo",
        "none, runner:2.335.1@sha256:00ff, 2.335.1",
        "none, runner@sha256:00ff, ''",
        "none, runner:latest, ''",
        "none, runner, ''",
        "none, runner:22.04, ''",
        "none, host:5000/runner, ''",
        "none, host:5000/runner:2.1.0, 2.1.0",
        "v2.336.0, runner:2.335.1, 2.336.0",
        "' ', runner:2.335.1, 2.335.1",
      })
  void versionsComeFromTheUserElseFromTheTag(String explicit, String image, String version) {
    assertThat(RunnerVersions.of(explicit, image)).isEqualTo(version);
  }

  @ParameterizedTest
  @CsvSource({
    "2.9.0, 2.10.0, false",
    "2.9.0, 2.9.7, true",
    "v2.9.0, 2.09.1-x, true",
    "3.9.0, 2.9.0, false",
    "'', 2.9.0, false",
    "2.9.0x, 2.9.0, false",
  })
  void minorsAreComparedAsNumbers(String one, String other, boolean same) {
    assertThat(RunnerVersions.minor(one, "i").equals(RunnerVersions.minor(other, "i")))
        .isEqualTo(same);
    assertThat(RunnerVersions.minor("", "i"))
        .isEqualTo(RunnerVersions.minor("", "i"))
        .isNotEqualTo(RunnerVersions.minor("", "j"));
  }
}
