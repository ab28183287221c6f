package dev.runnerset.listener.session;

import static dev.runnerset.listener.session.FakeWorld.details;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ServiceError;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** With which settings and credentials a session is held (SF7, SF8). */
final class ConnectionTest {
  private final FakeWorld world = new FakeWorld();

  @Test
  void missingCredentialsAreACondition() {
    world.credentials = "";
    world.at(10, () -> world.credentials = "token");
    world.run(30);
    assertThat(world.events)
        .containsSubsequence("status null [Connected=SecretNotFound]", "connect", "open s1");
  }

  @Test
  void refusedCredentialsAreReadAgain() {
    world.started(() -> world.answer(new ServiceError.Unauthorized(details(401))));
    world.run(4);
    assertThat(world.events)
        .containsSubsequence(
            "status s1 [Connected=Unauthorized]", "close s1", "connect", "open s2");
  }

  /**
   * What is refused while a session is opened, and while it is polled, and how soon it is mended.
   */
  static Stream<Arguments> refusals() {
    var refused = Duration.ofSeconds(60);
    var aged = Duration.ofSeconds(360);
    return Stream.of(
        Arguments.of("401", new ServiceError.Unauthorized(details(401)), refused),
        Arguments.of("403", new ServiceError.Forbidden(details(403)), refused),
        Arguments.of("404", new ServiceError.NotFound(details(404)), refused),
        Arguments.of("unavailable", new ServiceError.Unavailable(details(500), null), aged),
        Arguments.of("no answer", new ServiceError.Malformed(details(200)), aged));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusals")
  void goodCredentialsMendWhatOpeningWasRefusedFor(String name, ServiceError e, Duration within) {
    world.service.refuses = access -> access.equals("token") ? e : null;
    world.at(100, () -> world.credentials = "other");
    world.run(100 + within.toSeconds());
    assertThat(world.events).contains("open s1", "poll 0 capacity 10");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("refusals")
  void goodCredentialsMendWhatPollingWasRefusedFor(String name, ServiceError e, Duration within) {
    world.started(() -> world.service.refuses = access -> access.equals("token") ? e : null);
    world.at(100, () -> world.credentials = "other");
    world.run(100 + within.toSeconds());
    assertThat(world.events).containsSubsequence("connect", "open s2", "poll 0 capacity 10");
  }

  @Test
  void aLastingRefusalOfTheSameCredentialsKeepsTheSession() {
    world.started(() -> world.service.refuses = access -> new ServiceError.Forbidden(details(403)));
    world.run(1000);
    assertThat(world.events).doesNotContain("connect").filteredOn("close s1"::equals).hasSize(1);
  }

  @Test
  void changedCredentialsAreNoticedInFiveMinutesAndUsedBetweenPolls() {
    world.started(() -> world.credentials = "other");
    world.at(299, () -> assertThat(world.events).doesNotContain("connect"));
    world.run(360);
    assertThat(world.events)
        .containsSubsequence("close s1", "connect", "open s2")
        .filteredOn("cancel"::equals)
        .hasSizeLessThan(2);
  }

  /** The controller tells by it a session from one of settings that are no more. */
  @Test
  void theStatusSaysWithWhichConnectionItsSessionWasOpened() {
    var first = world.listener.connection().hash();
    world.started(() -> assertThat(world.status.connection()).isEqualTo(first));
    world.at(2, () -> world.seen(FakeWorld.listener("u1", 20, false)));
    world.at(3, () -> assertThat(world.status.connection()).as("capacity").isEqualTo(first));
    world.at(4, () -> world.service.open = "another's");
    world.at(4, () -> world.seen(FakeWorld.otherUrl(world.listener)));
    world.at(5, () -> assertThat(world.status.connection()).as("not yet open").isEqualTo(first));
    world.at(6, () -> world.service.open = "");
    world.run(20);
    assertThat(world.status.connection())
        .isEqualTo(FakeWorld.otherUrl(world.listener).connection().hash());
    assertThat(world.status.connection()).isNotEqualTo(first);
  }
}
