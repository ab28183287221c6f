package dev.runnerset.controller.autoscalingrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatus;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a set that says that it is ready may say so no longer. */
final class PassWatchTest {
  private Instant now = Instant.parse("2026-11-23T12:00:00Z");
  private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);
  private boolean ready = true;
  private boolean listener = true;
  private final List<String> done = new ArrayList<>();
  private final PassWatch watch = new PassWatch(clock);

  @ParameterizedTest
  @CsvSource({
    "0, false, Ready",
    "239, false, Ready",
    "240, false, PassOverdue",
    "0, true, NoListener",
    "240, true, PassOverdue"
  })
  void theSetMayNotSay(int silentSeconds, boolean missing, String reason) {
    assertThat(
            PassWatch.finding(Duration.ofSeconds(silentSeconds), missing)
                .map(finding -> finding.reason().word())
                .orElse("Ready"))
        .isEqualTo(reason);
  }

  private void rounds(int count) {
    for (int i = 0; i < count; i++) {
      now = now.plus(PassWatch.EVERY);
      for (var doubt : watch.round(ready ? List.of(set()) : List.of(), set -> listener)) {
        if (doubt.finding() != null) {
          ready = false;
          done.add(doubt.finding().reason().word());
        }
        done.add("wake");
      }
    }
  }

  @Test
  void aSetWhosePassesEndIsWokenAndStaysReady() {
    for (int i = 0; i < 10; i++) {
      rounds(7);
      watch.ended(set());
    }
    assertThat(done).isEmpty();
    rounds(8);
    assertThat(done).containsOnly("wake").hasSize(1);
  }

  @Test
  void aSetWithoutAPassForFourMinutesIsNotReadyAndThatIsWrittenOnce() {
    rounds(1); // it leads since then
    rounds(16);
    assertThat(done).as("the last pass may be just ending").containsOnly("wake");
    done.clear();
    rounds(1);
    assertThat(done).containsExactly("PassOverdue", "wake");
    rounds(40);
    assertThat(done).as("it is written when it turns False").hasSize(2);
  }

  @Test
  void aProcessThatStoodStillCountsFromItsEnd() {
    rounds(1);
    watch.ended(set());
    now = now.plus(Duration.ofHours(1));
    rounds(1);
    assertThat(done).isEmpty();
  }

  @Test
  void aListenerObjectMayBeMissingForOneRound() {
    for (int i = 0; i < 3; i++) {
      listener = false;
      rounds(1);
      listener = true;
      rounds(1);
    }
    assertThat(done).containsOnly("wake");
    done.clear();
    listener = false;
    rounds(2);
    assertThat(done).containsExactly("wake", "NoListener", "wake");
  }

  @Test
  void aSetThatIsNotReadyIsLeftAlone() {
    ready = false;
    listener = false;
    rounds(100);
    assertThat(done).isEmpty();
  }

  private AutoScalingRunnerSet set() {
    var set = new AutoScalingRunnerSet();
    set.setMetadata(new ObjectMetaBuilder().withName("linux").withUid("uid-1").build());
    set.setStatus(AutoScalingRunnerSetStatus.NONE);
    return set;
  }
}
