package dev.runnerset.controller.autoscalingrunnerset.children;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.controller.autoscalingrunnerset.planning.ChildNames;
import dev.runnerset.controller.autoscalingrunnerset.planning.ChildSpecs;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingListenerSpec;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.MergePatch;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the children of a runner set, and patches their specs where they differ. */
public final class ChildWriter {
  private static final Logger LOG = LoggerFactory.getLogger(ChildWriter.class);

  /** The finalizer of an object whose dependents are deleted first. */
  private static final String FOREGROUND = "foregroundDeletion";

  /** An object under a child's name was not made for the runner set. */
  public static final class ForeignChildException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ForeignChildException(String message) {
      super(message);
    }
  }

  private final KubeApi kube;
  private final String listenerNamespace;

  public ChildWriter(KubeApi kube, String listenerNamespace) {
    this.kube = kube;
    this.listenerNamespace = listenerNamespace;
  }

  /**
   * The EphemeralRunnerSet with that spec, created or patched if necessary. One that is being
   * deleted is let go, and another one is made when it is gone.
   *
   * @param known the object in the cache; null if it has none
   */
  public EphemeralRunnerSet ephemeralRunnerSet(
      AutoScalingRunnerSet set,
      @Nullable EphemeralRunnerSet known,
      EphemeralRunnerSetSpec wanted,
      WriteCache cache) {
    var existing = adopted(set, known, wanted, cache);
    if (isTerminating(existing)) {
      return letGo(existing);
    }
    var diff = MergePatch.between(existing.getSpec(), wanted);
    if (diff.isEmpty()) {
      return existing;
    }
    var changed = kube.merge(EphemeralRunnerSet.class, Resource.of(existing), spec(diff.get()));
    cache.changed(existing, changed);
    LOG.atInfo()
        .addKeyValue("namespace", set.getMetadata().getNamespace())
        .addKeyValue("set", set.getMetadata().getName())
        .addKeyValue("replicas", wanted.replicas())
        .addKeyValue("demandMessageId", wanted.demandMessageId())
        .addKeyValue("revision", wanted.revision())
        .log("changed the spec of the EphemeralRunnerSet");
    return changed;
  }

  /**
   * A foreground deletion would wait for the last job, and no runner would be made. Its runners are
   * being deleted by now, or are when it is gone; their own finalizers keep those with a job.
   */
  private EphemeralRunnerSet letGo(EphemeralRunnerSet going) {
    var kept = new ArrayList<>(going.getMetadata().getFinalizers());
    if (!kept.remove(FOREGROUND)) {
      return going;
    }
    var body = JsonNodeFactory.instance.objectNode();
    var list =
        body.putObject("metadata")
            .put("resourceVersion", going.getMetadata().getResourceVersion())
            .putArray("finalizers");
    kept.forEach(list::add);
    try {
      return kube.merge(EphemeralRunnerSet.class, Resource.of(going), body);
    } catch (KubernetesClientException e) {
      if (e.getCode() == 404 || e.getCode() == 409) {
        return going; // the event of its change follows
      }
      throw e;
    }
  }

  /** Whose finalizers keep an EphemeralRunnerSet that is being deleted; empty for nobody's. */
  public static List<String> keptBy(EphemeralRunnerSet ers) {
    return isTerminating(ers)
        ? ers.getMetadata().getFinalizers().stream().filter(f -> !f.equals(FOREGROUND)).toList()
        : List.of();
  }

  /** The object, with its owner reference and the uid of the set where somebody took them off. */
  private EphemeralRunnerSet adopted(
      AutoScalingRunnerSet set,
      @Nullable EphemeralRunnerSet known,
      EphemeralRunnerSetSpec wanted,
      WriteCache cache) {
    var existing = known == null ? createEphemeralRunnerSet(set, wanted, cache) : known;
    var lacks = Ownership.repair(existing, set, set.getMetadata().getUid());
    if (isTerminating(existing) || lacks.isEmpty()) {
      return existing;
    }
    var repaired = kube.merge(EphemeralRunnerSet.class, Resource.of(existing), lacks.get());
    cache.changed(existing, repaired);
    return repaired;
  }

  private EphemeralRunnerSet createEphemeralRunnerSet(
      AutoScalingRunnerSet set, EphemeralRunnerSetSpec wanted, WriteCache cache) {
    var ers = new EphemeralRunnerSet();
    ers.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(set.getMetadata().getNamespace())
            .withName(ChildNames.ephemeralRunnerSet(set))
            .withLabels(ChildNames.labels(set))
            .withAnnotations(Map.of(Labels.SET_UID, set.getMetadata().getUid()))
            .addNewOwnerReference()
            .withApiVersion(HasMetadata.getApiVersion(AutoScalingRunnerSet.class))
            .withKind(HasMetadata.getKind(AutoScalingRunnerSet.class))
            .withName(set.getMetadata().getName())
            .withUid(set.getMetadata().getUid())
            .withController(true)
            .endOwnerReference()
            .build());
    ers.setSpec(wanted);
    var made = kube.createOrGet(EphemeralRunnerSet.class, ers);
    if (!Ownership.isOf(made, set)) {
      throw new ForeignChildException(
          "The EphemeralRunnerSet '"
              + made.getMetadata().getName()
              + "' was not made for this set, but has the name that the set needs: delete it, or"
              + " wait until it is gone");
    }
    cache.created(made);
    return made;
  }

  /**
   * The listener object with that spec, created or patched if necessary.
   *
   * @param known the object in the cache that was made for the set; null if it has none
   * @throws ForeignChildException if an object with that name was not made for the set
   */
  public AutoScalingListener listener(
      AutoScalingRunnerSet set,
      @Nullable AutoScalingListener known,
      AutoScalingListenerSpec wanted,
      WriteCache cache) {
    var existing = known == null ? createListener(set, wanted, cache) : known;
    return patch(set, existing, listener -> MergePatch.between(listener.getSpec(), wanted), cache);
  }

  private static String listenerName(AutoScalingRunnerSet set) {
    return ChildNames.listener(set.getMetadata().getNamespace(), set.getMetadata().getName());
  }

  private AutoScalingListener createListener(
      AutoScalingRunnerSet set, AutoScalingListenerSpec wanted, WriteCache cache) {
    var asl = new AutoScalingListener();
    asl.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(listenerNamespace)
            .withName(listenerName(set))
            .withLabels(ChildNames.listenerLabels(set))
            .withAnnotations(Map.of(Labels.SET_UID, set.getMetadata().getUid()))
            .withFinalizers(Labels.SET_FINALIZER)
            .build());
    asl.setSpec(wanted);
    var made = kube.createOrGet(AutoScalingListener.class, asl);
    requireOurs(made, set);
    cache.created(made);
    return made;
  }

  /**
   * Patches the spec of the listener object, if it is still the one that was looked at; after a
   * conflict it is read again, since its listener may have written its status, or it may be
   * another's.
   */
  private AutoScalingListener patch(
      AutoScalingRunnerSet set,
      AutoScalingListener known,
      Function<AutoScalingListener, Optional<ObjectNode>> diff,
      WriteCache cache) {
    requireOurs(known, set);
    var change = isTerminating(known) ? Optional.<ObjectNode>empty() : diff.apply(known);
    if (change.isEmpty()) {
      return known;
    }
    try {
      var changed = merge(known, change.get());
      cache.changed(known, changed);
      return changed;
    } catch (KubernetesClientException e) {
      var there =
          e.getCode() == 409 ? kube.get(AutoScalingListener.class, Resource.of(known)) : null;
      if (there == null) {
        throw e;
      }
      requireOurs(there, set);
      var again = isTerminating(there) ? Optional.<ObjectNode>empty() : diff.apply(there);
      return again.isEmpty() ? there : merge(there, again.get());
    }
  }

  private AutoScalingListener merge(AutoScalingListener listener, ObjectNode diff) {
    var body = spec(diff);
    body.putObject("metadata").put("resourceVersion", listener.getMetadata().getResourceVersion());
    return kube.merge(AutoScalingListener.class, Resource.of(listener), body);
  }

  private static void requireOurs(AutoScalingListener listener, AutoScalingRunnerSet set) {
    var meta = listener.getMetadata();
    if (!ChildNames.isListenerOf(listener, set)) {
      throw new ForeignChildException(
          ("The AutoScalingListener %1$s/%2$s was not made for this set, but has the name that the"
                  + " set needs, so nothing listens for its jobs. Delete it: kubectl delete"
                  + " autoscalinglisteners.runnerset.dev %2$s -n %1$s")
              .formatted(meta.getNamespace(), meta.getName()));
    }
  }

  /** Deletes a child; its finalizers may keep it for a while. */
  public void delete(HasMetadata child) {
    if (!isTerminating(child)) {
      kube.delete(Resource.of(child), Preconditions.uid(child));
    }
  }

  /**
   * Sets capacity and replicas to 0: the set takes no more jobs and keeps only runners with a job.
   * The message id still advances: without it, each runner whose job is over would wait for the end
   * of its settle window.
   */
  public void stopOffering(
      AutoScalingRunnerSet set,
      @Nullable EphemeralRunnerSet ers,
      @Nullable AutoScalingListener asl,
      WriteCache cache) {
    if (asl != null) {
      var _ =
          patch(
              set,
              asl,
              listener ->
                  listener.getSpec().capacity() == 0
                      ? Optional.empty()
                      : Optional.of(JsonNodeFactory.instance.objectNode().put("capacity", 0)),
              cache);
    }
    if (ers == null || isTerminating(ers)) {
      return;
    }
    var spec = JsonNodeFactory.instance.objectNode();
    if (!Integer.valueOf(0).equals(ers.getSpec().replicas())) {
      spec.put("replicas", 0);
    }
    var demandMessageId = ChildSpecs.demandMessageId(ers, ers.getSpec().runnerScaleSetId());
    if (demandMessageId != null && !demandMessageId.equals(ers.getSpec().demandMessageId())) {
      spec.put("demandMessageId", demandMessageId);
    }
    if (!spec.isEmpty()) {
      cache.changed(ers, kube.merge(EphemeralRunnerSet.class, Resource.of(ers), spec(spec)));
    }
  }

  public static boolean isTerminating(HasMetadata object) {
    return object.getMetadata().getDeletionTimestamp() != null;
  }

  private static ObjectNode spec(ObjectNode diff) {
    var body = JsonNodeFactory.instance.objectNode();
    body.set("spec", diff);
    return body;
  }
}
