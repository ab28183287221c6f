package dev.runnerset.controller.features.evidence;

import dev.runnerset.base.Scrubber;
import dev.runnerset.base.ShortText;
import dev.runnerset.controller.ephemeralrunner.FailureEvidence;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.ownership.LogLines;
import dev.runnerset.controller.podspec.RunnerCredentials;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.controller.podspec.SecretEnvironment;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerFailure;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects the evidence of a runner that failed, as far as it can be had within a few seconds.
 *
 * @param jobPods the pods that the job of a runner has beside it, with the ends of their containers
 */
public record BlackBox(
    RunnerObjects objects, Function<EphemeralRunner, List<Pod>> jobPods, Clock clock)
    implements FailureEvidence {
  private static final Logger LOG = LoggerFactory.getLogger(BlackBox.class);

  /** The reconciler waits for it. */
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private static final int LONGEST_MESSAGE = 700;

  /**
   * The failure with its evidence, if it has none yet, and the last line of the runner's log in its
   * message. Throws nothing: whatever goes wrong here, the failure is written.
   */
  @Override
  public RunnerFailure with(EphemeralRunner runner, RunnerFailure failure) {
    if (!failure.evidence().isEmpty()) {
      return withMessage(
          failure, Scrubber.OF_NOTHING_KNOWN.scrub(failure.message()), failure.evidence());
    }
    var known = new Known();
    try {
      return collect(runner, failure, known);
    } catch (RuntimeException | StackOverflowError e) {
      LogLines.about(runner, LOG.atInfo())
          .addKeyValue("error", sentence(e))
          .log("the evidence of a failed runner could not be read");
      return withMessage(failure, known.scrubber().scrub(failure.message()), failure.evidence());
    }
  }

  private static RunnerFailure withMessage(
      RunnerFailure failure, String message, Map<String, Object> evidence) {
    return new RunnerFailure(
        failure.reason(),
        ShortText.of(message, LONGEST_MESSAGE),
        failure.exitCode(),
        evidence,
        failure.jobLostBy());
  }

  /** What was read before something went wrong. */
  private static final class Known {
    private @Nullable Pod pod;
    private @Nullable Secret secret;

    Scrubber scrubber() {
      return RunnerCredentials.scrubber(secret, pod);
    }
  }

  private RunnerFailure collect(EphemeralRunner runner, RunnerFailure failure, Known known) {
    var meta = runner.getMetadata();
    var pod =
        objects
            .pod(meta.getNamespace(), meta.getName())
            .filter(found -> RunnerPod.isOwnedBy(found, runner))
            .orElse(null);
    known.pod = pod;
    known.secret = objects.secret(meta.getNamespace(), meta.getName()).orElse(null);
    var scrubber = known.scrubber();
    var logs = pod == null ? Map.<String, String>of() : logs(pod);
    var message = scrubber.scrub(failure.message());
    var withReason =
        Evidence.lastLine(logs, scrubber)
            .map(line -> message + "; its log ends with: " + line)
            .orElse(message);
    return withMessage(
        failure, withReason, Evidence.of(pod, jobPods.apply(runner), logs, scrubber));
  }

  /** An error that is no answer of the API server may quote what was read: its kind alone. */
  private static String sentence(Throwable error) {
    return error instanceof KubernetesClientException
        ? Scrubber.OF_NOTHING_KNOWN.scrub(error.getMessage())
        : error.getClass().getSimpleName();
  }

  /** The runner's log first: there may be no time for the others. */
  private Map<String, String> logs(Pod pod) {
    var until = clock.instant().plus(LONGEST);
    var logs = new HashMap<String, String>();
    var status = pod.getStatus();
    if (status == null) {
      return logs;
    }
    var others =
        Stream.concat(
                status.getInitContainerStatuses().stream(), status.getContainerStatuses().stream())
            .filter(BlackBox::hasRun)
            .map(ContainerStatus::getName)
            .filter(name -> !RunnerPod.CONTAINER.equals(name));
    var runner =
        status.getContainerStatuses().stream()
            .filter(BlackBox::hasRun)
            .map(ContainerStatus::getName)
            .filter(RunnerPod.CONTAINER::equals);
    for (var container : Stream.concat(runner, others).toList()) {
      if (clock.instant().isBefore(until) && !SecretEnvironment.isIn(pod, container)) {
        read(pod, container, logs);
      }
    }
    return logs;
  }

  private static boolean hasRun(ContainerStatus container) {
    var state = container.getState();
    return state != null && (state.getRunning() != null || state.getTerminated() != null);
  }

  private void read(Pod pod, String container, Map<String, String> logs) {
    var meta = pod.getMetadata();
    try {
      logs.put(container, objects.logEnd(meta.getNamespace(), meta.getName(), container));
    } catch (RuntimeException e) {
      LogLines.about(pod, LOG.atInfo())
          .addKeyValue("container", container)
          .addKeyValue("error", sentence(e))
          .log("the log of a failed runner could not be read");
    }
  }
}
