package dev.runnerset.controller.autoscalingrunnerset.children;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.base.Installation;
import dev.runnerset.controller.autoscalingrunnerset.planning.BusyBudget;
import dev.runnerset.controller.autoscalingrunnerset.planning.ChildNames;
import dev.runnerset.controller.autoscalingrunnerset.planning.ListenerPermissions;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.ownership.LogLines;
import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingListenerSpec;
import dev.runnerset.crds.AutoScalingListenerSpecBuilder;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSetSpec;
import dev.runnerset.crds.EphemeralRunnerSetSpecBuilder;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.Protection;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.MergePatch;
import dev.runnerset.kube.NamespaceTermination;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes, repairs and deletes the objects that a set needs, all of them in one way ({@link
 * #ensure}). The EphemeralRunnerSet is owned by the set. The listener object, role, role binding
 * and budget bear no owner reference, since they must outlive its other children: their labels and
 * the uid of the set tell whose they are (DL2, DL5).
 */
public record ChildWriter(KubeApi kube, String listenerNamespace, String listenerServiceAccount) {
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

  /** No listener object can be made, since the namespace of the listener is being deleted. */
  public static final class ListenerNamespaceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ListenerNamespaceException(String namespace, KubernetesClientException cause) {
      super(
          ("The listener namespace %s is being deleted, so the set receives no jobs. When it is"
                  + " gone, create it again: run %s; all sets then continue by themselves")
              .formatted(namespace, Installation.UPGRADE),
          cause);
    }
  }

  // --- one way to make and to repair

  /**
   * The object as it is wanted: made, or patched where its content or our labels and annotations
   * differ. One that is being deleted stays as it is.
   *
   * @param known the object in the cache; null if it has none
   * @throws ForeignChildException if an object with that name was not made for the set
   */
  private <T extends HasMetadata> T ensure(@Nullable T known, T wanted, WriteCache cache) {
    @SuppressWarnings("unchecked") // the server answers with the kind that was sent
    var kind = (Class<T>) wanted.getClass();
    var there = known == null ? kube.createOrGet(kind, wanted) : known;
    requireOurs(there, wanted);
    if (known == null) {
      cache.created(there);
    }
    try {
      return repaired(kind, there, wanted, cache);
    } catch (KubernetesClientException e) {
      // its status may have changed since it was read; or somebody made it his own
      var live = e.getCode() == 409 ? kube.get(kind, Resource.of(there)) : null;
      if (live == null) {
        throw e;
      }
      requireOurs(live, wanted);
      return repaired(kind, live, wanted, cache);
    }
  }

  private <T extends HasMetadata> T repaired(Class<T> kind, T there, T wanted, WriteCache cache) {
    var diff =
        there.isMarkedForDeletion()
            ? Optional.<ObjectNode>empty()
            : MergePatch.between(content(there, wanted), content(wanted, wanted));
    if (diff.isEmpty()) {
      return there;
    }
    // INVARIANT: nobody made it his own since it was read. The owner reference tells whose an
    // EphemeralRunnerSet is, and its listener writes its status all the time
    if (!(there instanceof EphemeralRunnerSet)) {
      diff.get()
          .withObject("metadata")
          .put("resourceVersion", there.getMetadata().getResourceVersion());
    }
    var changed = kube.merge(kind, Resource.of(there), diff.get());
    cache.changed(there, changed);
    return changed;
  }

  /** What is compared: the labels and annotations that are wanted, and all rules, or the spec. */
  private static Map<String, Object> content(HasMetadata object, HasMetadata wanted) {
    var content = new HashMap<String, Object>();
    var labels = kept(Meta.labels(object), Meta.labels(wanted));
    content.put(
        "metadata",
        Map.of(
            "labels",
            labels,
            "annotations",
            kept(Meta.annotations(object), Meta.annotations(wanted))));
    switch (object) {
      case Role role -> content.put("rules", role.getRules());
      case RoleBinding binding -> {
        content.put("roleRef", binding.getRoleRef());
        content.put("subjects", binding.getSubjects());
      }
      case PodDisruptionBudget budget -> content.put("spec", budget.getSpec());
      case EphemeralRunnerSet ers -> content.put("spec", ers.getSpec());
      case AutoScalingListener listener -> content.put("spec", listener.getSpec());
      default -> throw new IllegalStateException("no child is a " + object.getKind());
    }
    return content;
  }

  private static Map<String, String> kept(Map<String, String> all, Map<String, String> wanted) {
    var kept = new HashMap<>(all);
    kept.keySet().retainAll(wanted.keySet());
    return kept;
  }

  /** A name proves nothing: the uid of the set counts, and of a listener object its labels too. */
  private static boolean isOurs(HasMetadata there, HasMetadata wanted) {
    if (there instanceof EphemeralRunnerSet ers) {
      return Ownership.setUid(ers).equals(Ownership.setUid((EphemeralRunnerSet) wanted));
    }
    boolean labelled =
        !(there instanceof AutoScalingListener)
            || Meta.labels(there).entrySet().containsAll(Meta.labels(wanted).entrySet());
    var uid = Meta.annotations(there).get(Labels.SET_UID);
    return labelled && uid != null && uid.equals(Meta.annotations(wanted).get(Labels.SET_UID));
  }

  private static void requireOurs(HasMetadata there, HasMetadata wanted) {
    if (isOurs(there, wanted)) {
      return;
    }
    var meta = there.getMetadata();
    throw new ForeignChildException(
        "The %s %s/%s was not created for this set, but has the name that the set needs"
                .formatted(there.getKind(), meta.getNamespace(), meta.getName())
            + switch (there) {
              case EphemeralRunnerSet _ -> ": delete it, or wait until it is gone";
              case AutoScalingListener _ ->
                  (", so nothing listens for its jobs. Delete it: kubectl delete"
                          + " autoscalinglisteners.runnerset.dev %s -n %s")
                      .formatted(meta.getName(), meta.getNamespace());
              default -> ": delete it, or create the set under another name";
            });
  }

  /** Deletes a child; its finalizers may keep it for a while. */
  public void delete(HasMetadata child) {
    if (!child.isMarkedForDeletion()) {
      kube.delete(Resource.of(child), Preconditions.uid(child));
    }
  }

  /**
   * Deletes the object, unless it was not made for the set. Reads it from the API server, since
   * somebody may have made it his own after the cache saw it.
   */
  private <T extends HasMetadata> void remove(Class<T> kind, T wanted) {
    var at = Resource.of(wanted);
    var there = kube.get(kind, at);
    if (there == null || !isOurs(there, wanted)) {
      return;
    }
    if (!kube.delete(at, Preconditions.unchanged(there)) && kube.get(kind, at) != null) {
      throw new KubernetesClientException(at + " changed while it was to be deleted");
    }
  }

  // --- the EphemeralRunnerSet

  /**
   * The EphemeralRunnerSet with that spec. One that is being deleted is let go, and another one is
   * made when it is gone.
   *
   * @param known the object in the cache; null if it has none
   */
  public EphemeralRunnerSet ephemeralRunnerSet(
      AutoScalingRunnerSet set,
      @Nullable EphemeralRunnerSet known,
      EphemeralRunnerSetSpec spec,
      WriteCache cache) {
    if (known != null && known.isMarkedForDeletion()) {
      return letGo(known);
    }
    var owned = known == null ? null : owned(set, known, cache);
    var wanted = ephemeralRunnerSet(set, spec);
    var changed = ensure(owned, wanted, cache);
    if (owned != null && changed != owned) {
      LogLines.about(set, LOG.atInfo())
          .addKeyValue("replicas", spec.replicas())
          .addKeyValue("maxRunners", spec.maxRunners())
          .addKeyValue("revision", spec.revision())
          .log("changed the spec of the EphemeralRunnerSet");
    }
    return changed.isMarkedForDeletion() ? letGo(changed) : changed;
  }

  private static EphemeralRunnerSet ephemeralRunnerSet(
      AutoScalingRunnerSet set, EphemeralRunnerSetSpec spec) {
    var metadata =
        ChildNames.metadata(set, ChildNames.ephemeralRunnerSet(set), ChildNames.labels(set));
    metadata.setOwnerReferences(List.of(Ownership.ownedBy(set)));
    var ers = new EphemeralRunnerSet();
    ers.setMetadata(metadata);
    ers.setSpec(spec);
    return ers;
  }

  /** The object with its owner reference, where somebody took it off. */
  private EphemeralRunnerSet owned(
      AutoScalingRunnerSet set, EphemeralRunnerSet known, WriteCache cache) {
    var lacks = Ownership.repair(known, set, set.getMetadata().getUid());
    if (lacks.isEmpty()) {
      return known;
    }
    var repaired = kube.merge(EphemeralRunnerSet.class, Resource.of(known), lacks.get());
    cache.changed(known, repaired);
    return repaired;
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
    var body = MergePatch.finalizers(going, kept);
    return kube.mergeIfThere(EphemeralRunnerSet.class, Resource.of(going), body)
        .orElse(going); // the event of its change follows
  }

  /** Whose finalizers keep an EphemeralRunnerSet that is being deleted; empty for nobody's. */
  public static List<String> keptBy(EphemeralRunnerSet ers) {
    return ers.isMarkedForDeletion()
        ? ers.getMetadata().getFinalizers().stream().filter(f -> !f.equals(FOREGROUND)).toList()
        : List.of();
  }

  // --- the listener object

  /**
   * The listener object with that spec.
   *
   * @param known the object in the cache that was made for the set; null if it has none
   */
  public AutoScalingListener listener(
      AutoScalingRunnerSet set,
      @Nullable AutoScalingListener known,
      AutoScalingListenerSpec spec,
      WriteCache cache) {
    var meta = set.getMetadata();
    var name = ChildNames.listener(meta.getNamespace(), meta.getName());
    var metadata = ChildNames.metadata(set, name, ChildNames.listenerLabels(set));
    metadata.setNamespace(listenerNamespace);
    metadata.setFinalizers(List.of(Labels.SET_FINALIZER));
    var asl = new AutoScalingListener();
    asl.setMetadata(metadata);
    asl.setSpec(spec);
    try {
      return ensure(known, asl, cache);
    } catch (KubernetesClientException e) {
      throw NamespaceTermination.isCauseOf(e)
          ? new ListenerNamespaceException(listenerNamespace, e)
          : e;
    }
  }

  /** Sets all numbers to 0: the set takes no more jobs, and only runners with a job stay. */
  public void stopOffering(
      AutoScalingRunnerSet set,
      @Nullable EphemeralRunnerSet ers,
      @Nullable AutoScalingListener asl,
      WriteCache cache) {
    if (asl != null) {
      var _ =
          listener(
              set,
              asl,
              AutoScalingListenerSpecBuilder.builder(asl.getSpec()).capacity(0).build(),
              cache);
    }
    var _ = respec(set, ers, spec -> spec.replicas(0).maxRunners(0), cache);
  }

  /**
   * Lets no runner be made or registered, until the set has its scale set (NM6).
   *
   * @return the object as it is then; null if there is none
   */
  public @Nullable EphemeralRunnerSet hold(
      AutoScalingRunnerSet set, @Nullable EphemeralRunnerSet ers, WriteCache cache) {
    return respec(set, ers, spec -> spec.creationHeld(true), cache);
  }

  /** The object with that change of its spec; as it is if it is being deleted, or not there. */
  private @Nullable EphemeralRunnerSet respec(
      AutoScalingRunnerSet set,
      @Nullable EphemeralRunnerSet ers,
      UnaryOperator<EphemeralRunnerSetSpecBuilder> change,
      WriteCache cache) {
    if (ers == null || ers.isMarkedForDeletion()) {
      return ers;
    }
    var spec = change.apply(ers.getSpec().toBuilder()).build();
    return ensure(ers, ephemeralRunnerSet(set, spec), cache);
  }

  // --- role, role binding, budget

  /**
   * Creates or repairs role and role binding of the listener.
   *
   * @param role the object in the cache; null if it has none
   * @param binding the same
   */
  public void grant(
      AutoScalingRunnerSet set,
      @Nullable Role role,
      @Nullable RoleBinding binding,
      WriteCache cache) {
    var _ = ensure(role, ListenerPermissions.role(set), cache);
    var wanted = ListenerPermissions.binding(set, listenerNamespace, listenerServiceAccount);
    var known = binding;
    if (known != null && !known.getRoleRef().equals(wanted.getRoleRef())) {
      requireOurs(known, wanted);
      kube.delete(Resource.of(known), Preconditions.unchanged(known)); // no patch changes it
      known = null;
    }
    var _ = ensure(known, wanted, cache);
  }

  /**
   * Makes the budget be as the set's protection says. A set without it works all the same.
   *
   * @param known the object in the cache; null if it has none
   * @return why the budget does not stand; null if it does, or if the set has no protection
   */
  public @Nullable String budget(
      AutoScalingRunnerSet set, @Nullable PodDisruptionBudget known, WriteCache cache) {
    try {
      if (set.getSpec().protection() != Protection.NONE) {
        var _ = ensure(known, BusyBudget.of(set), cache);
      } else if (known != null) {
        removeBudget(set);
      }
      return null;
    } catch (ForeignChildException e) {
      return e.getMessage();
    } catch (KubernetesClientException e) {
      // in a namespace that is being deleted nothing more can be made
      return NamespaceTermination.isCauseOf(e) ? null : ClusterFindings.of(e).message();
    }
  }

  /**
   * Deletes role and role binding, unless they were not made for the set.
   *
   * @param set its metadata is enough
   */
  public void revoke(AutoScalingRunnerSet set) {
    var metadata = ListenerPermissions.metadata(set);
    remove(RoleBinding.class, new RoleBindingBuilder().withMetadata(metadata).build());
    remove(Role.class, new RoleBuilder().withMetadata(metadata).build());
  }

  /** Deletes the budget, unless it was not made for the set. */
  public void removeBudget(AutoScalingRunnerSet set) {
    remove(PodDisruptionBudget.class, BusyBudget.of(set));
  }
}
