package dev.runnerset.simulator.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** One pod from scheduling to its end, on one virtual thread. */
final class PodRun {
  /** Why a pod ends other than by its runner ending. */
  enum End {
    TERMINATED,
    VANISHED
  }

  private static final Logger LOG = LoggerFactory.getLogger(PodRun.class);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final int TRIES = 5;

  /** The exit code of a process that was ended by SIGKILL. */
  private static final int KILLED = 137;

  private final Pod pod;
  private final PodIdentity id;
  private final SimulatedNode node;
  private final PodStatuses statuses;
  private final CompletableFuture<End> end = new CompletableFuture<>();
  private @Nullable SimulatedRunner runner; // guarded by this

  PodRun(Pod pod, SimulatedNode node) {
    this.pod = pod;
    this.id = PodIdentity.of(pod);
    this.node = node;
    this.statuses = new PodStatuses(pod, node.options());
  }

  /** Ends the pod; its runner is asked to end, or killed. Returns at once. */
  synchronized void end(End why) {
    end.complete(why);
    if (runner != null) {
      if (why == End.VANISHED) {
        runner.kill();
      } else {
        runner.stop();
      }
    }
  }

  /** The job of its runner is worked off at once; false if no runner has begun yet. */
  synchronized boolean finishWork() {
    if (runner == null) {
      return false;
    }
    runner.finishWork();
    return true;
  }

  /** Plays the pod; returns when nothing is left to be done for it. */
  void run() {
    try {
      occupy();
      settle();
    } catch (IOException e) {
      var stopping = Thread.currentThread().isInterrupted();
      LOG.atLevel(stopping ? Level.DEBUG : Level.WARN)
          .addKeyValue("pod", id.name())
          .addKeyValue("error", e.toString())
          .log("pod abandoned");
    } catch (InterruptedException e) {
      LOG.atDebug().addKeyValue("pod", id.name()).log("node stops");
    }
  }

  /** From the wait for a place to the end of the runner: what is over takes up no place. */
  private void occupy() throws IOException, InterruptedException {
    if (!isFreeOf(PodFault.Unschedulable.class)) {
      return;
    }
    var bound = pod.getSpec().getNodeName();
    var place = bound == null ? node.places().request() : node.places().occupy(bound);
    try {
      if (schedule(place)) {
        live();
      }
    } finally {
      node.places().giveUp(place);
    }
  }

  /** Whether the pod is bound to the node of its place. */
  private boolean schedule(CompletableFuture<String> place) throws IOException {
    if (!place.isDone()) {
      patch(statuses.unschedulable(node.places().shortage(), nodeTime()));
      CompletableFuture.anyOf(place, end).join();
    }
    if (end.isDone()) {
      return false;
    }
    if (pod.getSpec().getNodeName() != null) {
      return true;
    }
    var binding = JsonNodeFactory.instance.objectNode();
    binding.put("apiVersion", "v1").put("kind", "Binding");
    binding
        .putObject("metadata")
        .put("name", id.name())
        .put("namespace", id.namespace())
        .put("uid", id.uid());
    binding
        .putObject("target")
        .put("apiVersion", "v1")
        .put("kind", "Node")
        .put("name", place.join());
    var answer = node.kube().post(id.path() + "/binding", binding);
    if (!answer.isSuccess() && !isBoundTo(place.join())) {
      LOG.atDebug()
          .addKeyValue("pod", id.name())
          .addKeyValue("status", answer.status())
          .log("pod not bound");
      return false;
    }
    node.record(id, t -> t.bound(now()));
    return true;
  }

  /** Whether a binding took effect whose answer was lost. */
  private boolean isBoundTo(String name) throws IOException {
    var there = node.kube().get(id.path()).body();
    return there.at("/metadata/uid").asText().equals(id.uid())
        && there.at("/spec/nodeName").asText().equals(name);
  }

  /** Waits while such a thing is in the way; false if the pod ends before it is lifted. */
  private boolean isFreeOf(Class<? extends PodFault.Obstacle> kind)
      throws IOException, InterruptedException {
    for (int tries = 0; ; tries++) {
      var fault = node.faultOf(id);
      if (fault.isEmpty() || !kind.isInstance(fault.get())) {
        return true;
      }
      if (tries < 2) { // from then on a kubelet repeats itself
        patch(statuses.hindered(kind.cast(fault.get()), tries == 0, nodeTime()));
      }
      if (Pause.until(end, RETRY)) {
        return false;
      }
    }
  }

  private void live() throws IOException, InterruptedException {
    if (Pause.until(end, node.options().imagePull)
        || !isFreeOf(PodFault.Obstacle.class)
        || Pause.until(end, node.options().containerStart)) {
      return;
    }
    var fault = node.faultOf(id);
    if (fault.orElse(null) instanceof PodFault.InitContainerFails(int exitCode)) {
      patch(statuses.initFailed(exitCode, nodeTime()));
      return;
    }
    var jit = new JitSecret(pod, NodeOptions.RUNNER_CONTAINER);
    var blob = jit.read(node.kube());
    if (blob.isEmpty()) {
      patch(statuses.waiting("CreateContainerConfigError", "secret not found", nodeTime()));
      while (blob.isEmpty()) {
        if (Pause.until(end, RETRY)) {
          return;
        }
        blob = jit.read(node.kube());
      }
    }
    var started = now();
    var dated = nodeTime();
    if (!patch(statuses.running(dated))) {
      return;
    }
    node.record(id, t -> t.running(started));
    int code = runnerExit(blob.get(), fault);
    node.record(id, t -> t.finished(now(), code));
    if (!end.isDone()) {
      var killed = fault.orElse(null) instanceof PodFault.RunsOutOfMemory;
      patch(statuses.ended(code, killed ? "OOMKilled" : "Error", dated, nodeTime()));
    }
  }

  private int runnerExit(String blob, Optional<PodFault> fault) throws InterruptedException {
    switch (fault.orElse(null)) {
      case PodFault.ExitsEarly(int exitCode) -> {
        return exitCode;
      }
      case PodFault.RunsOutOfMemory _ -> {
        return KILLED;
      }
      case PodFault.CannotConnect _ -> {
        while (node.faultOf(id).orElse(null) instanceof PodFault.CannotConnect) {
          if (Pause.until(end, RETRY)) {
            return SimulatedRunner.DONE;
          }
        }
      }
      case null, default -> {}
    }
    if (Pause.until(end, node.options().onlineDelay)) {
      return SimulatedRunner.DONE;
    }
    int code;
    try {
      var made = node.runner(blob, pod, image());
      synchronized (this) {
        runner = made;
        if (end.isDone()) {
          made.stop();
        }
      }
      code = made.run();
    } catch (IllegalArgumentException undecodable) {
      LOG.atInfo().addKeyValue("pod", id.name()).log("runner got no usable JIT configuration");
      code = SimulatedRunner.DONE; // exit 1, which the wrapper turns into 0
    }
    if (fault.orElse(null) instanceof PodFault.NeverEnds) {
      end.join();
    }
    return fault.orElse(null) instanceof PodFault.ExitsWith(int exitCode) ? exitCode : code;
  }

  private String image() {
    return pod.getSpec().getContainers().stream()
        .filter(container -> container.getName().equals("runner"))
        .map(container -> Objects.requireNonNullElse(container.getImage(), ""))
        .findFirst()
        .orElse("");
  }

  /** Waits for a reason to go, if the pod is not at its end, and does what it asks. */
  private void settle() throws IOException {
    if (end.join() == End.TERMINATED) {
      delete();
    }
  }

  private void delete() throws IOException {
    var options = JsonNodeFactory.instance.objectNode();
    options.put("apiVersion", "v1").put("kind", "DeleteOptions").put("gracePeriodSeconds", 0);
    options.putObject("preconditions").put("uid", id.uid());
    node.kube().delete(id.path(), options);
  }

  /** Whether the status was written; false if the pod is gone. */
  private boolean patch(JsonNode patch) throws IOException {
    for (int i = 0; i < TRIES; i++) {
      var answer = node.kube().patch(id.path() + "/status", patch);
      if (answer.isSuccess()) {
        return true;
      }
      if (answer.status() == 404 || answer.status() == 409 || end.isDone()) {
        return false;
      }
    }
    throw new IOException("the status of pod " + id.name() + " was refused");
  }

  private Instant now() {
    return NodeOptions.CLOCK.instant();
  }

  private Instant nodeTime() {
    return node.options().nodeTime();
  }
}
