package dev.runnerset.controller.ephemeralrunner.start;

import dev.runnerset.actions.JitConfigResult.Registered;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.Reason;
import io.fabric8.kubernetes.api.model.Pod;
import org.jspecify.annotations.Nullable;

/** What became of one try to start a runner. */
public sealed interface StartOutcome {
  /** Its pod is there, made now or before. */
  record Made(Pod pod) implements StartOutcome {}

  /** Nothing was sent: the same step is to be tried again. */
  record NotBegun(Reason reason, String message) implements StartOutcome {}

  /** Nothing was made at the API server: to be tried again. {@code condition} is False for it. */
  record NotNow(ConditionType condition, Reason reason, String message) implements StartOutcome {}

  /** The runner is registered, its secret was not made: only the secret is to be tried again. */
  record SecretNotNow(Registered fresh, Reason reason, String message) implements StartOutcome {}

  /** The secret is there, the pod was not made: only the pod is to be tried again. */
  record PodNotNow(long runnerId, ConditionType condition, Reason reason, String message)
      implements StartOutcome {}

  /** Whether something was made is not known. */
  record Unknown(@Nullable Long runnerId) implements StartOutcome {}

  /** It cannot start, or nobody can tell whether it does: the runner has failed. */
  record GivenUp(@Nullable Long runnerId, Reason reason, String message) implements StartOutcome {}

  /**
   * An earlier process left something behind: the runner is replaced. That is no failure, so that a
   * restart does not hold other runners back.
   */
  record LeftBehind(String why) implements StartOutcome {}

  /** Nothing can be made in this namespace any more. */
  record NamespaceGone(long runnerId) implements StartOutcome {}
}
