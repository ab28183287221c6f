package dev.runnerset.controller.features.leftovers;

import dev.runnerset.base.metrics.Meters;
import dev.runnerset.controller.audit.AuditedSets;
import dev.runnerset.controller.events.Events;
import dev.runnerset.controller.events.SetOfRunner;
import dev.runnerset.controller.metrics.LeftOver;
import dev.runnerset.controller.metrics.LeftOver.Result;
import dev.runnerset.controller.metrics.Meter;
import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.condition.EventReason;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a sweep reads and deletes at the API server, and how it reports it: by a counter, an event
 * on the set, a line of the log. Blocks for its requests.
 */
record LeftOvers(AuditedSets sets, KubeApi kube, Events events, Meters meters) {
  private static final Logger LOG = LoggerFactory.getLogger(LeftOvers.class);

  /** The runner of that name, whatever a cache shows. */
  Optional<EphemeralRunner> runner(String namespace, String name) {
    return Optional.ofNullable(
        kube.get(EphemeralRunner.class, Resource.of(EphemeralRunner.class, namespace, name)));
  }

  /** Deletes the pod; false if it is gone, or does not meet the preconditions. */
  boolean delete(OrphanPod pod, Preconditions wanted) {
    return kube.delete(Resource.of(Pod.class, pod.namespace(), pod.name()), wanted);
  }

  /**
   * Deletes the secret that was made for a runner of that name; the caller checked that it is gone.
   */
  void deleteSecret(String namespace, String set, String name) {
    try {
      var secret = kube.get(Secret.class, Resource.of(Secret.class, namespace, name));
      if (secret != null
          && OrphanPod.isMadeForRunners(secret)
          && set.equals(Meta.labels(secret).get(Labels.SET))
          && !secret.isMarkedForDeletion()
          && kube.delete(Resource.of(secret), Preconditions.uid(secret))) {
        var why = "its secret was left without a runner";
        report(namespace, set, name, LeftOver.SECRET, Result.REMOVED, why);
      }
    } catch (KubernetesClientException e) {
      // the registration is gone, so nobody can use the secret
      LOG.atWarn()
          .addKeyValue("namespace", namespace)
          .addKeyValue("runner", name)
          .addKeyValue("error", e.getMessage())
          .log("the secret of a registration that was removed could not be deleted");
    }
  }

  /**
   * Reports one; on its set, too, if that is still there.
   *
   * @param name of the runner that it was
   * @param why what is without what, and what became of it
   */
  void report(String namespace, String set, String name, LeftOver kind, Result result, String why) {
    meters.of(namespace, set).count(Meter.LEFT_OVERS, kind.word(), result.word());
    LOG.atInfo()
        .addKeyValue("namespace", namespace)
        .addKeyValue("runner", name)
        .addKeyValue("kind", kind.word())
        .addKeyValue("result", result.word())
        .addKeyValue("why", why)
        .log("the sweep found a left-over");
    boolean gone = result == Result.REMOVED || result == Result.GONE;
    var reason = gone ? EventReason.LEFT_OVER_REMOVED : EventReason.LEFT_OVER_STAYS;
    sets.one(namespace, set).ifPresent(found -> warn(found, reason, name + ": " + why));
  }

  /** An event on the set. */
  void warn(EphemeralRunnerSet set, EventReason reason, String message) {
    SetOfRunner.of(set).ifPresent(about -> events.warn(about, reason, message));
  }
}
