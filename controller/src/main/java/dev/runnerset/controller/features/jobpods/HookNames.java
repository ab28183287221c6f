package dev.runnerset.controller.features.jobpods;

import dev.runnerset.base.Pure;

/**
 * How the container hooks name what they make for a job (packages/k8s/src/hooks/constants.ts of
 * actions/runner-container-hooks 0.8.1). Each name begins with the name of the runner's pod, cut so
 * that the whole has at most 63 characters; the label has that name whole.
 */
@Pure
final class HookNames {
  /** The label of pods, batch jobs and secrets: the name of the runner's pod. */
  static final String LABEL = "runner-pod";

  private static final int LONGEST = 63;
  private static final String WORKFLOW = "-workflow";
  private static final String STEP = "-step-";
  private static final String SECRET = "-secret-";

  /** The hooks take so many characters of a random UUID. */
  private static final int RANDOM = 8;

  private HookNames() {}

  /** Whether the hooks in the pod of that runner give such a name to a pod or a batch job. */
  static boolean isPodOf(String name, String runner) {
    return name.equals(cut(runner, WORKFLOW.length()) + WORKFLOW) || isDrawn(name, runner, STEP);
  }

  /** Whether the hooks in the pod of that runner give such a name to a secret. */
  static boolean isSecretOf(String name, String runner) {
    return isDrawn(name, runner, SECRET);
  }

  private static boolean isDrawn(String name, String runner, String what) {
    var prefix = cut(runner, what.length() + RANDOM) + what;
    return name.startsWith(prefix)
        && name.substring(prefix.length()).matches("[0-9a-f]{" + RANDOM + "}");
  }

  private static String cut(String runner, int room) {
    return runner.substring(0, Math.min(runner.length(), LONGEST - room));
  }
}
