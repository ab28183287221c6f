package dev.runnerset.controller.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.controller.connection.ServiceTurns.Host;
import dev.runnerset.controller.connection.ServiceTurns.Turn;
import dev.runnerset.testsupport.TestClock;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ServiceTurnsTest {
  private static final Host HOST = host("one.example");
  private static final Set<Host> MOST_TRIALS =
      IntStream.range(0, ServiceTurns.TRIALS)
          .mapToObj(i -> host("other-" + i))
          .collect(Collectors.toSet());

  private final TestClock clock = new TestClock();
  private final ServiceTurns turns = new ServiceTurns(clock);

  private static Host host(String authority) {
    return new Host(authority, null);
  }

  @Test
  void aServiceThatAnswersIsAskedWhateverOthersDo() {
    assertThat(Turn.of(HOST, true, MOST_TRIALS, ServiceTurns.MOST_LATE - 1)).isEqualTo(Turn.SENT);
  }

  @Test
  void aNamespaceWithManyLateCallsSendsNoOther() {
    assertThat(Turn.of(HOST, true, Set.of(), ServiceTurns.MOST_LATE)).isEqualTo(Turn.REFUSED);
  }

  @Test
  void aServiceThatHasNotAnsweredIsAskedByOneCall() {
    assertThat(Turn.of(HOST, false, Set.of(), 0)).isEqualTo(Turn.TRIAL);
    assertThat(Turn.of(HOST, false, Set.of(HOST), 0)).isEqualTo(Turn.WAITS);
  }

  @Test
  void aNamespaceAsksFewServicesThatHaveNotAnswered() {
    assertThat(Turn.of(HOST, false, MOST_TRIALS, 0)).isEqualTo(Turn.WAITS);
  }

  /** The calls of another namespace go on. */
  @Test
  void callsThatLastLongAreCountedByNamespace() {
    assertThat(turns.call("a", HOST, () -> "answer")).isEqualTo("answer");
    assertThat(late(ServiceTurns.MOST_LATE - 1)).isEqualTo("sent");
    assertThat(late(ServiceTurns.MOST_LATE)).contains("100 calls of the namespace wait");
    assertThat(turns.call("a", HOST, () -> "answer"))
        .as("when they have ended")
        .isEqualTo("answer");
  }

  /** What another call brings while so many of its namespace are late. */
  private String late(int calls) {
    if (calls > 0) {
      return turns.call("a", HOST, () -> late(calls - 1));
    }
    clock.advance(ServiceTurns.LATE);
    assertThat(turns.call("b", HOST, () -> "answer")).isEqualTo("answer");
    try {
      return turns.call("a", HOST, () -> "sent");
    } catch (ServiceException e) {
      return String.valueOf(e.getMessage());
    }
  }

  @Test
  void aSlowFailureMakesAServiceOneThatDoesNotAnswer() {
    assertThat(turns.call("a", HOST, () -> "answer")).isEqualTo("answer");
    assertThat(turns.answers(HOST)).isTrue();
    fail(ServiceTurns.SLOW);
    assertThat(turns.answers(HOST)).isFalse();
    assertThat(turns.call("a", HOST, () -> "answer")).isEqualTo("answer");
    assertThat(turns.answers(HOST)).isTrue();
  }

  @Test
  void whatFailsAtOnceHoldsNobody() {
    fail(Duration.ZERO);
    assertThat(turns.answers(HOST)).isTrue();
  }

  private void fail(Duration after) {
    assertThatThrownBy(() ->
            turns.call(
                "a",
                HOST,
                () -> {
                  clock.advance(after);
                  throw new ServiceException(
                      new ServiceError.Unavailable(
                          new ServiceError.Details("GET x", 0, "", "no", "", ""), null));
                }))
        .isInstanceOf(ServiceException.class);
  }
}
