package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.controller.autoscalingrunnerset.planning.BusyBudget;
import dev.runnerset.controller.autoscalingrunnerset.planning.ChildNames;
import dev.runnerset.controller.autoscalingrunnerset.planning.ObservedRunnerSet;
import dev.runnerset.controller.autoscalingrunnerset.status.RunnerSetConditions;
import dev.runnerset.controller.caches.InformerWriteCache;
import dev.runnerset.controller.caches.SharedCache;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.hooks.SweptSets;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingListenerStatus;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.ServiceConnection;
import dev.runnerset.crds.condition.ConditionType;
import dev.runnerset.crds.condition.StatusConditions;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.IndexedResourceCache;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The informers of the children of runner sets; our writes go into their caches at once. */
final class RunnerSetCaches implements RunnerSetPass.Known {
  private static final String LISTENER_OBJECTS =
      Labels.COMPONENT + "=" + Labels.COMPONENT_LISTENER + "," + Labels.SET;

  private static final String RUNNER_OBJECTS =
      Labels.COMPONENT + "=" + Labels.COMPONENT_RUNNER + "," + Labels.SET;

  /** What a listener object says, and whether its holder is dead. */
  @FunctionalInterface
  interface Judgement {
    AutoScalingListenerStatus of(AutoScalingListenerStatus status, List<Condition> ofSet);
  }

  private final String listenerNamespace;
  private final Judgement judged;
  private final IndexedResourceCache<AutoScalingRunnerSet> sets;
  private final SharedCache<EphemeralRunnerSet> ephemeralRunnerSets;
  private final SharedCache<AutoScalingListener> listeners;
  private final InformerEventSource<Role, AutoScalingRunnerSet> roles;
  private final InformerEventSource<RoleBinding, AutoScalingRunnerSet> bindings;
  private final InformerEventSource<PodDisruptionBudget, AutoScalingRunnerSet> budgets;

  /**
   * The informers.
   *
   * @param judged the status of a listener object, if its holder is dead with a condition of that
   */
  RunnerSetCaches(
      EventSourceContext<AutoScalingRunnerSet> context,
      SharedCache<EphemeralRunnerSet> ephemeralRunnerSets,
      SharedCache<AutoScalingListener> listeners,
      String listenerNamespace,
      Judgement judged) {
    this.listenerNamespace = listenerNamespace;
    this.judged = judged;
    var primaries = context.getPrimaryCache();
    sets = primaries;
    this.ephemeralRunnerSets = ephemeralRunnerSets;
    this.listeners = listeners;
    roles = permissions(Role.class, "roles", context);
    bindings = permissions(RoleBinding.class, "role-bindings", context);
    budgets =
        new InformerEventSource<>(
            InformerEventSourceConfiguration.from(
                    PodDisruptionBudget.class, AutoScalingRunnerSet.class)
                .withName("budgets")
                .withLabelSelector(RUNNER_OBJECTS)
                .withSecondaryToPrimaryMapper(RunnerSetCaches::setOf)
                .withOnUpdateFilter(RunnerSetCaches::isMoreThanItsStatus)
                .build(),
            context);
  }

  /** The disruption controller counts in the status whenever a job begins or ends. */
  private static boolean isMoreThanItsStatus(PodDisruptionBudget now, PodDisruptionBudget before) {
    return !Objects.equals(now.getSpec(), before.getSpec())
        || !Objects.equals(now.getMetadata().getLabels(), before.getMetadata().getLabels())
        || !Objects.equals(
            now.getMetadata().getAnnotations(), before.getMetadata().getAnnotations());
  }

  private static <T extends HasMetadata> InformerEventSource<T, AutoScalingRunnerSet> permissions(
      Class<T> kind, String name, EventSourceContext<AutoScalingRunnerSet> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(kind, AutoScalingRunnerSet.class)
            .withName(name)
            .withLabelSelector(LISTENER_OBJECTS)
            .withSecondaryToPrimaryMapper(RunnerSetCaches::setOf)
            .build(),
        context);
  }

  /** The set that an object with {@link ChildNames#listenerLabels} was made for. */
  private static Set<ResourceID> setOf(HasMetadata object) {
    var labels = object.getMetadata().getLabels();
    if (labels == null
        || !labels.containsKey(Labels.SET)
        || !labels.containsKey(Labels.SET_NAMESPACE)) {
      return Set.of();
    }
    return Set.of(new ResourceID(labels.get(Labels.SET), labels.get(Labels.SET_NAMESPACE)));
  }

  /**
   * The set that a listener object was made for, and the one that needs its name: whatever stands
   * under that name, the set must see it come and go.
   */
  Set<ResourceID> setsOf(AutoScalingListener listener) {
    var name = listener.getMetadata().getName();
    var labelled = setOf(listener);
    if (labelled.stream().anyMatch(set -> isNameOf(set, name))) {
      return labelled;
    }
    return Stream.concat(
            labelled.stream(),
            sets.list().map(ResourceID::fromResource).filter(set -> isNameOf(set, name)))
        .collect(Collectors.toSet());
  }

  private static boolean isNameOf(ResourceID set, String listener) {
    var namespace = set.getNamespace().orElse("");
    return listener.equals(ChildNames.listener(namespace, set.getName()));
  }

  List<EventSource<?, AutoScalingRunnerSet>> sources() {
    return List.of(roles, bindings, budgets);
  }

  @Override
  public Stream<AutoScalingRunnerSet> sets() {
    return sets.list();
  }

  @Override
  public Optional<AutoScalingRunnerSet> set(SetKey key) {
    return sets.get(new ResourceID(key.name(), key.namespace()));
  }

  /** The listener processes that the listener objects name. */
  Set<String> holders() {
    return sets().flatMap(set -> holder(set).stream()).collect(Collectors.toSet());
  }

  /** The sets that the listener process holds. */
  Stream<AutoScalingRunnerSet> heldBy(String process) {
    return sets().filter(set -> holder(set).filter(process::equals).isPresent());
  }

  private Optional<String> holder(AutoScalingRunnerSet set) {
    return Optional.ofNullable(listener(set))
        .map(listener -> listener.statusOrNone().holder())
        .filter(holder -> !holder.isEmpty());
  }

  /** A runner set as age collection sees it. */
  SweptSets.SweptSet swept(AutoScalingRunnerSet set) {
    var listener = listener(set);
    var ers = ephemeralRunnerSet(set);
    return new SweptSets.SweptSet(
        set,
        listener != null
            && ServiceConnection.of(listener.getSpec())
                .hash()
                .equals(listener.statusOrNone().connection())
            && RunnerSetConditions.isConnected(
                judged.of(listener.statusOrNone(), set.statusOrNone().conditions())),
        ers != null
            && StatusConditions.isTrue(
                ers.statusOrNone().conditions(), ConditionType.RUNNERS_FAILING));
  }

  ObservedRunnerSet gather(AutoScalingRunnerSet set, Context<AutoScalingRunnerSet> context) {
    var meta = set.getMetadata();
    var permissions = ChildNames.permissions(meta.getName());
    return new ObservedRunnerSet(
        set,
        context.getPrimaryCache().list().toList(),
        ephemeralRunnerSet(set),
        listener(set),
        named(roles, set, meta.getNamespace(), permissions),
        named(bindings, set, meta.getNamespace(), permissions),
        named(budgets, set, meta.getNamespace(), BusyBudget.name(set)));
  }

  private @Nullable EphemeralRunnerSet ephemeralRunnerSet(AutoScalingRunnerSet set) {
    return ephemeralRunnerSets
        .find(set.getMetadata().getNamespace(), ChildNames.ephemeralRunnerSet(set))
        .filter(ers -> Ownership.isOf(ers, set))
        .orElse(null);
  }

  /** The listener object that was made for the set. */
  @Nullable AutoScalingListener listener(AutoScalingRunnerSet set) {
    var meta = set.getMetadata();
    var name = ChildNames.listener(meta.getNamespace(), meta.getName());
    return listeners
        .find(listenerNamespace, name)
        .filter(listener -> ChildNames.isListenerOf(listener, set))
        .orElse(null);
  }

  /** The object of that name: somebody may have copied it with its labels. */
  private static <T extends HasMetadata> @Nullable T named(
      InformerEventSource<T, AutoScalingRunnerSet> source,
      AutoScalingRunnerSet set,
      String namespace,
      String name) {
    return source.getSecondaryResources(set).stream()
        .filter(object -> Objects.equals(object.getMetadata().getNamespace(), namespace))
        .filter(object -> Objects.equals(object.getMetadata().getName(), name))
        .findFirst()
        .orElse(null);
  }

  /** Puts the answers to our writes into the caches. */
  WriteCache writes(Context<AutoScalingRunnerSet> context) {
    return new InformerWriteCache(
        Map.of(EphemeralRunnerSet.class, ephemeralRunnerSets, AutoScalingListener.class, listeners),
        context.eventSourceRetriever().getControllerEventSource(),
        roles,
        bindings,
        budgets);
  }
}
