package dev.runnerset.controller.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.controller.memory.Memories;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** Passes ask, and go on without an answer (docs/adr/0110). */
class ServiceCallsTest {
  private final Memories memories = new Memories();
  private final Deque<Runnable> begun = new ArrayDeque<>();
  private final List<String> woken = new ArrayList<>();
  private final List<String> sent = new ArrayList<>();
  private final ServiceCalls calls =
      new ServiceCalls(memories, begun::add, object -> woken.add(uid(object)));

  private static String uid(HasMetadata object) {
    return object.getMetadata().getUid();
  }

  private static HasMetadata object(String uid, long generation) {
    return new PodBuilder()
        .withNewMetadata()
        .withUid(uid)
        .withGeneration(generation)
        .endMetadata()
        .build();
  }

  private Optional<String> ask(HasMetadata object, String question) {
    return calls.ask(object, question, () -> sent.add(question), () -> "answer to " + question);
  }

  private void answer() {
    begun.remove().run();
  }

  @Test
  void thePassGoesOnWithoutTheAnswerWhichWakesTheObjectAndStands() {
    var set = object("a", 1);
    assertThat(ask(set, "x")).isEmpty();
    assertThat(woken).isEmpty();
    answer();
    assertThat(woken).containsExactly("a");
    assertThat(ask(set, "x")).contains("answer to x");
    assertThat(ask(set, "x")).contains("answer to x");
    assertThat(sent).containsExactly("x");
  }

  @Test
  void anObjectHasOneCallUnderWayAndOthersHaveTheirs() {
    var set = object("a", 1);
    assertThat(ask(set, "x")).isEmpty();
    assertThat(calls.isUnderWay(set)).isTrue();
    assertThat(ask(set, "x")).isEmpty();
    assertThat(ask(set, "y")).as("not asked").isEmpty();
    assertThat(ask(object("b", 1), "y")).isEmpty();
    assertThat(sent).containsExactly("x", "y");
    assertThat(begun).hasSize(2);
    answer();
    assertThat(calls.isUnderWay(set)).isFalse();
    assertThat(ask(set, "y")).as("asked now").isEmpty();
    assertThat(begun).hasSize(2);
  }

  @Test
  void theAnswerToAFormerGenerationIsDroppedAndTheNextOneAsksAfterIt() {
    assertThat(ask(object("a", 1), "x")).isEmpty();
    assertThat(ask(object("a", 2), "x")).isEmpty();
    assertThat(begun).as("one under way").hasSize(1);
    answer();
    assertThat(woken).containsExactly("a");
    assertThat(ask(object("a", 2), "x")).as("the answer was to another question").isEmpty();
    answer();
    assertThat(ask(object("a", 2), "x")).isPresent();
    assertThat(ask(object("a", 3), "x")).isEmpty();
  }

  @Test
  void theAnswerToAnObjectThatIsGoneWakesNobody() {
    assertThat(ask(object("a", 1), "x")).isEmpty();
    memories.isGone("a");
    answer();
    assertThat(woken).isEmpty();
    assertThat(ask(object("new", 1), "x")).as("of the same name").isEmpty();
  }

  @Test
  void aFailureIsDelivered() {
    var set = object("a", 1);
    Optional<String> none =
        calls.ask(
            set,
            "x",
            () -> {},
            () -> {
              throw new IllegalStateException("no");
            });
    assertThat(none).isEmpty();
    answer();
    assertThat(woken).containsExactly("a");
    assertThatThrownBy(() -> ask(set, "x")).hasMessage("no");
  }

  /** An intent that could not be written. */
  @Test
  void nothingIsSentIfWhatComesBeforeFails() {
    Runnable fails =
        () -> {
          throw new IllegalStateException("not written");
        };
    var set = object("a", 1);
    assertThatThrownBy(() -> calls.ask(set, "x", fails, () -> "sent")).hasMessage("not written");
    assertThat(begun).isEmpty();
    assertThat(calls.isUnderWay(set)).isFalse();
  }

  @Test
  void whatIsForgottenIsAskedAgain() {
    var set = object("a", 1);
    assertThat(calls.<String>askOnce(set, "x", () -> "first")).isEmpty();
    answer();
    assertThat(calls.<String>askOnce(set, "x", () -> "second")).contains("first");
    assertThat(calls.<String>askOnce(set, "x", () -> "third")).isEmpty();
    calls.forget(set);
    answer();
    assertThat(ask(set, "x")).as("the answer was forgotten before it came").isEmpty();
  }

  @Test
  void anAnswerThatComesAtOnceWakesNobody() {
    var inline = new ServiceCalls(new Memories(), Runnable::run, o -> woken.add(uid(o)));
    assertThat(inline.<String>askOnce(object("a", 1), "x", () -> "now")).contains("now");
    assertThat(woken).isEmpty();
  }

  @Test
  void aProcessThatEndsBeginsNoCall() {
    var ended =
        new ServiceCalls(
            new Memories(),
            task -> {
              throw new RejectedExecutionException("ended");
            },
            object -> {});
    var set = object("a", 1);
    assertThat(ended.<String>askOnce(set, "x", () -> "sent")).isEmpty();
    assertThat(ended.isUnderWay(set)).isFalse();
  }
}
