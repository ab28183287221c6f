package dev.runnerset.deployment.node;

import dev.runnerset.deployment.node.PodStatusBody.ContainerView;
import dev.runnerset.deployment.node.PodStatusBody.Ended;
import dev.runnerset.deployment.node.PodStatusBody.State;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of one pod on this node: one thread that starts its container, judges its probes, starts
 * it again, ends it, and writes the pod's status.
 */
final class PodRun {
  private static final Logger LOG = LoggerFactory.getLogger(PodRun.class);

  /** A kubelet starts a container again at once after its first end, and later after a wait. */
  private static final Duration PAUSE = Duration.ofSeconds(10);

  private final Pod pod;
  private final Node node;
  private final ContainerEnvironment.Place place;
  private final PodStatusBody body;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private volatile @Nullable ContainerProcess process;

  /** What a run needs of its node. */
  interface Node {
    KubernetesClient client();

    Clock clock();

    /** A folder of the pod's own. */
    Path folder();

    Path log();

    /** Ports of 127.0.0.1 that lead out of the pod. */
    List<Integer> doors();

    Optional<ContainerImage> image(String name);

    void tell(Happening.Kind kind, String detail);
  }

  /** What the thread of the pod waits for. */
  private sealed interface Event {
    /** The container's process has ended. */
    record Exited(int start, int code) implements Event {}

    /** A probe was answered, or not. */
    record Probed(int start, Prober.Kind kind, boolean success, String why) implements Event {}

    /** The pod is to end within this time; without one, at once and without a word. */
    record End(Optional<Duration> grace) implements Event {}
  }

  PodRun(Pod pod, ContainerEnvironment.Place place, Node node) {
    this.pod = pod;
    this.place = place;
    this.node = node;
    body = new PodStatusBody(pod, place, node.clock().instant());
  }

  /** The pod is deleted: its container has this long. */
  void terminate(Duration grace) {
    events.add(new Event.End(Optional.of(grace)));
  }

  /** The pod is gone, or the node is. */
  void vanish() {
    events.add(new Event.End(Optional.empty()));
  }

  /** The process of its container; null while there is none. */
  @Nullable ContainerProcess process() {
    return process;
  }

  /** Plays the pod to its end. */
  void run() {
    try {
      play();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      LOG.atError().addKeyValue("pod", pod.getMetadata().getName()).setCause(e).log("pod failed");
      node.tell(Happening.Kind.UNPLAYABLE, "the node failed: " + e);
    }
  }

  private void play() throws IOException, InterruptedException {
    ContainerPlan plan;
    try {
      plan = ContainerPlan.of(pod, place, node);
    } catch (UnplayableException e) {
      refuse(e);
      return;
    }
    var address = InetAddress.ofLiteral(place.podIp());
    try (var sandbox = PodSandbox.open(pod.getMetadata().getName(), address, node.doors())) {
      plan.volumes().write(node.folder().resolve("volumes"));
      play(plan, sandbox);
    } catch (UnplayableException e) {
      refuse(e);
    }
  }

  private void refuse(UnplayableException why) throws InterruptedException {
    var message = Objects.requireNonNull(why.getMessage());
    node.tell(Happening.Kind.UNPLAYABLE, message);
    var waiting = new State.Waiting("CreateContainerConfigError", message);
    write("Pending", new ContainerView(waiting, Optional.empty(), 0, false, false));
    if (awaitEnd(Optional.empty()).grace().isPresent()) {
      remove();
    }
  }

  private void play(ContainerPlan plan, PodSandbox sandbox)
      throws IOException, InterruptedException {
    Optional<Ended> last = Optional.empty();
    for (int start = 0; ; start++) {
      var outcome = new ContainerRun(plan, sandbox, start, last).play();
      last = Optional.of(outcome.ended());
      if (outcome.end().isPresent()) {
        end(outcome.end().get(), outcome.ended(), start);
        return;
      }
      if (start > 0) {
        var waiting = new State.Waiting("CrashLoopBackOff", "back-off " + PAUSE + " restarting");
        write("Running", new ContainerView(waiting, last, start, false, false));
        var end = awaitEnd(Optional.of(PAUSE));
        if (end != NOT_YET) {
          end(end, outcome.ended(), start);
          return;
        }
      }
    }
  }

  private static final Event.End NOT_YET = new Event.End(Optional.of(Duration.ZERO));

  private static String phase(Ended ended) {
    return ended.exitCode() == 0 ? "Succeeded" : "Failed";
  }

  private static ContainerView ended(Ended ended, int restarts) {
    return new ContainerView(ended, Optional.empty(), restarts, false, false);
  }

  private void end(Event.End end, Ended ended, int restarts) {
    if (end.grace().isPresent()) {
      write(phase(ended), ended(ended, restarts));
      remove();
    }
  }

  /** Waits for the end of the pod, but not longer than this. */
  private Event.End awaitEnd(Optional<Duration> atMost) throws InterruptedException {
    long deadline = System.nanoTime() + atMost.map(Duration::toNanos).orElse(Long.MAX_VALUE / 2);
    while (true) {
      var event = events.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (event == null) {
        return NOT_YET;
      }
      if (event instanceof Event.End end) {
        return end;
      }
    }
  }

  /** One run of the container, from its start to its end. */
  private final class ContainerRun {
    private final ContainerPlan plan;
    private final PodSandbox sandbox;
    private final int start;
    private final Optional<Ended> last;
    private final Instant begin = node.clock().instant();
    private final ContainerProcess running;
    private ProbeVerdict startup;
    private ProbeVerdict alive = ProbeVerdict.initially(true);
    private ProbeVerdict ready;
    private int startupFailures;

    /** How it ended. */
    record Outcome(Ended ended, Optional<Event.End> end) {}

    ContainerRun(ContainerPlan plan, PodSandbox sandbox, int start, Optional<Ended> last)
        throws IOException, InterruptedException {
      this.plan = plan;
      this.sandbox = sandbox;
      this.start = start;
      this.last = last;
      startup = ProbeVerdict.initially(plan.probes().startup().isEmpty());
      ready = ProbeVerdict.initially(plan.probes().readiness().isEmpty());
      var folder = node.folder().resolve("container-" + start);
      running = ContainerProcess.start(sandbox, plan.setup(folder, node.log()));
      process = running;
    }

    Outcome play() throws IOException, InterruptedException {
      node.tell(Happening.Kind.STARTED, start == 0 ? "" : "restart " + start);
      var _ = running.ended().thenAccept(code -> events.add(new Event.Exited(start, code)));
      try (var probers = new Prober(sandbox, this::probed)) {
        write();
        probers.start(Prober.Kind.STARTUP, plan.probes().startup());
        if (startup.passed()) {
          probeOn(probers);
        }
        return watch(probers);
      } finally {
        process = null;
      }
    }

    private void probed(Prober.Kind kind, boolean success, String why) {
      events.add(new Event.Probed(start, kind, success, why));
    }

    private void probeOn(Prober probers) {
      probers.start(Prober.Kind.LIVENESS, plan.probes().liveness());
      probers.start(Prober.Kind.READINESS, plan.probes().readiness());
    }

    private Outcome watch(Prober probers) throws IOException, InterruptedException {
      while (true) {
        switch (events.take()) {
          case Event.Exited(var which, var code) when which == start -> {
            return outcome(code, Optional.empty());
          }
          case Event.Exited _ -> {}
          case Event.Probed(var which, var kind, var success, var why) when which == start -> {
            var failed = judge(probers, kind, success, why);
            if (failed.isPresent()) {
              node.tell(Happening.Kind.PROBE_FAILED, kind + ": " + why);
              return outcome(stop(plan.grace(failed.get())), Optional.empty());
            }
          }
          case Event.Probed _ -> {}
          case Event.End end -> {
            probers.close();
            return outcome(stop(end.grace().orElse(Duration.ZERO)), Optional.of(end));
          }
        }
      }
    }

    /** The rule of the probe that ends the container, if it does. */
    private Optional<ProbeRule> judge(
        Prober probers, Prober.Kind kind, boolean success, String why) {
      var rule = plan.probes().of(kind).orElseThrow();
      boolean failed =
          switch (kind) {
            case STARTUP -> isStartOver(probers, success, rule.thresholds());
            case LIVENESS -> {
              alive = alive.after(success, rule.thresholds());
              yield !alive.passed();
            }
            case READINESS -> {
              judgeReadiness(success, why, rule.thresholds());
              yield false;
            }
          };
      return failed ? Optional.of(rule) : Optional.empty();
    }

    private boolean isStartOver(Prober probers, boolean success, ProbeRule.Thresholds thresholds) {
      if (startup.passed()) {
        return false; // asked before the last answer came
      }
      startupFailures = success ? 0 : startupFailures + 1;
      startup = startup.after(success, thresholds);
      if (startup.passed()) {
        probers.stop(Prober.Kind.STARTUP);
        probeOn(probers);
        write();
      }
      return startup.hasFailedBeforePassing(startupFailures, thresholds);
    }

    private void judgeReadiness(boolean success, String why, ProbeRule.Thresholds thresholds) {
      var before = ready.passed();
      ready = ready.after(success, thresholds);
      if (ready.passed() != before) {
        node.tell(ready.passed() ? Happening.Kind.READY : Happening.Kind.UNREADY, why);
        write();
      }
    }

    private void write() {
      var started = startup.passed();
      PodRun.this.write(
          "Running",
          new ContainerView(
              new State.Running(begin), last, start, started, started && ready.passed()));
    }

    private Outcome outcome(int code, Optional<Event.End> end) {
      var ended = new Ended(begin, node.clock().instant(), code);
      node.tell(Happening.Kind.EXITED, Integer.toString(code));
      return new Outcome(ended, end);
    }

    /** Asks it to end, and ends it when it has not within this time. */
    private int stop(Duration grace) throws IOException, InterruptedException {
      if (!grace.isZero()) {
        node.tell(Happening.Kind.TERMINATED, grace.toString());
        running.signal("TERM");
        if (within(grace, running.ended())) {
          return running.ended().join();
        }
      }
      node.tell(Happening.Kind.KILLED, "");
      running.signal("KILL");
      return running.ended().join();
    }

    private static boolean within(Duration time, CompletableFuture<Integer> ended)
        throws InterruptedException {
      try {
        var _ = ended.get(time.toMillis(), TimeUnit.MILLISECONDS);
        return true;
      } catch (TimeoutException e) {
        return false;
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private void write(String phase, ContainerView container) {
    var at = Resource.of(pod);
    try {
      var patch = body.of(phase, container, node.clock().instant());
      var _ = new KubeApi(node.client()).mergeStatusBody(Pod.class, at, patch);
    } catch (KubernetesClientException e) {
      if (e.getCode() != 404 && e.getCode() != 409) {
        throw e;
      }
    }
  }

  /** The last word of a kubelet: the object goes. */
  private void remove() {
    var meta = pod.getMetadata();
    var _ =
        node.client()
            .pods()
            .inNamespace(meta.getNamespace())
            .withName(meta.getName())
            .withGracePeriod(0)
            .delete();
  }
}
