package dev.runnerset.e2e.world;

import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.JobEvent;
import dev.runnerset.actions.PollResult.Message;
import dev.runnerset.actions.RunnerReference;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.Statistics;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.RunnerJob;
import dev.runnerset.crds.RunnerPhase;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** The invariants, checked where something could break them. */
final class Rules {
  private static final long TEN_MINUTES = 600_000;
  private static final long HALF_A_MINUTE = 30_000;

  private final World world;
  private final Set<Long> refusedNow = new HashSet<>();
  private final Map<Long, List<Long>> refusals = new HashMap<>();
  private final Set<Long> applied = new HashSet<>();
  private final Map<Long, Map<String, Mark>> marksBefore = new HashMap<>();
  private final Map<ScaleSetId, List<Long>> refusalsOfSets = new HashMap<>();
  private boolean unanswered;
  private int crashes;
  private int unheard;
  final RerunRules reruns;
  final RoomRules room;

  Rules(World world) {
    this.world = world;
    this.reruns = new RerunRules(world);
    this.room = new RoomRules(world);
  }

  void crashed() {
    room.disturbed();
    crashes++;
    reruns.crashed();
    refusalsOfSets.clear(); // the budget is in the memory of the process
  }

  /** The service did what it was asked for, and its answer is lost. */
  void unheard() {
    unheard++;
  }

  // --- I1, I2

  /** Somebody of ours is about to delete an object. */
  void deleting(Class<? extends HasMetadata> kind, String name, String by) {
    if (kind == Pod.class) {
      var pod = world.server.get(Pod.class, name);
      if (pod != null) {
        mayGo(pod, by + " deletes the pod " + name);
      }
    }
  }

  /** A finalizer of ours is about to go: what it held may go, too. */
  void finalizerGoes(HasMetadata object) {
    var pod =
        object instanceof EphemeralRunner
            ? world.server.get(Pod.class, object.getMetadata().getName())
            : null;
    if (pod != null && !isForced(object) && isOf(pod, object)) {
      mayGo(pod, "the finalizer of " + object.getMetadata().getName() + " goes");
    }
  }

  private static boolean isOf(Pod pod, HasMetadata owner) {
    return pod.getMetadata().getOwnerReferences().stream()
        .anyMatch(ref -> ref.getUid().equals(owner.getMetadata().getUid()));
  }

  private static boolean isForced(HasMetadata object) {
    var annotations = object.getMetadata().getAnnotations();
    return annotations != null && "true".equals(annotations.get(Labels.FORCE_DELETE));
  }

  private void mayGo(Pod pod, String what) {
    var container = world.node.byUid.get(pod.getMetadata().getUid());
    if (container != null && container.runs() && refusedNow.contains(container.registration)) {
      throw world.violated("I2", what + ", and the service refused its removal");
    }
    var job = world.node.jobIn(pod.getMetadata().getUid());
    if (job != null && !job.lost) {
      throw world.violated("I1", what + " with " + job);
    }
  }

  /** The kubelet kills a running container, since somebody deleted its pod. */
  void killed(Node.Container container, String by) {
    var job = world.node.jobIn(container.uid);
    var runner = world.node.runnerOf(container);
    if (job != null && !by.equals("user") && (runner == null || !isForced(runner))) {
      throw world.violated("I1", container.pod + " is killed with " + job + " by " + by);
    }
  }

  // --- RN4

  /** What the API server has of a runner. Its id is that of the registration its container runs. */
  void known(EphemeralRunner runner) {
    var id = runner.statusOrNone().runnerId();
    var pod = world.server.get(Pod.class, runner.getMetadata().getName());
    var container = pod == null ? null : world.node.byUid.get(pod.getMetadata().getUid());
    var runs = container == null || !isOf(pod, runner) ? null : container.registration;
    if (id != null && runs != null && !id.equals(runs)) {
      throw world.violated("RN4", "a runner is known as " + id + ", and its pod runs " + runs);
    }
  }

  // --- I3

  /** The service refused a removal. */
  void refused(RunnerReference of, String by) {
    var id = of.id().value();
    var now = world.time.now();
    world.trace.say("service", "refuses the removal of " + of.name());
    if (world.clean) {
      throw world.violated("I3", by + " asks for " + of.name() + ", though no runner is too many");
    }
    refusedNow.add(id);
    var refusalsOfSet = refusalsOfSets.computeIfAbsent(of.scaleSetId(), _ -> new ArrayList<>());
    if (!isAskedByItsFinalizer(of)) {
      refusalsOfSet.removeIf(at -> now - at >= HALF_A_MINUTE);
      refusalsOfSet.add(now);
    }
    if (refusalsOfSet.size() > 2) {
      throw world.violated("I3", by + " is refused " + refusalsOfSet.size() + " times in 30 s");
    }
    var times = refusals.computeIfAbsent(id, i -> new ArrayList<>());
    times.add(now);
    var recent = times.stream().filter(at -> now - at < TEN_MINUTES).count();
    // nobody knows an answer that was lost, or whose process died before it noted it
    if (recent > 2 + crashes + unheard) {
      throw world.violated("I3", of.name() + " is refused " + recent + " times in 10 minutes");
    }
  }

  /**
   * Whether somebody deletes the runner, or it has failed, as when its node was lost: then its
   * registration must go (RN11), however many others are in the same situation.
   */
  private boolean isAskedByItsFinalizer(RunnerReference of) {
    var runner = world.server.get(EphemeralRunner.class, of.name());
    return runner != null
        && (runner.getMetadata().getDeletionTimestamp() != null
            || runner.statusOrNone().phase() == RunnerPhase.FAILED);
  }

  /** The service agrees: it removed the runner, or the job is over. */
  void agreed(long id) {
    refusedNow.remove(id);
  }

  // --- I8

  /** A message goes out to the listener. A message that was applied before must change nothing. */
  void delivered(Message message) {
    if (applied.contains(message.messageId())) {
      marksBefore.put(message.messageId(), marks(message));
    }
  }

  /** The listener has applied a message, and is about to say so. */
  void applied(Message message) {
    var id = message.messageId();
    applied.add(id);
    var before = marksBefore.remove(id);
    if (before == null) {
      return;
    }
    marks(message)
        .forEach((runner, now) -> {
          var then = before.get(runner);
          if (then != null && !then.equals(now)) {
            throw world.violated(
                "I8 twice",
                "message "
                    + id
                    + ", applied again, makes "
                    + now
                    + " of "
                    + then
                    + " on "
                    + runner);
          }
        });
  }

  /** Ids of messages begin again. */
  void renumbered() {
    applied.clear();
    marksBefore.clear();
  }

  /** The listener asks for offered jobs. */
  void asked() {
    unanswered = true;
  }

  /** It got an answer. */
  void answered() {
    unanswered = false;
  }

  /** It asks for a message: one that was not acknowledged comes again. */
  void polled() {
    unanswered = false;
  }

  private record Mark(Long requestId, String jobId, RunnerJob job, String result) {}

  /** What stands on the runners that the message names, by name and uid. */
  private Map<String, Mark> marks(Message message) {
    var marks = new HashMap<String, Mark>();
    for (var event : message.events()) {
      var name =
          switch (event) {
            case JobEvent.JobStarted started -> started.runnerName();
            case JobEvent.JobCompleted completed -> completed.runnerName();
            case JobEvent.JobAvailable _, JobEvent.JobAssigned _ -> null;
          };
      var runner = name == null ? null : world.server.get(EphemeralRunner.class, name);
      if (runner != null) {
        var status = runner.statusOrNone();
        marks.put(
            name + " " + runner.getMetadata().getUid(),
            new Mark(status.requestId(), status.jobId(), status.job(), status.jobResult()));
      }
    }
    return marks;
  }

  /** The listener says that a message is applied. */
  void acknowledged(Message message, SetQueue queue) {
    if (unanswered) {
      throw world.violated("I8", "message " + message.messageId() + ": its offers got no answer");
    }
    for (var event : message.events()) {
      switch (event) {
        case JobEvent.JobStarted(var job, var id, var name) -> {
          var runner = world.server.get(EphemeralRunner.class, name);
          if (runner != null && !isMarked(runner, job)) {
            throw world.violated("I8", "message " + message.messageId() + ": no mark on " + name);
          }
        }
        case JobEvent.JobCompleted(var job, var result, var id, var name) -> {
          var runner = world.server.get(EphemeralRunner.class, name);
          var marked = runner == null ? null : runner.statusOrNone().job();
          if (runner != null && (marked == null || marked.completedIn() == null)) {
            throw world.violated("I8", "message " + message.messageId() + ": no end on " + name);
          }
        }
        case JobEvent.JobAvailable _, JobEvent.JobAssigned _ -> {}
      }
    }
    var counts = message.statistics();
    var listener =
        world.server.all(AutoScalingListener.class).stream()
            .filter(each -> queue.name.equals(each.getMetadata().getLabels().get(Labels.SET)))
            .findFirst();
    var demand = listener.map(l -> l.statusOrNone().demand()).orElse(null);
    if (listener.isPresent() && counts != null && !counts.isAllZero()) {
      var heard = demand == null ? null : demand.assigned();
      var isHeard =
          heard != null
              && heard >= counts.assigned()
              && (message.full() || heard <= counts.assigned() + acquired(counts));
      if (!isHeard) {
        throw world.violated(
            "I8",
            "message "
                + message.messageId()
                + " says "
                + counts.assigned()
                + ", the demand "
                + heard);
      }
    }
  }

  /**
   * Jobs that the set has, or got since, and that the counts may not have among the assigned ones.
   */
  private int acquired(Statistics counts) {
    return counts.acquired() + world.service.wonSince(counts);
  }

  private static boolean isMarked(EphemeralRunner runner, JobDescription job) {
    var status = runner.statusOrNone();
    return job.jobId().isEmpty()
        ? Objects.equals(job.runnerRequestId(), status.requestId())
        : job.jobId().equals(status.jobId());
  }

  // --- at the end

  /** I5: of a set that is gone, nothing is left at the service, and what is another's stays. */
  void nothingIsLeft() {
    var left =
        world.service.registrations.values().stream()
            .filter(r -> !r.foreign)
            .map(r -> r.reference.name())
            .toList();
    if (!left.isEmpty() && !world.leftBehindIsReported()) {
      throw world.violated("I5", "registrations are left: " + left);
    }
    if (world.service.named(World.FOREIGN) == null) {
      throw world.violated("I5", "the registration of another scale set is gone");
    }
  }

  /** I9: where nothing went wrong, each job had one runner, and the warm ones are left. */
  void oneRunnerPerJob(int made, int jobs, int warm) {
    if (made != jobs + warm) {
      throw world.violated(
          "I9", made + " runners were made for " + jobs + " jobs and " + warm + " warm places");
    }
  }
}
