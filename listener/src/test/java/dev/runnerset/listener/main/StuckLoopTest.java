package dev.runnerset.listener.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.crds.AutoScalingListenerSpecBuilder;
import dev.runnerset.crds.ListenerTarget;
import dev.runnerset.crds.NamespacedReference;
import dev.runnerset.listener.config.ListenerSettings;
import dev.runnerset.listener.session.context.DesiredState;
import dev.runnerset.listener.session.context.DesiredState.StopReason;
import dev.runnerset.listener.session.context.ListenerSnapshot;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A loop that hangs is replaced and reported (SF11); one that waits or works is left alone. */
final class StuckLoopTest {
  private static final Duration AFTER = ListenerSettings.STUCK_AFTER;

  private volatile long nanos;
  private final List<LoopInbox> started = new ArrayList<>();
  private final List<Boolean> insteadOfStuck = new ArrayList<>();
  private final Loops loops =
      new Loops((listener, instead, ended) -> {
        var inbox =
            new LoopInbox(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC), () -> nanos, listener);
        started.add(inbox);
        insteadOfStuck.add(instead);
        return inbox;
      });

  private static ListenerSnapshot listener() {
    var spec =
        AutoScalingListenerSpecBuilder.builder()
            .runnerSet(new ListenerTarget("team", "linux", "u1"))
            .githubConfigUrl("https://github.com/acme")
            .githubConfigSecret(new NamespacedReference("team", "github"))
            .scaleSetId(1)
            .capacity(10)
            .build();
    return new ListenerSnapshot("trusted", "team-linux", "l1", 1, spec, false);
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void aLoopWithoutProgressIsReplacedAndMayTouchNothingWhenItWakes() {
    loops.begin();
    loops.seen(listener());
    pass(AFTER.minusSeconds(1));
    assertThat(loops.replaceStuck(AFTER)).isEmpty();
    pass(Duration.ofSeconds(1));
    assertThat(loops.replaceStuck(AFTER)).hasSize(1);
    assertThat(insteadOfStuck).containsExactly(false, true);
    assertThat(started.getFirst().desired())
        .isEqualTo(new DesiredState.Stop(StopReason.LEASE_LOST));
    assertThat(started.getLast().desired()).isInstanceOf(DesiredState.Hold.class);
    assertThat(loops.replaceStuck(AFTER)).as("the new one has just begun").isEmpty();
  }

  @Test
  void aLoopWhoseRequestsEndIsNotReplaced() {
    loops.begin();
    loops.seen(listener());
    for (int i = 0; i < 10; i++) {
      pass(Duration.ofSeconds(30));
      started.getFirst().progress();
      assertThat(loops.replaceStuck(AFTER)).isEmpty();
    }
  }

  @Test
  void aLoopThatWaitsIsNotReplacedHoweverLong() throws InterruptedException {
    loops.begin();
    loops.seen(listener());
    var inbox = started.getFirst();
    var waiting =
        Thread.ofVirtual()
            .start(() -> {
              try {
                inbox.await(null);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    pass(Duration.ofHours(1));
    await().until(() -> inbox.busyFor().isZero());
    assertThat(loops.replaceStuck(AFTER)).isEmpty();
    waiting.interrupt();
    waiting.join();
    assertThat(inbox.busyFor()).isZero();
    pass(AFTER);
    assertThat(loops.replaceStuck(AFTER)).hasSize(1);
  }

  @Test
  void aProcessWhoseLoopsHangAgainAndAgainIsNotHealthy() {
    var replaced = new ArrayList<ListenerSnapshot>();
    loops.begin();
    loops.seen(listener());
    try (var watch = new LoopsWatch(loops, replaced::add, () -> nanos)) {
      for (int i = 0; i < 3; i++) {
        assertThat(watch.isHealthy()).isTrue();
        pass(AFTER);
        watch.check();
      }
      assertThat(replaced).hasSize(3);
      assertThat(watch.isHealthy()).isFalse();
    }
  }
}
