package dev.runnerset.controller.features.jobpods;

import dev.runnerset.base.Detail;
import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.caches.RunnerCache;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Protection;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.NotSentException;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Shields what the container hooks make for jobs, and deletes what they leave when their runner is
 * killed (SH5, RN23). A round goes over caches; only a change costs requests.
 */
public final class JobPods {
  /** Between the end of a round and the next one (SH5). */
  public static final Duration PERIOD = Duration.ofSeconds(1);

  /** After a write, until its event must have come. */
  @Detail private static final Duration AFTER_WRITE = Duration.ofSeconds(5);

  /** After a write that failed. */
  @Detail private static final Duration AFTER_FAILURE = Duration.ofSeconds(20);

  /** The next round goes on. */
  private static final int MOST_IN_A_ROUND = 100;

  private final HookObjects objects;
  private final Cached cached;
  private final JobPodCalls calls;
  private final Clock clock;

  /** The runners that went while something of their hooks was here. */
  private final Map<RunnerKey, HookRunner> goneByName = new ConcurrentHashMap<>();

  private final Map<String, Instant> endedByUid = new HashMap<>(); // of the rounds' thread
  private final Map<String, Instant> notBefore = new HashMap<>(); // of the rounds' thread
  private volatile Set<SetKey> needed = Set.of();

  /**
   * Runners and sets as the caches show them.
   *
   * @param anothers whether the set of that name belongs to another controller
   */
  public record Cached(
      RunnerCache runners,
      Function<SetKey, Optional<AutoScalingRunnerSet>> set,
      Predicate<SetKey> anothers) {}

  /** How changes are asked for and reported. */
  public record Ports(KubeApi kube, Events events, Meters meters, Clock clock) {}

  /** Its {@link #round} is to be called while this process leads. */
  public JobPods(HookObjects objects, Cached cached, Ports ports) {
    this.objects = objects;
    this.cached = cached;
    this.calls = new JobPodCalls(ports.kube(), ports.events(), ports.meters(), cached.set());
    this.clock = ports.clock();
    cached
        .runners()
        .follow((runner, gone) -> {
          if (gone && objects.isOneOf(keyOf(runner))) {
            goneByName.put(keyOf(runner), HookRunner.gone(runner));
          }
        });
  }

  private static RunnerKey keyOf(EphemeralRunner runner) {
    return new RunnerKey(runner.getMetadata().getNamespace(), runner.getMetadata().getName());
  }

  /** The pods of jobs of that runner, with the ends of their containers alone. */
  public List<Pod> endsOf(EphemeralRunner runner) {
    var known = HookRunner.of(runner);
    return objects.of(keyOf(runner)).stream()
        .filter(object -> JobPodPlanner.isOf(object, known))
        .flatMap(object -> Optional.ofNullable(object.ends()).stream())
        .toList();
  }

  /** The sets, there or not, whose role binding is needed for what their hooks left (WR10). */
  public Collection<SetKey> needed() {
    return needed;
  }

  /** Goes over all that is known once. Blocks for its requests; call it from one thread. */
  public void round() {
    var now = clock.instant();
    var ended = new HashSet<String>();
    var keep = new HashSet<SetKey>();
    notBefore.values().removeIf(at -> !now.isBefore(at));
    int left = MOST_IN_A_ROUND;
    for (var key : objects.runners()) {
      var one = new OfRunner(key, now);
      one.runners().forEach(runner -> ended.add(runner.uid()));
      left = one.work(left);
      one.needs().ifPresent(keep::add);
    }
    endedByUid.keySet().retainAll(ended);
    goneByName.keySet().removeIf(key -> !objects.isOneOf(key));
    needed = Set.copyOf(keep);
  }

  /** What the hooks of one runner made, in one round. */
  private final class OfRunner {
    private final RunnerKey key;
    private final Instant now;
    private final List<HookObject> there;
    private final @Nullable HookRunner runner;

    OfRunner(RunnerKey key, Instant now) {
      this.key = key;
      this.now = now;
      there = objects.of(key);
      runner =
          cached
              .runners()
              .find(key.namespace(), key.name())
              .map(HookRunner::of)
              .or(() -> Optional.ofNullable(goneByName.get(key)))
              .or(this::marked)
              .orElse(null);
    }

    /** Remembered: the pod with the mark may go first. */
    private Optional<HookRunner> marked() {
      var found = there.stream().flatMap(object -> object.markedRunner().stream()).findFirst();
      found.ifPresent(known -> goneByName.putIfAbsent(key, known));
      return found;
    }

    /** The runner, if one is known that is this controller's. */
    List<HookRunner> runners() {
      var known = runner;
      return known == null || setOf(known).filter(cached.anothers()).isPresent()
          ? List.of()
          : List.of(known);
    }

    private Optional<SetKey> setOf(HookRunner known) {
      return Optional.ofNullable(known.set()).map(name -> new SetKey(key.namespace(), name));
    }

    /** Since when it is known to have ended; null while it lives. */
    private @Nullable Instant endedAt(HookRunner known) {
      return known.state() == HookRunner.State.LIVES
          ? null
          : endedByUid.computeIfAbsent(known.uid(), uid -> now);
    }

    /**
     * Does what is due, up to so many writes.
     *
     * @return how many are left
     */
    int work(int most) {
      int left = most;
      if (runners().isEmpty()) {
        objects.forgetSecrets(key); // somebody else's
        return left;
      }
      var known = Objects.requireNonNull(runner);
      var at = endedAt(known);
      for (var object : there) {
        var step = JobPodPlanner.plan(object, known, at, protection(known), now);
        if (!(step instanceof JobPodPlanner.Step.Leave) && left > 0 && isDue(object.uid())) {
          left--;
          attempt(object.uid(), () -> take(step, object, known));
        }
      }
      if (at != null && !now.isBefore(at.plus(JobPodTimes.HOOKS_FIRST))) {
        for (var name : objects.secretsOf(key)) {
          if (left > 0 && isDue(key.namespace() + "/" + name)) {
            left--;
            attempt(key.namespace() + "/" + name, () -> deleteSecret(name, known));
          }
        }
      }
      return left;
    }

    /** A standalone runner is protected. */
    private @Nullable Protection protection(HookRunner known) {
      return known.set() == null
          ? Protection.BUSY
          : setOf(known)
              .flatMap(cached.set())
              .map(set -> Objects.requireNonNullElse(set.getSpec().protection(), Protection.BUSY))
              .orElse(null);
    }

    private boolean isDue(String what) {
      return !notBefore.containsKey(what);
    }

    private void attempt(String what, Runnable write) {
      try {
        notBefore.put(what, now.plus(AFTER_WRITE));
        write.run();
      } catch (KubernetesClientException e) {
        if (!NotSentException.isCauseOf(e)) {
          notBefore.put(what, now.plus(AFTER_FAILURE));
          calls.reportFailed(key, Objects.requireNonNull(runner), what, e);
        }
      }
    }

    private void take(JobPodPlanner.Step step, HookObject object, HookRunner known) {
      switch (step) {
        case JobPodPlanner.Step.Leave() -> {}
        case JobPodPlanner.Step.Mark(var marks) -> calls.mark(object, marks);
        case JobPodPlanner.Step.Delete() -> {
          // INVARIANT (I1): the server, not a cache, says that runner and pod are gone
          if (known.state() == HookRunner.State.ENDED || calls.isGone(key, known)) {
            calls.delete(object, known);
          }
        }
      }
    }

    private void deleteSecret(String name, HookRunner known) {
      if (known.state() == HookRunner.State.ENDED || calls.isGone(key, known)) {
        calls.deleteSecret(key, name, known);
        objects.forgetSecret(key, name);
      }
    }

    /** The set whose role binding this needs; empty for none. */
    Optional<SetKey> needs() {
      return runners().stream()
          .filter(known -> isOpen(endedAt(known)))
          .filter(known ->
              !objects.secretsOf(key).isEmpty()
                  || objects.of(key).stream()
                      .anyMatch(object -> !object.going() && JobPodPlanner.isOf(object, known)))
          .map(known -> new SetKey(key.namespace(), Objects.requireNonNullElse(known.set(), "")))
          .findFirst();
    }

    private boolean isOpen(@Nullable Instant endedAt) {
      return endedAt == null || now.isBefore(endedAt.plus(JobPodTimes.BINDING_NEEDED));
    }
  }
}
