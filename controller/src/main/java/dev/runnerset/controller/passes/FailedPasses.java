package dev.runnerset.controller.passes;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.managerrole.RoleAdvice;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.EphemeralRunnerSetReason;
import dev.runnerset.crds.condition.Reason;
import dev.runnerset.crds.condition.RunnerSetReason;
import dev.runnerset.crds.condition.StatusConditions;
import dev.runnerset.crds.condition.StatusConditions.Value;
import dev.runnerset.kube.Denial;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.MergePatch;
import dev.runnerset.kube.Resource;
import dev.runnerset.kube.Unreadable;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reports on an object that its passes fail, from the third consecutive failure on (WR3).
 * Thread-safe.
 */
public final class FailedPasses {
  private static final int REPORTED_FROM = 3;

  /** Bound of the map: nobody reports deleted objects to this class. */
  private static final int MOST_COUNTED = 10_000;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String OURS = "dev.runnerset.";

  private final Map<String, Failures> failuresByUid = new ConcurrentHashMap<>();

  /**
   * The failures of one object.
   *
   * @param reportedOn the version that the condition was written onto; null before that
   */
  private record Failures(int inARow, @Nullable String reportedOn) {
    private Failures next() {
      return new Failures(inARow + 1, reportedOn);
    }
  }

  /**
   * Runs a pass.
   *
   * @param tell tells of the failure on the object; may block, and what it throws is dropped
   * @throws RuntimeException the failure of the pass
   */
  public <T> T run(HasMetadata object, Supplier<T> pass, Consumer<RuntimeException> tell) {
    var uid = object.getMetadata().getUid();
    T result;
    try {
      result = pass.get();
    } catch (RuntimeException e) {
      if (failuresByUid.size() >= MOST_COUNTED) {
        failuresByUid.clear();
      }
      var first = new Failures(1, null);
      if (failuresByUid.merge(uid, first, (before, _) -> before.next()).inARow() >= REPORTED_FROM) {
        try {
          tell.accept(e);
        } catch (RuntimeException notReported) {
          e.addSuppressed(notReported); // the next failure is reported
        }
      }
      throw e;
    }
    failuresByUid.remove(uid);
    return result;
  }

  /** Runs a pass; reports a failure by an event, since the conditions have another writer. */
  public <T> T run(HasMetadata object, Events events, Supplier<T> pass) {
    return run(
        object, pass, e -> events.warn(object, EphemeralRunnerSetReason.PASS_FAILED, words(e)));
  }

  /**
   * Runs a pass; reports a failure by the condition {@code PassesFailing}, which goes after a pass
   * that does not fail. It is written only onto the version that the pass saw.
   *
   * @param conditions of the object as the pass sees it
   * @param reported gets the message of each failure that is reported; must not block
   */
  public <T, K extends HasMetadata> T run(
      KubeApi kube,
      K object,
      List<Condition> conditions,
      Clock clock,
      Supplier<T> pass,
      Consumer<String> reported) {
    T result =
        run(
            object,
            pass,
            e -> {
              reported.accept(words(e));
              reportOnce(kube, object, conditions, words(e), clock.instant());
            });
    if (StatusConditions.find(conditions, ConditionType.PASSES_FAILING).isPresent()) {
      try {
        write(kube, object, others(conditions).toList());
      } catch (KubernetesClientException e) {
        if (e.getCode() != HttpURLConnection.HTTP_CONFLICT
            && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
          throw e; // else it changed meanwhile, and that event brings us back
        }
      }
    }
    return result;
  }

  /** Writes onto a version once: the cache may show the version again after the write. */
  private void reportOnce(
      KubeApi kube, HasMetadata object, List<Condition> conditions, String message, Instant now) {
    var uid = object.getMetadata().getUid();
    var version = object.getMetadata().getResourceVersion();
    var failures = failuresByUid.get(uid);
    if (failures != null && version.equals(failures.reportedOn())) {
      return;
    }
    report(kube, object, conditions, EphemeralRunnerSetReason.PASS_FAILED, message, now);
    failuresByUid.computeIfPresent(uid, (_, counted) -> new Failures(counted.inARow(), version));
  }

  /**
   * Reports on an object that was not read whole, by an event and the condition {@code
   * PassesFailing}; blocks for a request if that is news.
   *
   * @param conditions of the object as the pass sees it
   * @return whether the object must get no pass: it was not read whole, and is not being deleted
   */
  public static boolean refuses(
      KubeApi kube, Events events, HasMetadata object, List<Condition> conditions, Instant now) {
    var unreadable = Unreadable.of(object);
    if (unreadable.isEmpty() || object.isMarkedForDeletion()) {
      return false;
    }
    var reason = reason(unreadable.get());
    var words = words(unreadable.get());
    if (report(kube, object, conditions, reason, words, now)) {
      events.warn(object, reason, words);
    }
    return true;
  }

  /** The reason of a condition that says that an object was not read whole. */
  public static Reason reason(Unreadable unreadable) {
    return switch (unreadable) {
      case Unreadable.WrongType _ -> RunnerSetReason.SPEC_INVALID;
      case Unreadable.TooLarge _ -> RunnerSetReason.SPEC_TOO_LARGE;
    };
  }

  /** What to say of an object that was not read whole. */
  public static String words(Unreadable unreadable) {
    return "The controller does not work on this object, and everything that it created for it"
        + " stays as it is: correct the object, or delete it. What is wrong: "
        + unreadable.sentence();
  }

  /** Writes the condition onto the version that was read, unless it stands there. */
  private static boolean report(
      KubeApi kube,
      HasMetadata object,
      List<Condition> conditions,
      Reason reason,
      String message,
      Instant now) {
    var wanted =
        StatusConditions.build(
            conditions,
            ConditionType.PASSES_FAILING,
            Value.TRUE,
            reason,
            message,
            object.getMetadata().getGeneration(),
            now);
    if (conditions.contains(wanted)) {
      return false;
    }
    write(kube, object, Stream.concat(others(conditions), Stream.of(wanted)).toList());
    return true;
  }

  private static Stream<Condition> others(List<Condition> conditions) {
    return StatusConditions.without(conditions, ConditionType.PASSES_FAILING).stream();
  }

  private static void write(KubeApi kube, HasMetadata object, List<Condition> conditions) {
    var body = MergePatch.ifUnchanged(object);
    body.putObject("status").set("conditions", JSON.valueToTree(conditions));
    var _ = kube.mergeStatusBody(object.getClass(), Resource.of(object), body);
  }

  /** What to say of a failure; no more of it than the API server's words and the place. */
  public static String words(RuntimeException failure) {
    if (failure instanceof KubernetesClientException refused) {
      var words = Denial.words(refused);
      return "The API server refuses a request each time the controller reconciles this object;"
          + " the controller tries again. "
          + RoleAdvice.of(words)
              .map(advice -> "The controller lacks a permission: " + advice + ". ")
              .orElse("")
          + words;
    }
    return "The controller fails each time it reconciles this object ("
        + where(failure).orElse("at an unknown place")
        + "); the controller tries again: report it with the lines of the controller's log that"
        + " name this"
        + " object";
  }

  /** The kind of the failure, and where in our code it happened. */
  public static String place(RuntimeException failure) {
    var kind = failure.getClass().getSimpleName();
    return where(failure).map(at -> kind + " in " + at).orElse(kind);
  }

  private static Optional<String> where(RuntimeException failure) {
    return Arrays.stream(failure.getStackTrace())
        .filter(frame -> frame.getClassName().startsWith(OURS))
        .findFirst()
        .map(frame -> {
          var name = frame.getClassName();
          return name.substring(name.lastIndexOf('.') + 1) + "." + frame.getMethodName();
        });
  }
}
