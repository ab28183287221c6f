package dev.runnerset.controller.runner;

import io.fabric8.kubernetes.api.model.Pod;

/** What became of one try to start a runner. */
sealed interface StartOutcome {
  /** Its pod is there, made now or before. */
  record Made(Pod pod) implements StartOutcome {}

  /** Its name belongs to something that is not ours. */
  record NameOfAnother(String why) implements StartOutcome {}

  /** The server refuses the pod for good. */
  record PodRefused(String message) implements StartOutcome {}

  /** The secret is there and the pod was forbidden: only the pod is to be tried again. */
  record PodForbidden(long runnerId, String message) implements StartOutcome {}

  /** Not now; to be tried again from the beginning. {@code condition} is False for it. */
  record NotNow(String condition, String reason, String message) implements StartOutcome {}

  /** Nothing can be made in this namespace any more. */
  record NamespaceGone() implements StartOutcome {}
}
