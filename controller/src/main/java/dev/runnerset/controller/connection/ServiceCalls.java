package dev.runnerset.controller.connection;

import dev.runnerset.controller.memory.Memories;
import dev.runnerset.controller.memory.Slots.Slot;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls of the Actions service beside the passes (docs/adr/0110). A pass asks for an answer and
 * goes on without it while its call is under way; the answer wakes the object. An answer counts
 * only for the uid and the generation that asked, and an object has one call under way at most.
 * Thread-safe; one thread asks for an object at a time.
 *
 * @param memories of the objects; no other instance takes the same
 * @param threads a call holds one until it ends
 * @param wake triggers a pass over the object; called on the thread of a call
 */
public record ServiceCalls(Memories memories, Executor threads, Consumer<HasMetadata> wake) {
  private static final Slot<Asked> ASKED = new Slot<>();

  /** What one object asked; guarded by itself. */
  private static final class Asked {
    private final Map<Object, Answer> answers = new HashMap<>();
    private long generation;

    /** Answers to questions of former rounds are dropped. */
    private int round;

    private boolean underWay;
    private boolean wakes;

    private void isOf(long now) {
      if (generation != now) {
        generation = now;
        drop();
      }
    }

    private void drop() {
      round++;
      answers.clear();
    }
  }

  private record Answer(@Nullable Object value, @Nullable RuntimeException failure) {
    @SuppressWarnings("unchecked") // a question has one type of answer
    <T> T get() {
      if (failure != null) {
        throw failure;
      }
      return (T) Objects.requireNonNull(value);
    }
  }

  /**
   * The answer to a question, which stands until {@link #forget}. Without one, the call begins
   * unless another one of the object is under way.
   *
   * @param question what tells it from other questions of the object; by it answers are found
   * @param before run just before the call begins, by the caller; if it fails, nothing is sent
   * @return empty while there is no answer; the object is woken when there may be one
   * @throws RuntimeException that of the call
   */
  public <T> Optional<T> ask(
      HasMetadata object, Object question, Runnable before, Supplier<T> call) {
    var asked = of(object);
    int round;
    synchronized (asked) {
      var answer = asked.answers.get(question);
      if (answer != null) {
        return Optional.of(answer.get());
      }
      if (asked.underWay) {
        asked.wakes = true;
        return Optional.empty();
      }
      round = asked.round;
    }
    before.run();
    synchronized (asked) {
      asked.underWay = true;
    }
    try {
      threads.execute(() -> run(object, asked, round, question, call));
    } catch (RejectedExecutionException e) { // the process ends
      synchronized (asked) {
        asked.underWay = false;
      }
      return Optional.empty();
    }
    synchronized (asked) {
      var answer = asked.answers.get(question);
      asked.wakes = answer == null;
      return answer == null ? Optional.empty() : Optional.of(answer.get());
    }
  }

  /** The answer to a question that is asked again after it was answered. */
  public <T> Optional<T> askOnce(HasMetadata object, Object question, Supplier<T> call) {
    boolean answered = true;
    try {
      var answer = this.<T>ask(object, question, () -> {}, call);
      answered = answer.isPresent();
      return answer;
    } finally {
      if (answered) {
        forget(object);
      }
    }
  }

  /** Takes the answer, if there is one; the next question begins a new call. Never blocks. */
  public <T> Optional<T> take(HasMetadata object, Object question) {
    var asked = of(object);
    synchronized (asked) {
      var answer = asked.answers.remove(question);
      return answer == null ? Optional.empty() : Optional.of(answer.get());
    }
  }

  /** Whether a call of the object is under way; it is woken when that ends. */
  public boolean isUnderWay(HasMetadata object) {
    var asked = of(object);
    synchronized (asked) {
      asked.wakes |= asked.underWay;
      return asked.underWay;
    }
  }

  /** Drops what was answered, also what a call that is under way will bring. */
  public void forget(HasMetadata object) {
    var asked = of(object);
    synchronized (asked) {
      asked.drop();
    }
  }

  private Asked of(HasMetadata object) {
    var meta = object.getMetadata();
    var asked = memories.of(object).begin(ASKED, Asked::new);
    synchronized (asked) {
      asked.isOf(Objects.requireNonNullElse(meta.getGeneration(), 0L));
    }
    return asked;
  }

  private void run(HasMetadata object, Asked asked, int round, Object question, Supplier<?> call) {
    var answer = new Answer(null, new IllegalStateException("the call broke off"));
    try {
      answer = new Answer(call.get(), null);
    } catch (RuntimeException e) {
      answer = new Answer(null, e);
    } finally {
      boolean wakes;
      synchronized (asked) {
        asked.underWay = false;
        if (asked.round == round) {
          asked.answers.put(question, answer);
        }
        wakes = asked.wakes && memories.of(object).find(ASKED) == asked;
        asked.wakes = false;
      }
      if (wakes) {
        wake.accept(object);
      }
    }
  }
}
