package dev.runnerset.e2e.world;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.RunnerMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What holds for the jobs of a crowded world (DM12 to DM16), as far as nothing else went wrong a
 * moment before: room does not stay free while jobs wait, and no set takes a job that it cannot
 * start while another one could.
 */
final class RoomRules {
  private static final long PERIOD = 500;
  private static final long CALM_AFTER = 45_000;

  /** So long room may be free while jobs wait, and nothing that uses it has happened. */
  private static final long FREE = 10_000;

  /** From when a quota is full, or a pod was refused, until no more jobs are taken. */
  private static final long GRACE = 10_000;

  /** Events are read of pods that wait for 20 s, every 10 s. */
  private static final long GRACE_OF_EVENTS = 45_000;

  /** Failed runners are replaced with backoff (RN10). */
  private static final long BACKOFF = 320_000;

  /** What was seen of one set, in milliseconds; -1 for never, or not now. */
  private static final class Seen {
    long freeSince = -1;
    long couldSince = -1;
    long quotaFullSince = -1;
    long placesFullSince = -1;
    long progressAt = -1;
    long refusedAt = -1;
    long shownAt = -1; // when it was said so that it counts
    long ranAt = -1;
    long failedAt = -1;

    boolean isRefused() {
      return refusedAt > ranAt;
    }
  }

  private final World world;
  private final Map<String, Seen> seen = new HashMap<>();
  private long disturbedAt;

  RoomRules(World world) {
    this.world = world;
  }

  private Seen seen(OneSet set) {
    return seen.computeIfAbsent(set.name(), _ -> new Seen());
  }

  // --- what happens

  /** Something else than room has changed: what follows from it takes a while. */
  void disturbed() {
    disturbedAt = world.time.now();
  }

  private boolean isCalm() {
    return world.time.now() - disturbedAt > CALM_AFTER;
  }

  /** A pod found no place, or an autoscaler makes none. */
  void refused(OneSet set, boolean counts) {
    var of = seen(set);
    of.refusedAt = world.time.now();
    if (counts && (of.shownAt < 0 || of.shownAt < of.ranAt)) {
      of.shownAt = of.refusedAt;
    }
  }

  void ran(OneSet set) {
    var of = seen(set);
    of.ranAt = world.time.now();
    of.progressAt = of.ranAt;
  }

  void failed(OneSet set) {
    seen(set).failedAt = world.time.now();
  }

  /** A runner or a pod was made, or a job assigned. */
  void progress(OneSet set) {
    seen(set).progressAt = world.time.now();
  }

  // --- how things are

  void begin() {
    world.time.in(PERIOD, this::look);
  }

  private void look() {
    if (world.isOver()) {
      return;
    }
    var now = world.time.now();
    for (var set : world.sets) {
      var of = seen(set);
      of.quotaFullSince = since(of.quotaFullSince, world.room.ofQuotaSoon(set) < 1);
      of.placesFullSince = since(of.placesFullSince, world.room.places(set) < 0);
      boolean could = isCalm() && couldStart(set);
      of.couldSince = since(of.couldSince, could);
      of.freeSince = since(of.freeSince, could && world.service.available() > 0);
      if (of.freeSince >= 0 && now - Math.max(of.freeSince, of.progressAt) > mostFree(set, of)) {
        throw world.violated(
            "DM12 free",
            "%s has had room for %d s, while %d jobs wait: %s"
                .formatted(
                    set.name(), (now - of.freeSince) / 1000, world.service.available(), now(set)));
      }
    }
    world.time.in(PERIOD, this::look);
  }

  private String now(OneSet set) {
    var queue = world.service.queue(set.name());
    return "it takes %d jobs and has %d, %d pods, places for %d, quota for %d more"
        .formatted(
            queue.capacity,
            queue.taken(),
            world.node.podsOf(set),
            world.room.places(set),
            world.room.ofQuota(set));
  }

  private long since(long before, boolean isSo) {
    return isSo ? before < 0 ? world.time.now() : before : -1;
  }

  /** While nothing but refusals was seen, one runner in each window tries (DM15). */
  private long mostFree(OneSet set, Seen of) {
    long window = of.isRefused() ? FREE + 60_000L * set.scheduling() : FREE;
    return of.failedAt > of.ranAt || of.failedAt > world.time.now() - BACKOFF
        ? window + BACKOFF
        : window;
  }

  /** Whether one more runner of the set could be made, and would run. */
  private boolean couldStart(OneSet set) {
    var queue = world.service.queue(set.name());
    var object = world.server.get(AutoScalingRunnerSet.class, set.name());
    return object != null
        && object.getMetadata().getDeletionTimestamp() == null
        && object.getSpec().mode() == RunnerMode.ACTIVE
        && queue.isHeld()
        && queue.taken() < set.max()
        && world.room.places(set) > 0
        && world.room.ofQuota(set) > withoutPod(set.namespace()).size();
  }

  /** The runners whose pods are on their way. */
  private List<EphemeralRunner> withoutPod(String namespace) {
    return world.server.all(EphemeralRunner.class).stream()
        .filter(runner -> runner.getMetadata().getNamespace().equals(namespace))
        .filter(runner -> !runner.statusOrNone().isTerminal())
        .filter(runner -> world.node.podNamed(runner.getMetadata().getName()) == null)
        .toList();
  }

  // --- when a job is assigned

  void assigned(Service.Job job, SetQueue queue) {
    var set = world.set(queue.name);
    var of = seen(set);
    of.progressAt = world.time.now();
    if (!isCalm() || queue.taken() <= world.node.podsOf(set)) {
      return;
    }
    var fullFor = Math.max(fullFor(of.quotaFullSince, GRACE), placesFullFor(set, of));
    if (fullFor < 0) {
      return;
    }
    world.sets.stream()
        .filter(other -> other != set && fullFor(seen(other).couldSince, GRACE) >= 0)
        .filter(other -> !seen(other).isRefused())
        .findFirst()
        .ifPresent(other -> {
          throw world.violated(
              "DM6 assigned",
              "%s is assigned to %s, which has no room for %d s, and %s has"
                  .formatted(job, set.name(), fullFor / 1000, other.name()));
        });
  }

  private long placesFullFor(OneSet set, Seen of) {
    boolean isShown =
        of.placesFullSince >= 0 && of.shownAt > of.ranAt && world.room.waiting(set) > 0;
    return isShown
        ? fullFor(
            Math.max(of.shownAt, of.placesFullSince), set.fixedNodes() ? GRACE : GRACE_OF_EVENTS)
        : -1;
  }

  private long fullFor(long since, long grace) {
    var millis = world.time.now() - since;
    return since >= 0 && millis > grace ? millis : -1;
  }
}
