package dev.runnerset.controller.autoscalingrunnerset.events;

import static dev.runnerset.controller.autoscalingrunnerset.Conditions.is;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.RequeueTime;
import dev.runnerset.controller.autoscalingrunnerset.Conditions;
import io.fabric8.kubernetes.api.model.Condition;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A problem of a set is reported when it begins, again while it lasts, and when it is over. */
final class ProblemEventsTest {
  private static final Instant START = Conditions.SINCE;
  private static final List<Condition> WELL =
      List.of(
          is("Ready", "True", "Ready"),
          is("Registered", "True", "Registered"),
          is("ListenerReady", "True", "Connected"));

  private ProblemEvents state = ProblemEvents.NONE;
  private RequeueTime requeueAt = RequeueTime.NEVER;

  private static List<Condition> with(Condition... conditions) {
    var types = Stream.of(conditions).map(Condition::getType).toList();
    return Stream.concat(
            WELL.stream().filter(c -> !types.contains(c.getType())), Stream.of(conditions))
        .toList();
  }

  private List<String> look(long second, List<Condition> conditions) {
    var next = state.next(conditions, START.plusSeconds(second));
    state = next.state();
    requeueAt = next.requeueAt();
    return next.due().stream()
        .map(event ->
            "%s %s %s%s"
                .formatted(
                    event.isWarning() ? "Warning" : "Normal",
                    event.reason().word(),
                    event.isWarning() ? "" : "[" + event.subject() + "] ",
                    event.message()))
        .toList();
  }

  @Test
  void aMissingListenerIsNoEventOfItsOwnWhileTheSetIsNotRegistered() {
    var noListener = is("ListenerReady", "False", "NoListener");
    assertThat(look(21, with(is("Registered", "False", "Unauthorized"), noListener)))
        .containsExactly("Warning Unauthorized Registered: why");
    assertThat(look(22, with(noListener))).containsExactly("Warning NoListener ListenerReady: why");
  }

  @ParameterizedTest
  @CsvSource({
    // type, status, reason, reported at once
    "Registered, False, Unauthorized, true",
    "Registered, Unknown, Unauthorized, true",
    "ListenerReady, False, SessionConflict, true",
    "Ready, False, TemplateRefused, true",
    "RunnersPending, True, PodForbidden, true",
    "Degraded, True, BackOff, true",
    "CapacityLimited, True, MaxRunners, true",
    "SomethingNew, True, Word, true",
    // a condition that is present though it is False says that nothing is wrong
    "RunnersFailing, False, NoFailures, false",
    "SomethingNew, Unknown, Word, false",
    // what the user asked for
    "Ready, True, Paused, false",
    "Ready, False, Draining, false",
    "Ready, True, Drained, false",
    // nobody has looked at the set, and what repeats another condition
    "Ready, Unknown, Pending, false",
    "Stalled, True, TemplateInvalid, false",
    "CapacityLimited, True, Paused, false",
    "CapacityLimited, True, Drained, false",
    "CapacityLimited, True, Deleted, false",
    "Ready, False, Deleting, false",
    // the start of a set
    "Registered, Unknown, Registering, false",
    "ListenerReady, False, NoListener, false",
    "ListenerReady, False, NotHeld, false",
    "ListenerReady, False, Connecting, false",
  })
  void whatIsAProblem(String type, String status, String reason, boolean reported) {
    assertThat(look(1, with(is(type, status, reason))))
        .isEqualTo(reported ? List.of("Warning " + reason + " " + type + ": why") : List.of());
  }

  @Test
  void aStartThatTakesLongerThanTwentySecondsIsProblem() {
    var starting = with(is("ListenerReady", "False", "NotHeld"), is("Ready", "False", "NotHeld"));
    assertThat(look(19, starting)).isEmpty();
    assertThat(requeueAt).isEqualTo(RequeueTime.at(START.plusSeconds(20)));
    assertThat(look(20, starting)).containsExactly("Warning NotHeld ListenerReady: why");
  }

  @Test
  void conditionsThatGiveTheSameReasonAreOneProblem() {
    var conditions = with(is("Ready", "False", "BackOff"), is("RunnersFailing", "True", "BackOff"));
    assertThat(look(0, conditions)).containsExactly("Warning BackOff RunnersFailing: why");
  }

  @Test
  void aProblemIsReportedAgainWhileItLastsSoThatDescribeShowsItAfterAnHour() {
    var conditions = with(is("Registered", "False", "Unauthorized"));
    assertThat(look(0, conditions)).hasSize(1);
    long last = 0;
    for (long second = 1; second <= 7200; second++) {
      if (!look(second, conditions).isEmpty()) {
        assertThat(second - last).as("pause before second %d", second).isBetween(290L, 300L);
        last = second;
      }
    }
    assertThat(last).isGreaterThan(6900);
  }

  @Test
  void aProblemThatIsOverIsReportedOnce() {
    assertThat(look(0, with(is("Registered", "False", "Unauthorized")))).hasSize(1);
    assertThat(look(250, WELL)).isEmpty();
    assertThat(requeueAt).isEqualTo(RequeueTime.at(START.plusSeconds(260)));
    assertThat(look(259, WELL)).isEmpty();
    assertThat(look(260, WELL))
        .containsExactly("Normal Healed [Unauthorized] Unauthorized is over after 4m10s");
    assertThat(look(300, WELL)).isEmpty();
    assertThat(requeueAt).isEqualTo(RequeueTime.NEVER);
  }

  @Test
  void theEndOfAProblemNamesWhatIsLeft() {
    look(0, with(is("Registered", "False", "Unauthorized")));
    var rest = with(is("ListenerReady", "False", "SessionConflict"));
    assertThat(look(5, rest)).containsExactly("Warning SessionConflict ListenerReady: why");
    assertThat(look(15, rest))
        .containsExactly(
            "Normal Healed [Unauthorized] Unauthorized is over after 5s; the set still has:"
                + " SessionConflict");
  }

  @Test
  void aProblemThatComesBackAtOnceWasNotOver() {
    var problem = with(is("Registered", "False", "ServiceUnavailable"));
    assertThat(look(0, problem)).hasSize(1);
    assertThat(look(30, WELL)).isEmpty();
    assertThat(look(39, problem)).isEmpty();
    assertThat(look(41, problem)).isEmpty();
    assertThat(state.problemByReason().get("ServiceUnavailable").since()).isEqualTo(START);
  }

  @Test
  void aHealthySetIsReportedNothing() {
    assertThat(look(0, WELL)).isEmpty();
    assertThat(look(3600, WELL)).isEmpty();
    assertThat(requeueAt).isEqualTo(RequeueTime.NEVER);
  }
}
