package dev.runnerset.deployment.node;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The status that a kubelet writes of a pod with one container. Used by one thread. */
final class PodStatusBody {
  private final Pod pod;
  private final ContainerEnvironment.Place place;
  private final Instant scheduled;
  private final Map<String, Since> transitions = new HashMap<>();

  private record Since(boolean status, Instant at) {}

  /**
   * How the container stands.
   *
   * @param state now
   * @param last how it ended before its present start
   * @param started whether its startup probe, if any, has passed
   */
  record ContainerView(
      State state, Optional<Ended> last, int restarts, boolean started, boolean ready) {}

  /** The three states of a container. */
  sealed interface State permits State.Waiting, State.Running, Ended {
    /** It does not run: {@code reason} as the kubelet names it. */
    record Waiting(String reason, String message) implements State {}

    /** It runs. */
    record Running(Instant since) implements State {}
  }

  /** A run that is over. */
  record Ended(Instant started, Instant finished, int exitCode) implements State {}

  PodStatusBody(Pod pod, ContainerEnvironment.Place place, Instant scheduled) {
    this.pod = pod;
    this.place = place;
    this.scheduled = scheduled;
  }

  /** The merge patch, which only this very pod takes. */
  ObjectNode of(String phase, ContainerView container, Instant now) {
    var body = JsonNodeFactory.instance.objectNode();
    body.putObject("metadata").put("uid", pod.getMetadata().getUid());
    var status = body.putObject("status");
    status.put("phase", phase).put("hostIP", place.hostIp()).put("startTime", time(scheduled));
    status.putArray("hostIPs").addObject().put("ip", place.hostIp());
    status.put("podIP", place.podIp()).putArray("podIPs").addObject().put("ip", place.podIp());
    var conditions = status.putArray("conditions");
    condition(conditions, "PodScheduled", true, "", now);
    condition(conditions, "PodReadyToStartContainers", true, "", now);
    condition(conditions, "Initialized", true, "", now);
    var why = container.ready() ? "" : "ContainersNotReady";
    condition(conditions, "ContainersReady", container.ready(), why, now);
    condition(conditions, "Ready", container.ready(), why, now);
    var spec = pod.getSpec().getContainers().getFirst();
    var view =
        status
            .putArray("containerStatuses")
            .addObject()
            .put("name", spec.getName())
            .put("image", spec.getImage())
            .put("imageID", spec.getImage())
            .put("ready", container.ready())
            .put("started", container.started())
            .put("restartCount", container.restarts());
    state(view.putObject("state"), container.state());
    container.last().ifPresent(ended -> state(view.putObject("lastState"), ended));
    return body;
  }

  private void condition(
      ArrayNode conditions, String type, boolean status, String reason, Instant now) {
    var before = transitions.get(type);
    var since = before != null && before.status() == status ? before : new Since(status, now);
    transitions.put(type, since);
    var condition =
        conditions
            .addObject()
            .put("type", type)
            .put("status", status ? "True" : "False")
            .put("lastTransitionTime", time(since.at()));
    if (!reason.isEmpty()) {
      condition.put("reason", reason);
    }
  }

  private static void state(ObjectNode into, State state) {
    switch (state) {
      case State.Waiting(var reason, var message) ->
          into.putObject("waiting").put("reason", reason).put("message", message);
      case State.Running(var since) -> into.putObject("running").put("startedAt", time(since));
      case Ended(var started, var finished, var code) ->
          into.putObject("terminated")
              .put("exitCode", code)
              .put("reason", code == 0 ? "Completed" : "Error")
              .put("startedAt", time(started))
              .put("finishedAt", time(finished));
    }
  }

  private static String time(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
