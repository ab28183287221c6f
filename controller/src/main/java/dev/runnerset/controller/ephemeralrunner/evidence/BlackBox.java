package dev.runnerset.controller.ephemeralrunner.evidence;

import dev.runnerset.base.ShortText;
import dev.runnerset.controller.ephemeralrunner.start.RunnerObjects;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerFailure;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Collects the evidence of a runner that failed, as far as it can be had within a few seconds. */
public final class BlackBox {
  private static final Logger LOG = LoggerFactory.getLogger(BlackBox.class);

  /** The reconciler waits for it. */
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private static final int LONGEST_MESSAGE = 700;

  private final RunnerObjects objects;
  private final Clock clock;

  public BlackBox(RunnerObjects objects, Clock clock) {
    this.objects = objects;
    this.clock = clock;
  }

  /** The failure with its evidence, and the last line of the runner's log in its message. */
  public RunnerFailure of(EphemeralRunner runner, RunnerFailure failure) {
    try {
      return collect(runner, failure);
    } catch (KubernetesClientException e) {
      LOG.atInfo()
          .addKeyValue("namespace", runner.getMetadata().getNamespace())
          .addKeyValue("runner", runner.getMetadata().getName())
          .addKeyValue("error", e.getMessage())
          .log("the evidence of a failed runner could not be read");
      return failure;
    }
  }

  private RunnerFailure collect(EphemeralRunner runner, RunnerFailure failure) {
    var meta = runner.getMetadata();
    var pod =
        objects
            .pod(meta.getNamespace(), meta.getName())
            .filter(found -> RunnerPod.isOwnedBy(found, runner))
            .orElse(null);
    var secret = objects.secret(meta.getNamespace(), meta.getName()).orElse(null);
    var scrubber = Scrubber.of(secret, pod);
    var logs = pod == null ? Map.<String, String>of() : logs(pod);
    var message = scrubber.scrub(failure.message());
    var told =
        Evidence.lastLine(logs, scrubber)
            .map(line -> message + "; its log ends with: " + line)
            .orElse(message);
    return new RunnerFailure(
        failure.reason(),
        ShortText.of(told, LONGEST_MESSAGE),
        failure.exitCode(),
        Evidence.of(pod, logs, scrubber));
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
      if (clock.instant().isBefore(until)) {
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
    } catch (KubernetesClientException e) {
      LOG.atInfo()
          .addKeyValue("namespace", meta.getNamespace())
          .addKeyValue("pod", meta.getName())
          .addKeyValue("container", container)
          .addKeyValue("error", e.getMessage())
          .log("the log of a failed runner could not be read");
    }
  }
}
