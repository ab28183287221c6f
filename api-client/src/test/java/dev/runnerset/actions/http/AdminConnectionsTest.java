package dev.runnerset.actions.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.actions.Credentials;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.testsupport.TestClock;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Protocol 1.5, protocol 1.6 and 3.14. */
final class AdminConnectionsTest {
  private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

  private static final Instant DEADLINE = START.plusSeconds(36_000);

  private final TestClock clock = new TestClock(START);
  private final FakeApi api = new FakeApi();

  @ParameterizedTest(name = "{0} s left: {1} registrations")
  @CsvSource({"59, 2", "60, 1", "61, 1", "-5, 2"})
  void renewsWithLessThanAMinuteLeft(long secondsLeft, int registrations) {
    var connections = connections();
    connections.current(DEADLINE);
    clock.set(START.plusSeconds(3600 - secondsLeft));
    connections.current(DEADLINE);
    assertThat(api.calls).filteredOn("register RT"::equals).hasSize(registrations);
  }

  @Test
  void aShortLivedConnectionIsHandedOutNotAskedForInALoop() {
    api.lifetimeSeconds = 30;
    assertThat(connections().current(DEADLINE).token()).isEqualTo("admin-1");
    assertThat(api.calls).hasSize(2);
  }

  @Test
  void fiftyCallersShareOneRenewal() throws Exception {
    api.gate = new CountDownLatch(1);
    var connections = connections();
    var waiting = new ArrayList<Thread>();
    var results = Collections.synchronizedList(new ArrayList<AdminConnection>());
    for (int i = 0; i < 50; i++) {
      waiting.add(Thread.ofVirtual().start(() -> results.add(connections.current(DEADLINE))));
    }
    for (var thread : waiting) {
      while (thread.getState() != Thread.State.TIMED_WAITING) {
        Thread.onSpinWait();
      }
    }
    api.gate.countDown();
    for (var thread : waiting) {
      assertThat(thread.join(Duration.ofSeconds(10))).isTrue();
    }
    assertThat(api.calls).containsExactly("registration token pat", "register RT");
    assertThat(results).hasSize(50).allMatch(c -> c.token().equals("admin-1"));
  }

  @Test
  void aCallerWhoGivesUpDoesNotEndTheRenewalOfTheOthers() throws Exception {
    api.gate = new CountDownLatch(1);
    var connections = connections();
    var failure = new CompletableFuture<Throwable>();
    var first =
        Thread.ofVirtual()
            .start(() -> {
              try {
                connections.current(DEADLINE);
              } catch (ServiceException e) {
                failure.complete(e);
              }
            });
    while (first.getState() != Thread.State.TIMED_WAITING) {
      Thread.onSpinWait();
    }
    first.interrupt();
    assertThat(failure.get(10, TimeUnit.SECONDS))
        .isInstanceOfSatisfying(
            ServiceException.class,
            e -> assertThat(e.error()).isInstanceOf(ServiceError.Cancelled.class));
    api.gate.countDown();
    assertThat(connections.current(DEADLINE).token()).isEqualTo("admin-1");
    assertThat(api.calls).hasSize(2);
  }

  /** A thousand sets of one secret come back by themselves: GitHub is asked every five seconds. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(ints = {401, 403, 404})
  void aRefusedRenewalIsNotAskedForByEachCaller(int status) {
    var connections = connections();
    var details = new ServiceError.Details("POST x", status, "", "no", "", "");
    api.failure =
        new ServiceException(
            switch (status) {
              case 401 -> new ServiceError.Unauthorized(details);
              case 403 -> new ServiceError.Forbidden(details);
              default -> new ServiceError.NotFound(details);
            });
    for (int i = 0; i < 1000; i++) {
      assertThatThrownBy(() -> connections.current(DEADLINE)).isInstanceOf(ServiceException.class);
    }
    assertThat(api.calls).hasSize(1);
    api.failure = null;
    clock.advance(AdminConnections.REFUSED_FOR);
    assertThat(connections.current(DEADLINE).token()).startsWith("admin-");
  }

  @Test
  void aFailedRenewalFailsTheCallAndKeepsTheOldConnection() {
    var connections = connections();
    var old = connections.current(DEADLINE);
    clock.set(START.plusSeconds(3550));
    api.failure =
        new ServiceException(
            new ServiceError.Unauthorized(
                new ServiceError.Details("POST x", 401, "", "Bad credentials", "", "")));
    assertThatThrownBy(() -> connections.current(DEADLINE))
        .isInstanceOfSatisfying(
            ServiceException.class,
            e -> assertThat(e.error()).isInstanceOf(ServiceError.Unauthorized.class));
    clock.set(START); // the old one would be good again
    assertThat(connections.current(DEADLINE)).isSameAs(old);

    clock.set(START.plusSeconds(3556));
    api.failure = null;
    assertThat(connections.current(DEADLINE).token()).isEqualTo("admin-2");
  }

  @Test
  void aRefusedConnectionIsReplacedOnceForAllWhomItWasRefusedTo() {
    var connections = connections();
    var refused = connections.current(DEADLINE);
    var other = connections.insteadOf(refused, DEADLINE).orElseThrow();
    assertThat(other.token()).isEqualTo("admin-2");
    assertThat(connections.insteadOf(refused, DEADLINE)).containsSame(other);
    assertThat(connections.current(DEADLINE)).isSameAs(other);
    assertThat(api.calls).filteredOn("register RT"::equals).hasSize(2);
  }

  @ParameterizedTest(name = "after {0} ms: {1} registrations")
  @CsvSource({"29999, 2", "30000, 3"})
  void aReplacementThatIsRefusedAsWellIsReplacedTwiceAMinuteAtMost(long millis, int registrations) {
    var connections = connections();
    var first = connections.current(DEADLINE);
    var second = connections.insteadOf(first, DEADLINE).orElseThrow();
    clock.set(START.plusMillis(millis));
    assertThat(connections.insteadOf(second, DEADLINE).isPresent()).isEqualTo(registrations == 3);
    assertThat(api.calls).filteredOn("register RT"::equals).hasSize(registrations);
  }

  @Test
  void aRefusalThatCannotBeMendedIsNotTriedByEachCaller() {
    var connections = connections();
    var refused = connections.current(DEADLINE);
    api.failure =
        new ServiceException(
            new ServiceError.Unauthorized(
                new ServiceError.Details("POST x", 401, "", "Bad credentials", "", "")));
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> connections.insteadOf(refused, DEADLINE))
          .hasMessageContaining("Bad credentials");
    }
    assertThat(api.calls).filteredOn("registration token pat"::equals).hasSize(2);
  }

  @Test
  void nobodyWaitsForARenewalLongerThanHisDeadline() {
    api.gate = new CountDownLatch(1);
    assertThatThrownBy(() -> connections().current(START.plusMillis(20)))
        .isInstanceOfSatisfying(
            ServiceException.class,
            e -> assertThat(e.error()).isInstanceOf(ServiceError.Unavailable.class));
    api.gate.countDown();
  }

  @Test
  void noCallerWaitsWhileItsConnectionIsGood() throws Exception {
    var renewed = new Renewed<>("old", () -> gated(api));
    api.gate = new CountDownLatch(1);
    var renewal = renewed.unless("new"::equals);
    assertThat(renewed.unless("old"::equals)).isCompletedWithValue("old");
    assertThat(renewal).isNotDone();
    api.gate.countDown();
    assertThat(renewal.get(10, TimeUnit.SECONDS)).isEqualTo("new");
  }

  @Test
  void anAppAsksForAnInstallationTokenEachTime() throws Exception {
    var app = new Credentials.App("Iv1.abc", 17, RsaKeysTest.pkcs8Pem(RsaKeysTest.KEY));
    var connections = connections(app);
    connections.current(DEADLINE);
    clock.set(START.plusSeconds(3599));
    connections.current(DEADLINE);
    assertThat(api.calls)
        .filteredOn(call -> !call.startsWith("register"))
        .containsExactly(
            "installation 17", "registration token IT", "installation 17", "registration token IT");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "MARKER MARKER", "MARKER\nMARKER", "MARKERé"})
  void refusesATokenThatCannotBeOneWithoutRepeatingIt(String token) {
    assertThatThrownBy(() -> connections(new Credentials.Token(token)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("MARKER");
  }

  @Test
  void theLineBreakThatEndsASecretFileIsNoPartOfTheToken() {
    connections(new Credentials.Token("pat\n")).current(DEADLINE);
    assertThat(api.calls).contains("registration token pat");
  }

  private AdminConnections connections() {
    return connections(new Credentials.Token("pat"));
  }

  private AdminConnections connections(Credentials credentials) {
    return new AdminConnections(
        api, BearerSource.of(api, credentials, clock, Duration.ofSeconds(10)), clock);
  }

  private static String gated(FakeApi api) {
    api.await();
    return "new";
  }

  private final class FakeApi implements RegistrationApi {
    final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    volatile CountDownLatch gate = new CountDownLatch(0);
    volatile RuntimeException failure;
    volatile long lifetimeSeconds = 3600;
    private int number;

    @Override
    public InstallationToken installationToken(long installationId, String appJwt) {
      calls.add("installation " + installationId);
      return new InstallationToken("IT", null);
    }

    @Override
    public String registrationToken(String bearer) {
      calls.add("registration token " + bearer);
      if (failure != null) {
        throw failure;
      }
      return "RT";
    }

    @Override
    public synchronized AdminConnection register(String registrationToken) {
      calls.add("register " + registrationToken);
      await();
      number++;
      return new AdminConnection(
          URI.create("https://service/"),
          "admin-" + number,
          clock.instant().plusSeconds(lifetimeSeconds));
    }

    void await() {
      try {
        if (!gate.await(10, TimeUnit.SECONDS)) {
          throw new AssertionError("the gate stayed shut");
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
