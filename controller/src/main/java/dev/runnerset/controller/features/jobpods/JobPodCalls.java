package dev.runnerset.controller.features.jobpods;

import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.managerrole.RoleAdvice;
import dev.runnerset.controller.metrics.LeftOver;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is read, written and deleted at the API server of what the container hooks made, and how it
 * is reported. Each method blocks for its requests.
 */
final class JobPodCalls {
  private static final Logger LOG = LoggerFactory.getLogger(JobPodCalls.class);

  private final KubeApi kube;
  private final Events events;
  private final Meters meters;
  private final Function<SetKey, Optional<AutoScalingRunnerSet>> sets;

  /** The namespaces with a failure in the log; one line is enough. */
  private final Set<String> reported = ConcurrentHashMap.newKeySet();

  JobPodCalls(
      KubeApi kube,
      Events events,
      Meters meters,
      Function<SetKey, Optional<AutoScalingRunnerSet>> sets) {
    this.kube = kube;
    this.events = events;
    this.meters = meters;
    this.sets = sets;
  }

  /** Writes the marks onto the pod, unless it is gone. */
  void mark(HookObject object, JobPodMarks marks) {
    var _ = kube.mergeIfThere(Pod.class, placeOf(object), marks.patch(object.uid()));
  }

  private static Resource placeOf(HookObject object) {
    return Resource.of(object.kind(), object.namespace(), object.name());
  }

  /** Whether the runner is gone, and its pod is gone or has ended. */
  boolean isGone(RunnerKey key, HookRunner runner) {
    var there = get(EphemeralRunner.class, key);
    var pod = get(Pod.class, key);
    return there.filter(found -> runner.uid().equals(found.getMetadata().getUid())).isEmpty()
        && pod.filter(found -> HookRunner.mayRunIn(found, runner)).isEmpty();
  }

  private <T extends HasMetadata> Optional<T> get(Class<T> kind, RunnerKey key) {
    return Optional.ofNullable(kube.get(kind, Resource.of(kind, key.namespace(), key.name())));
  }

  /** Deletes the pod or the batch job; what belongs to a batch job follows. */
  void delete(HookObject object, HookRunner runner) {
    if (kube.delete(placeOf(object), new Preconditions(object.uid(), null))) {
      reportDeleted(object.runner(), runner, object.name(), LeftOver.POD);
    }
  }

  /** Deletes the secret of that name, if the hooks of the runner made it. */
  void deleteSecret(RunnerKey key, String name, HookRunner runner) {
    var secret = kube.get(Secret.class, Resource.of(Secret.class, key.namespace(), name));
    if (secret != null
        && HookSecrets.isLeftBy(key, runner, secret)
        && kube.delete(Resource.of(secret), Preconditions.uid(secret))) {
      reportDeleted(key, runner, name, LeftOver.SECRET);
    }
  }

  private void reportDeleted(RunnerKey key, HookRunner runner, String name, LeftOver kind) {
    meters
        .of(key.namespace(), runner.set() == null ? "" : runner.set())
        .count(Meter.LEFT_OVERS, kind.word(), LeftOver.Result.REMOVED.word());
    LOG.atInfo()
        .addKeyValue("namespace", key.namespace())
        .addKeyValue("runner", key.name())
        .addKeyValue("name", name)
        .addKeyValue("kind", kind.word())
        .log("deleted what the container hooks of a killed runner left");
    setOf(key, runner)
        .ifPresent(set ->
            events.warn(
                set,
                EventReason.LEFT_OVER_REMOVED,
                name + ": the runner " + key.name() + " ended and left it; it is deleted"));
  }

  private Optional<AutoScalingRunnerSet> setOf(RunnerKey key, HookRunner runner) {
    return Optional.ofNullable(runner.set())
        .flatMap(name -> sets.apply(new SetKey(key.namespace(), name)));
  }

  /** A write failed, and is tried again. */
  void reportFailed(
      RunnerKey key, HookRunner runner, String what, KubernetesClientException failure) {
    var words = String.valueOf(failure.getMessage());
    var advice = RoleAdvice.of(words).map(run -> "; " + run).orElse("");
    var line = reported.add(key.namespace()) ? LOG.atWarn() : LOG.atDebug();
    line.addKeyValue("namespace", key.namespace())
        .addKeyValue("runner", key.name())
        .addKeyValue("what", what)
        .addKeyValue("error", words + advice)
        .log("what the container hooks made could not be changed; tried again");
    setOf(key, runner)
        .filter(set -> runner.state() != HookRunner.State.LIVES)
        .ifPresent(set ->
            events.warn(
                set,
                EventReason.LEFT_OVER_STAYS,
                "what the runner " + key.name() + " left stays: " + words + advice));
  }
}
