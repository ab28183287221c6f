package dev.runnerset.controller.features.places;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.Statistics;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** DM16: the jobs that wait for sets without a place are read at a pace. */
class HeldSetsTest {
  private final TestClock clock = new TestClock(Instant.parse("2026-11-28T10:00:00Z"));
  private final List<EphemeralRunnerSet> held = new ArrayList<>();
  private final List<String> read = new ArrayList<>();
  private final List<String> news = new ArrayList<>();
  private final Deque<Runnable> threads = new ArrayDeque<>();
  private boolean refuses;
  private final HeldSets sets =
      new HeldSets(
          new HeldSets.Ports(
              held::stream,
              this::counts,
              (set, waiting, at) -> waiting > 0,
              key -> news.add(key.name())),
          new Memories(),
          threads::add,
          clock);

  private Optional<Statistics> counts(EphemeralRunnerSet set) {
    read.add(set.getMetadata().getName());
    if (refuses) {
      throw new ServiceException(
          new ServiceError.Unavailable(ServiceError.Details.unanswered("a call", "no host"), null));
    }
    boolean waits = set.getMetadata().getName().equals("waits");
    return Optional.of(new Statistics(waits ? 4 : 0, 0, 0, 0, 0, 0, 0));
  }

  private void hold(String name, String secret) {
    held.add(
        Serialization.unmarshal(
            """
            apiVersion: runnerset.dev/v1alpha1
            kind: EphemeralRunnerSet
            metadata:
              name: %1$s
              namespace: ns
              ownerReferences:
              - {apiVersion: runnerset.dev/v1alpha1, kind: AutoScalingRunnerSet, name: %1$s,
                 uid: uid-%1$s, controller: true}
            spec:
              githubConfigUrl: https://github.com/o
              githubConfigSecret: {name: %2$s}
              runnerScaleSetId: 1
            """
                .formatted(name, secret),
            EphemeralRunnerSet.class));
  }

  private void rounds(int seconds) {
    for (int i = 0; i < seconds; i++) {
      sets.round();
      while (!threads.isEmpty()) {
        threads.remove().run();
      }
      clock.advance(HeldSets.PERIOD);
    }
  }

  @Test
  void oneCredentialIsAskedOnceASecondAndEachSetInItsTurn() {
    for (int i = 0; i < 10; i++) {
      hold("set-" + i, "token");
    }
    rounds(20);
    assertThat(read).hasSize(20);
    assertThat(read.subList(0, 10)).doesNotHaveDuplicates();
    assertThat(read.subList(10, 20)).isEqualTo(read.subList(0, 10));
  }

  @Test
  void oneSetIsAskedEachFiveSeconds() {
    hold("linux", "token");
    rounds(20);
    assertThat(read).hasSize(4);
  }

  @Test
  void credentialsDoNotWaitForEachOther() {
    hold("linux", "token");
    hold("other", "app");
    sets.round();
    assertThat(threads).hasSize(2);
    clock.advance(Duration.ofSeconds(10));
    sets.round();
    assertThat(threads).as("none answers").hasSize(2);
  }

  @Test
  void onlyNewsWakesTheSet() {
    hold("linux", "token");
    hold("waits", "token");
    rounds(2);
    assertThat(news).containsExactly("waits");
  }

  @Test
  void aFailedReadingIsRepeatedAtTheSamePace() {
    hold("linux", "token");
    refuses = true;
    rounds(10);
    assertThat(read).hasSize(2);
    assertThat(news).isEmpty();
  }

  @Test
  void aClockThatWasSetBackDelaysNothing() {
    hold("linux", "token");
    rounds(1);
    clock.advance(Duration.ofDays(-1));
    rounds(1);
    assertThat(read).hasSize(2);
  }
}
