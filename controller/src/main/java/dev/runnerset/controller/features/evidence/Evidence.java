package dev.runnerset.controller.features.evidence;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runnerset.base.Pure;
import dev.runnerset.base.Scrubber;
import dev.runnerset.base.ShortText;
import dev.runnerset.controller.podspec.RunnerPod;
import dev.runnerset.controller.podspec.SecretEnvironment;
import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The black box of a failed runner: how its pod, its containers and its node were, and the last
 * lines of its logs. At most {@link #LARGEST} bytes, and no credential in it.
 */
@Pure
public final class Evidence {
  /** The largest black box, in bytes of JSON. */
  public static final int LARGEST = 16 * 1024;

  private static final int MOST_CONTAINERS = 12;
  private static final int MOST_JOB_PODS = 3;
  private static final int MOST_CONDITIONS = 10;
  private static final int LONGEST_MESSAGE = 400;
  private static final int LONGEST_LINE = 200;

  /** Stands where the log would: the log may contain secrets that cannot be recognised. */
  private static final String LEFT_OUT =
      "left out: the container's environment has values of secrets";

  private static final ObjectMapper JSON = new ObjectMapper();

  private Evidence() {}

  /**
   * The black box.
   *
   * @param pod null if it is gone
   * @param jobPods the pods that its job had beside it
   * @param logs the last lines, by container
   */
  static Map<String, Object> of(
      @Nullable Pod pod, List<Pod> jobPods, Map<String, String> logs, Scrubber scrubber) {
    var ends = jobPods.stream().limit(MOST_JOB_PODS).map(each -> ends(each, scrubber)).toList();
    if (pod == null) {
      return withJobPods(Map.of("pod", Map.of("phase", "gone")), ends);
    }
    var cleaned = new HashMap<String, String>();
    logs.forEach((container, log) -> cleaned.put(container, clean(log, scrubber)));
    for (int each = LARGEST / 2; ; each /= 2) {
      var box = withJobPods(box(pod, cleaned, scrubber, each), ends);
      if (size(box) <= LARGEST || each == 0) {
        return box;
      }
    }
  }

  private static Map<String, Object> withJobPods(
      Map<String, Object> box, List<Map<String, Object>> ends) {
    if (ends.isEmpty()) {
      return box;
    }
    var both = new LinkedHashMap<>(box);
    both.put("jobPods", ends);
    return both;
  }

  /** The pod of a job: nothing that its containers wrote, which may hold any secret. */
  private static Map<String, Object> ends(Pod pod, Scrubber scrubber) {
    var status = Objects.requireNonNullElseGet(pod.getStatus(), PodStatus::new);
    var to = new LinkedHashMap<String, Object>();
    put(to, "name", pod.getMetadata().getName());
    put(to, "phase", status.getPhase());
    put(to, "reason", status.getReason());
    put(to, "message", message(status.getMessage(), scrubber));
    var containers =
        status.getContainerStatuses().stream()
            .limit(MOST_CONTAINERS)
            .map(each -> state(each, null, scrubber))
            .toList();
    if (!containers.isEmpty()) {
      to.put("containers", containers);
    }
    return to;
  }

  /** The last line of the runner's log that says something; empty if there is none. */
  static Optional<String> lastLine(Map<String, String> logs, Scrubber scrubber) {
    return clean(logs.get(RunnerPod.CONTAINER), scrubber)
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .reduce((before, last) -> last)
        .map(line -> ShortText.of(line, LONGEST_LINE));
  }

  private static Map<String, Object> box(
      Pod pod, Map<String, String> logs, Scrubber scrubber, int longestLog) {
    var status = Objects.requireNonNullElseGet(pod.getStatus(), PodStatus::new);
    var box = new LinkedHashMap<String, Object>();
    if (pod.getSpec() != null && pod.getSpec().getNodeName() != null) {
      box.put("node", pod.getSpec().getNodeName());
    }
    var about = new LinkedHashMap<String, Object>();
    put(about, "phase", status.getPhase());
    put(about, "reason", status.getReason());
    put(about, "message", message(status.getMessage(), scrubber));
    put(about, "deletedAt", pod.getMetadata().getDeletionTimestamp());
    var conditions =
        status.getConditions().stream()
            .limit(MOST_CONDITIONS)
            .map(condition -> condition(condition, scrubber))
            .toList();
    if (!conditions.isEmpty()) {
      about.put("conditions", conditions);
    }
    box.put("pod", about);
    var containers = containers(pod, logs, scrubber, longestLog);
    if (!containers.isEmpty()) {
      box.put("containers", containers);
    }
    return box;
  }

  private static Map<String, Object> condition(PodCondition from, Scrubber scrubber) {
    var to = new LinkedHashMap<String, Object>();
    put(to, "type", from.getType());
    put(to, "status", from.getStatus());
    put(to, "reason", from.getReason());
    put(to, "message", message(from.getMessage(), scrubber));
    put(to, "since", from.getLastTransitionTime());
    return to;
  }

  private static List<Map<String, Object>> containers(
      Pod pod, Map<String, String> logs, Scrubber scrubber, int longestLog) {
    var status = Objects.requireNonNullElseGet(pod.getStatus(), PodStatus::new);
    var all = new ArrayList<Map<String, Object>>();
    Stream.concat(
            status.getInitContainerStatuses().stream(), status.getContainerStatuses().stream())
        .limit(MOST_CONTAINERS)
        .forEach(c -> {
          boolean secret = SecretEnvironment.isIn(pod, c.getName());
          var log = end(logs.getOrDefault(c.getName(), ""), longestLog);
          all.add(container(c, secret ? null : log, scrubber));
        });
    return all;
  }

  /**
   * A container.
   *
   * @param log its end; null if nothing that it wrote is shown
   */
  private static Map<String, Object> container(
      ContainerStatus from, @Nullable String log, Scrubber scrubber) {
    var to = state(from, log, scrubber);
    put(to, "log", log == null ? LEFT_OUT : log);
    return to;
  }

  private static Map<String, Object> state(
      ContainerStatus from, @Nullable String log, Scrubber scrubber) {
    var to = new LinkedHashMap<String, Object>();
    put(to, "name", from.getName());
    var state = Objects.requireNonNullElseGet(from.getState(), ContainerState::new);
    if (state.getTerminated() != null) {
      var ended = state.getTerminated();
      to.put("state", "terminated");
      put(to, "exitCode", ended.getExitCode());
      put(to, "signal", ended.getSignal());
      put(to, "reason", ended.getReason());
      put(to, "message", log == null ? null : message(ended.getMessage(), scrubber));
      put(to, "startedAt", ended.getStartedAt());
      put(to, "finishedAt", ended.getFinishedAt());
    } else if (state.getRunning() != null) {
      to.put("state", "running");
      put(to, "startedAt", state.getRunning().getStartedAt());
    } else if (state.getWaiting() != null) {
      to.put("state", "waiting");
      put(to, "reason", state.getWaiting().getReason());
      put(to, "message", message(state.getWaiting().getMessage(), scrubber));
    }
    return to;
  }

  private static String message(@Nullable String text, Scrubber scrubber) {
    return ShortText.of(clean(text, scrubber), LONGEST_MESSAGE);
  }

  /** Scrubbed twice: a secret may be cut by characters that are taken out, or hold such ones. */
  private static String clean(@Nullable String text, Scrubber scrubber) {
    return scrubber.scrub(ShortText.lines(scrubber.scrub(text)));
  }

  /** The end of a log, from the beginning of a line on if there is one. */
  private static String end(String log, int longest) {
    var text = log.stripTrailing();
    if (text.length() <= longest) {
      return text;
    }
    int from = text.length() - longest;
    int line = text.indexOf('\n', from);
    return text.substring(line < 0 ? from : line + 1);
  }

  private static void put(Map<String, Object> to, String key, @Nullable Object value) {
    if (value != null && !value.equals("")) {
      to.put(key, value instanceof String text ? ShortText.lines(text) : value);
    }
  }

  static int size(Map<String, Object> box) {
    try {
      return JSON.writeValueAsString(box).getBytes(StandardCharsets.UTF_8).length;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e); // texts and numbers only
    }
  }
}
