package dev.runnerset.controller.autoscalingrunnerset.registration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.ScaleSet;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.Statistics;
import dev.runnerset.controller.autoscalingrunnerset.FakeScaleSets;
import dev.runnerset.controller.autoscalingrunnerset.Sets;
import dev.runnerset.controller.autoscalingrunnerset.planning.DeletionTimes;
import dev.runnerset.controller.autoscalingrunnerset.planning.RetryWaits;
import dev.runnerset.controller.connection.ServiceCalls;
import dev.runnerset.controller.memory.Memories;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.testsupport.TestClock;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of the scale set of a set that goes (DL3). */
class ScaleSetCleanupTest {
  private final TestClock clock = new TestClock(Instant.parse("2026-11-21T12:00:00Z"));
  private final FakeScaleSets service = new FakeScaleSets();
  private final List<String> events = new ArrayList<>();
  private final List<String> ofListener = new ArrayList<>();
  private final List<String> messages = new ArrayList<>();
  private final ScaleSetCleanup cleanup =
      new ScaleSetCleanup(
          service.connections(),
          new ServiceCalls(new Memories(), Runnable::run, woken -> {}),
          (about, reason, message) -> {
            if (about instanceof AutoScalingRunnerSet) {
              events.add(reason.word());
              messages.add(message);
            } else {
              ofListener.add(about.getMetadata().getNamespace() + " " + message);
            }
          },
          clock,
          "l-ns",
          new Memories());

  private static AutoScalingRunnerSet set(String name, int id) {
    return Sets.registered(Sets.set(name), id);
  }

  private AutoScalingRunnerSet setWithScaleSet() {
    return set("linux", service.made("linux", RunnerGroupId.DEFAULT).id().value());
  }

  private boolean isOver(AutoScalingRunnerSet set, AutoScalingRunnerSet... others) {
    var all = new ArrayList<>(List.of(others));
    all.add(set);
    return cleanup.attempt(set, all).isEmpty();
  }

  @Test
  void aScaleSetThatNobodyIsRegisteredWithIsDeleted() {
    var set = setWithScaleSet();
    assertThat(isOver(set)).isTrue();
    assertThat(service.byId).isEmpty();
    assertThat(isOver(set)).as("it is gone").isTrue();
    assertThat(isOver(Sets.set("never registered"))).isTrue();
    assertThat(events).isEmpty();
  }

  /** It works on: its scale set must not go with the other. */
  @Test
  void aScaleSetThatAnotherSetUsesIsLeft() {
    var set = setWithScaleSet();
    var other = set("other", 1);
    assertThat(isOver(set, other)).isTrue();
    assertThat(service.asked).isEmpty();
    assertThat(events).containsExactly("ScaleSetLeft");
    var elsewhere = Sets.of(Serialization.asYaml(other).replace("my-org", "another-org"));
    assertThat(isOver(set, elsewhere)).isTrue();
    assertThat(service.byId).as("an id counts within one owner").isEmpty();
  }

  @ParameterizedTest(name = "{0}: left after a minute: {1}")
  @CsvSource({
    "registered, true",
    "no statistics, true",
    "Unauthorized, true",
    "Forbidden, true",
    "SecretNotFound, true",
    "Unavailable, false",
  })
  void whatIsInTheWayIsWaitedForAndOnlyAnOutageForEver(String what, boolean left) {
    var set = setWithScaleSet();
    var details = FakeScaleSets.details(400);
    switch (what) {
      case "registered" -> statistics(new Statistics(0, 0, 0, 0, 1, 0, 1));
      case "no statistics" -> statistics(null);
      case "Unauthorized" -> service.fault = new ServiceError.Unauthorized(details);
      case "Forbidden" -> service.fault = new ServiceError.Forbidden(details);
      case "Unavailable" -> service.fault = new ServiceError.Unavailable(details, null);
      default -> service.noConnection = what;
    }
    assertThat(isOver(set)).isFalse();
    int asked = service.asked.size();
    assertThat(isOver(set)).as("not before the backoff is over").isFalse();
    assertThat(service.asked).hasSize(asked);
    clock.set(
        clock
            .instant()
            .plus(DeletionTimes.REGISTRATIONS_AWAITED)
            .plus(RetryWaits.SERVICE.longest()));
    assertThat(isOver(set)).isEqualTo(left);
    assertThat(events).hasSize(left ? 1 : 0);
    assertThat(service.byId).hasSize(1);
  }

  private void statistics(@Nullable Statistics statistics) {
    service.byId.replaceAll((id, set) ->
        new ScaleSet(
            id,
            set.name(),
            set.runnerGroupId(),
            set.labels(),
            statistics,
            set.createdOn(),
            set.online()));
  }

  /** DL3: the set must have written down that it made the scale set. */
  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"'Adopted'", "null"})
  void aScaleSetThatTheSetDidNotMakeIsLeft(String origin) {
    var set =
        Sets.withStatus(
            setWithScaleSet(), "{'scaleSetId': 1, 'scaleSet': {'origin': %s}}".formatted(origin));
    assertThat(isOver(set)).isTrue();
    assertThat(service.asked).isEmpty();
    assertThat(service.byId).hasSize(1);
    assertThat(events).containsExactly("ScaleSetLeft");
  }

  @Test
  void aScaleSetIsDeletedOnlyWhileItsSessionIsOurs() {
    var set = setWithScaleSet();
    assertThat(isOver(set)).isTrue();
    assertThat(service.asked).containsExactly("GET 1", "OPEN 1", "DELETE 1");
  }

  /** Our own listener's session dies within 90 s; another's does not. */
  @Test
  void aScaleSetWhoseSessionSomebodyHoldsIsLeftAfterTwoMinutes() {
    var set = setWithScaleSet();
    service.sessionHeld = "for owner arc-1";
    var begin = clock.instant();
    while (!isOver(set)) {
      clock.advance(Duration.ofSeconds(5));
    }
    assertThat(Duration.between(begin, clock.instant()))
        .isBetween(DeletionTimes.SESSION_AWAITED, Duration.ofSeconds(160));
    assertThat(service.byId).hasSize(1);
    assertThat(service.asked).doesNotContain("DELETE 1");
    assertThat(events).containsExactly("ScaleSetLeft");

    var other = set("other", service.made("other", RunnerGroupId.DEFAULT).id().value());
    assertThat(isOver(other)).isFalse();
    service.sessionHeld = null;
    clock.advance(Duration.ofSeconds(100));
    assertThat(isOver(other)).isTrue();
    assertThat(service.byId).hasSize(1);
  }

  @Test
  void aDeletionThatFailsLeavesNoSessionInTheWay() {
    var set = setWithScaleSet();
    service.failing = "DELETE";
    assertThat(isOver(set)).isFalse();
    assertThat(service.asked).endsWith("OPEN 1", "DELETE 1", "END of-1");
    service.failing = "";
    clock.advance(Duration.ofSeconds(5));
    assertThat(isOver(set)).isTrue();
    assertThat(service.byId).isEmpty();
  }

  /** A set that announced a scale set that long ago and wrote no id of it. */
  private AutoScalingRunnerSet announced(String name, int secondsAgo, String more) {
    var at = clock.instant().minusSeconds(secondsAgo);
    return Sets.withStatus(
        Sets.set(name),
        "{'scaleSet': {%s 'intent': {'name': '%s', 'runnerGroupId': 1, 'at': '%s'}} %s}"
            .formatted(more.isEmpty() ? "" : "'origin': 'Created',", name, at, more));
  }

  /** The answer was lost, or the process died before the id was written. */
  @ParameterizedTest(name = "status {0}")
  @ValueSource(strings = {"", ", 'scaleSetId': 7"})
  void aScaleSetThatWasOnlyAnnouncedIsFoundAndDeleted(String more) {
    service.now = clock::instant;
    service.made("linux", RunnerGroupId.DEFAULT, "linux");
    assertThat(isOver(announced("linux", 3, more))).isTrue();
    assertThat(service.asked).endsWith("FIND linux", "OPEN 1", "DELETE 1");
    assertThat(service.byId).isEmpty();
    assertThat(events).isEmpty();
  }

  /** It is proved once: the session of the deletion itself must not speak against it. */
  @Test
  void anAnnouncedScaleSetIsDeletedThoughTheFirstDeletionFails() {
    service.now = clock::instant;
    service.made("linux", RunnerGroupId.DEFAULT, "linux");
    var set = announced("linux", 3, "");
    service.failing = "DELETE";
    assertThat(isOver(set)).isFalse();
    service.failing = "";
    statistics(new Statistics(0, 0, 0, 0, 1, 0, 1));
    clock.advance(Duration.ofSeconds(5));
    assertThat(isOver(set)).isFalse();
    statistics(new Statistics(0, 0, 0, 0, 0, 0, 0));
    clock.advance(Duration.ofSeconds(10));
    assertThat(isOver(set)).isTrue();
    assertThat(service.byId).isEmpty();
    assertThat(events).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"labels of others", "runners", "too old", "another set"})
  void anAnnouncedScaleSetThatIsNotProvedIsLeft(String what) {
    service.now = () -> clock.instant().minusSeconds(what.equals("too old") ? 90 : 0);
    service.made("linux", RunnerGroupId.DEFAULT, what.equals("labels of others") ? "x" : "linux");
    if (what.equals("runners")) {
      statistics(new Statistics(0, 0, 0, 0, 1, 0, 1));
    }
    var others =
        what.equals("another set")
            ? new AutoScalingRunnerSet[] {set("other", 1)}
            : new AutoScalingRunnerSet[0];
    assertThat(isOver(announced("linux", 3, ""), others)).isTrue();
    assertThat(service.asked).containsExactly("FIND linux");
    assertThat(service.byId).hasSize(1);
    assertThat(events).containsExactly("ScaleSetLeft");
    assertThat(messages.getFirst()).startsWith("The scale set 'linux' (1) at ");
  }

  /** The request of the set may be carried out late; afterwards nothing is there to be left. */
  @Test
  void anAnnouncedScaleSetIsAwaitedWhileItMayStillBeMade() {
    var set = announced("linux", 3, "");
    var begin = clock.instant();
    while (!isOver(set)) {
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(Duration.between(begin, clock.instant()))
        .isBetween(Duration.ofSeconds(17), Duration.ofSeconds(45));
    assertThat(events).isEmpty();
    var late = announced("late", 0, "");
    assertThat(isOver(late)).isFalse();
    service.now = clock::instant;
    service.made("late", RunnerGroupId.DEFAULT, "late");
    clock.advance(Duration.ofSeconds(10));
    assertThat(isOver(late)).isTrue();
    assertThat(service.byId).isEmpty();
    assertThat(events).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"Unavailable", "Unauthorized", "SecretNotFound"})
  void anAnnouncedScaleSetThatNobodyCanLookForIsReportedAfterAMinute(String what) {
    var set = announced("linux", 3, "");
    var details = FakeScaleSets.details(400);
    switch (what) {
      case "Unavailable" -> service.fault = new ServiceError.Unavailable(details, null);
      case "Unauthorized" -> service.fault = new ServiceError.Unauthorized(details);
      default -> service.noConnection = what;
    }
    assertThat(isOver(set)).isFalse();
    assertThat(events).isEmpty();
    clock.advance(DeletionTimes.REGISTRATIONS_AWAITED);
    assertThat(isOver(set)).isTrue();
    assertThat(events).containsExactly("ScaleSetLeft");
    assertThat(messages.getFirst())
        .startsWith("A scale set 'linux' at https://github.com/my-org may have been left behind: ");
  }

  /** DL3: a restored server gave the id to somebody else. */
  @Test
  void aScaleSetOfSomebodyElseUnderTheIdIsLeftAlone() {
    var set = setWithScaleSet();
    service.restore();
    service.now = clock::instant;
    service.made("arc-prod", RunnerGroupId.DEFAULT);
    assertThat(isOver(set)).isTrue();
    assertThat(service.asked).containsExactly("GET 1");
    assertThat(messages)
        .containsExactly(
            "Nothing is deleted at https://github.com/my-org: the id 1 is now the id of another"
                + " scale set, 'arc-prod' of 2026-11-21T12:00:00Z, which this set did not create");
  }

  /** A10: no event can be made in the namespace of the set once that is being deleted. */
  @Test
  void whatIsLeftIsReportedInTheNamespaceOfTheListenerToo() {
    var set = setWithScaleSet();
    service.noConnection = "SecretNotFound";
    assertThat(isOver(set)).isFalse();
    clock.advance(DeletionTimes.REGISTRATIONS_AWAITED);
    assertThat(isOver(set)).isTrue();
    assertThat(ofListener)
        .singleElement()
        .asString()
        .startsWith("l-ns The scale set 'linux' (1) at https://github.com/my-org was left behind")
        .endsWith("(of the set ns/linux)");
  }
}
