package dev.runnerset.simulator.node;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;

/** The status patches a kubelet would write, each bound to the pod's uid. */
final class PodStatuses {
  private static final String HOST = "127.0.0.1";
  private final Pod pod;
  private final NodeOptions options;

  PodStatuses(Pod pod, NodeOptions options) {
    this.pod = pod;
    this.options = options;
  }

  /** What keeps the pod from starting, in the words of the scheduler and the kubelet. */
  ObjectNode hindered(PodFault.Obstacle obstacle, boolean first, Instant now) {
    return switch (obstacle) {
      case PodFault.Unschedulable _ ->
          unschedulable(
              "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1"
                  + " No preemption victims found for incoming pod.",
              now);
      case PodFault.ImagePullFails _ -> {
        var image = pod.getSpec().getContainers().getFirst().getImage();
        var error =
            "failed to pull and unpack image \""
                + image
                + "\": failed to resolve reference \""
                + image
                + "\": "
                + image
                + ": not found";
        yield first
            ? waiting("ErrImagePull", "rpc error: code = NotFound desc = " + error, now)
            : waiting(
                "ImagePullBackOff",
                "Back-off pulling image \"" + image + "\": ErrImagePull: " + error,
                now);
      }
      case PodFault.ConfigFails(var message) -> waiting("CreateContainerConfigError", message, now);
      case PodFault.StuckCreating _ -> waiting("ContainerCreating", "", now);
    };
  }

  ObjectNode unschedulable(String message, Instant now) {
    return patch(status ->
        condition(status.putArray("conditions"), "PodScheduled", false, now)
            .put("reason", "Unschedulable")
            .put("message", message));
  }

  /** Scheduled, but a container cannot start: {@code reason} as kubelet names it. */
  ObjectNode waiting(String reason, String message, Instant now) {
    return patch(status -> {
      status.put("phase", "Pending").put("hostIP", HOST).put("startTime", time(now));
      var conditions = status.putArray("conditions");
      condition(conditions, "PodScheduled", true, now);
      condition(conditions, "Ready", false, now).put("reason", "ContainersNotReady");
      containers(
          status,
          container -> {
            var waiting = state(container, "waiting").put("reason", reason);
            if (!message.isEmpty()) {
              waiting.put("message", message);
            }
          });
    });
  }

  /** An init container has ended with an error, and nothing starts it again. */
  ObjectNode initFailed(int exitCode, Instant now) {
    var inits = pod.getSpec().getInitContainers();
    return patch(status -> {
      status.put("phase", "Failed").put("hostIP", HOST).put("startTime", time(now));
      var conditions = status.putArray("conditions");
      condition(conditions, "PodScheduled", true, now);
      condition(conditions, "Initialized", false, now)
          .put("reason", "ContainersNotInitialized")
          .put(
              "message",
              "containers with incomplete status: "
                  + inits.stream().map(Container::getName).toList());
      condition(conditions, "Ready", false, now).put("reason", "PodFailed");
      containers(status, container -> state(container, "waiting").put("reason", "PodInitializing"));
      var array = status.putArray("initContainerStatuses");
      inits.forEach(init -> terminated(container(array, init), exitCode, "Error", now, now));
    });
  }

  ObjectNode running(Instant now) {
    return patch(status -> {
      status
          .put("phase", "Running")
          .put("hostIP", HOST)
          .put("podIP", HOST)
          .put("startTime", time(now));
      status.putArray("podIPs").addObject().put("ip", HOST);
      var conditions = status.putArray("conditions");
      for (var type : new String[] {"PodScheduled", "Initialized", "ContainersReady", "Ready"}) {
        condition(conditions, type, true, now);
      }
      containers(status, container -> state(container, "running").put("startedAt", time(now)));
    });
  }

  /**
   * The runner has ended; the pod with it, unless side-cars live on.
   *
   * @param why the kubelet's word for an end with an error: {@code Error}, {@code OOMKilled}
   */
  ObjectNode ended(int exitCode, String why, Instant started, Instant now) {
    var sideCars = options.sideCarsOutlive && pod.getSpec().getContainers().size() > 1;
    return patch(status -> {
      status.put("phase", sideCars ? "Running" : exitCode == 0 ? "Succeeded" : "Failed");
      var conditions = status.putArray("conditions");
      condition(conditions, "PodScheduled", true, started);
      condition(conditions, "Initialized", true, started);
      condition(conditions, "ContainersReady", false, now);
      condition(conditions, "Ready", false, now)
          .put("reason", exitCode == 0 ? "PodCompleted" : "PodFailed");
      containers(
          status,
          container -> {
            var isRunner = container.path("name").asText().equals(NodeOptions.RUNNER_CONTAINER);
            if (sideCars && !isRunner) {
              state(container, "running").put("startedAt", time(started));
            } else {
              terminated(container, isRunner ? exitCode : 0, why, started, now);
            }
          });
    });
  }

  /** The state of that kind; a container that runs is ready. */
  private static ObjectNode state(ObjectNode container, String kind) {
    boolean runs = kind.equals("running");
    return container.put("ready", runs).put("started", runs).putObject("state").putObject(kind);
  }

  private static void terminated(
      ObjectNode container, int code, String why, Instant started, Instant now) {
    state(container, "terminated")
        .put("exitCode", code)
        .put("reason", code == 0 ? "Completed" : why)
        .put("startedAt", time(started))
        .put("finishedAt", time(now));
  }

  private ObjectNode patch(Consumer<ObjectNode> content) {
    var patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("uid", pod.getMetadata().getUid());
    content.accept(patch.putObject("status"));
    return patch;
  }

  private void containers(ObjectNode status, Consumer<ObjectNode> state) {
    var array = status.putArray("containerStatuses");
    pod.getSpec().getContainers().forEach(made -> state.accept(container(array, made)));
  }

  private ObjectNode container(ArrayNode array, Container made) {
    return array
        .addObject()
        .put("name", made.getName())
        .put("image", made.getImage())
        .put("imageID", "simulated://" + made.getImage())
        .put("containerID", "simulated://" + pod.getMetadata().getUid() + "-" + made.getName())
        .put("restartCount", 0);
  }

  private static ObjectNode condition(ArrayNode conditions, String type, boolean is, Instant at) {
    return conditions
        .addObject()
        .put("type", type)
        .put("status", is ? "True" : "False")
        .put("lastTransitionTime", time(at));
  }

  static String time(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
