package dev.runnerset.actions.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LookupsTest {
  private static final InetAddress ADDRESS = InetAddress.getLoopbackAddress();

  @Test
  void aLookupHoldsNoCarrierOfVirtualThreads() throws Exception {
    var lookups =
        new Lookups(
            name -> Thread.currentThread().isVirtual() ? List.of() : List.of(ADDRESS),
            Duration.ofMinutes(1));
    try (var virtual = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(virtual.submit(() -> lookups.lookup("a")).get()).containsExactly(ADDRESS);
    }
  }

  @Test
  void aNameServerThatDoesNotAnswerIsNotWaitedForAndAskedOnce() throws Exception {
    var answers = new CountDownLatch(1);
    var asked = new AtomicInteger();
    var lookups =
        new Lookups(
            name -> {
              asked.incrementAndGet();
              try {
                answers.await();
              } catch (InterruptedException e) {
                throw new UnknownHostException("interrupted");
              }
              return List.of(ADDRESS);
            },
            Duration.ZERO);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> lookups.lookup("hangs"))
          .isInstanceOf(UnknownHostException.class)
          .hasMessageContaining("hangs: no answer from the name server");
    }
    answers.countDown();
    assertThat(asked).hasValueLessThanOrEqualTo(1);
  }

  @Test
  void anUnknownHostIsReported() {
    var lookups =
        new Lookups(
            name -> {
              throw new UnknownHostException("no " + name);
            },
            Duration.ofMinutes(1));
    assertThatThrownBy(() -> lookups.lookup("a"))
        .isInstanceOf(UnknownHostException.class)
        .hasMessage("no a");
  }
}
