package dev.runnerset.controller.autoscalingrunnerset;

import dev.runnerset.controller.autoscalingrunnerset.planning.BusyBudget;
import dev.runnerset.controller.autoscalingrunnerset.planning.ChildNames;
import dev.runnerset.controller.autoscalingrunnerset.planning.ObservedRunnerSet;
import dev.runnerset.controller.caches.InformerWriteCache;
import dev.runnerset.controller.caches.SharedCache;
import dev.runnerset.controller.caches.WriteCache;
import dev.runnerset.controller.ownership.Meta;
import dev.runnerset.controller.ownership.Ownership;
import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.KubeApi;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The sets and their children in the caches; our writes go there at once. Empty until they are
 * opened.
 */
final class RunnerSetCaches implements RunnerSetPass.Known {
  private static final String LISTENER_OBJECTS =
      Labels.COMPONENT + "=" + Labels.COMPONENT_LISTENER + "," + Labels.SET;
  private static final String RUNNER_OBJECTS =
      Labels.COMPONENT + "=" + Labels.COMPONENT_RUNNER + "," + Labels.SET;

  private final String listenerNamespace;
  private final SharedCache<AutoScalingRunnerSet> sets;
  private final SharedCache<EphemeralRunnerSet> ephemeralRunnerSets;
  private final SharedCache<AutoScalingListener> listeners;
  private final Demands demands;
  private @Nullable Opened opened;

  /** The informers that only this reconciler has. */
  private record Opened(
      InformerEventSource<Role, AutoScalingRunnerSet> roles,
      InformerEventSource<RoleBinding, AutoScalingRunnerSet> bindings,
      InformerEventSource<PodDisruptionBudget, AutoScalingRunnerSet> budgets,
      WriteCache writes) {}

  RunnerSetCaches(
      String listenerNamespace,
      SharedCache<AutoScalingRunnerSet> sets,
      SharedCache<EphemeralRunnerSet> ephemeralRunnerSets,
      SharedCache<AutoScalingListener> listeners,
      Demands demands) {
    this.listenerNamespace = listenerNamespace;
    this.sets = sets;
    this.ephemeralRunnerSets = ephemeralRunnerSets;
    this.listeners = listeners;
    this.demands = demands;
  }

  /** Opens them; what happens to a child triggers a pass of its set. */
  List<EventSource<?, AutoScalingRunnerSet>> open(
      EventSourceContext<AutoScalingRunnerSet> context, Consumer<AutoScalingRunnerSet> gone) {
    sets.open(context);
    sets.follow((set, isGone) -> {
      if (isGone) {
        gone.accept(set);
      }
    });
    var roles = informer(Role.class, "roles", LISTENER_OBJECTS, (now, before) -> true, context);
    var bindings =
        informer(RoleBinding.class, "role-bindings", LISTENER_OBJECTS, (now, b) -> true, context);
    var budgets =
        informer(
            PodDisruptionBudget.class,
            "budgets",
            RUNNER_OBJECTS,
            RunnerSetCaches::isMoreThanItsStatus,
            context);
    var shared =
        Map.<Class<?>, WriteCache>of(
            AutoScalingRunnerSet.class,
            sets,
            EphemeralRunnerSet.class,
            ephemeralRunnerSets,
            AutoScalingListener.class,
            listeners);
    opened =
        new Opened(
            roles, bindings, budgets, new InformerWriteCache(shared, roles, bindings, budgets));
    // by its name, which is the set's: somebody may take its owner reference off
    ephemeralRunnerSets.follow((ers, isGone) -> wake(SetKey.of(ers)));
    listeners.follow((listener, isGone) -> setsOf(listener).forEach(sets::propagateEvent));
    return List.of(sets, roles, bindings, budgets);
  }

  /** The disruption controller counts in the status whenever a job begins or ends. */
  private static boolean isMoreThanItsStatus(PodDisruptionBudget now, PodDisruptionBudget before) {
    return !Objects.equals(now.getSpec(), before.getSpec())
        || !Objects.equals(now.getMetadata().getLabels(), before.getMetadata().getLabels())
        || !Objects.equals(
            now.getMetadata().getAnnotations(), before.getMetadata().getAnnotations());
  }

  private static <T extends HasMetadata> InformerEventSource<T, AutoScalingRunnerSet> informer(
      Class<T> kind,
      String name,
      String selector,
      OnUpdateFilter<T> news,
      EventSourceContext<AutoScalingRunnerSet> context) {
    return new InformerEventSource<>(
        InformerEventSourceConfiguration.from(kind, AutoScalingRunnerSet.class)
            .withName(name)
            .withLabelSelector(selector)
            .withInformerListLimit(KubeApi.PAGE)
            .withSecondaryToPrimaryMapper(RunnerSetCaches::setOf)
            .withOnUpdateFilter(news)
            .build(),
        context);
  }

  /** The set that an object with {@link ChildNames#listenerLabels} was made for. */
  private static Set<ResourceID> setOf(HasMetadata object) {
    var labels = Meta.labels(object);
    if (!labels.containsKey(Labels.SET) || !labels.containsKey(Labels.SET_NAMESPACE)) {
      return Set.of();
    }
    return Set.of(new ResourceID(labels.get(Labels.SET), labels.get(Labels.SET_NAMESPACE)));
  }

  /**
   * The set that a listener object was made for, and the one that needs its name: whatever stands
   * under that name, the set must see it come and go.
   */
  private Set<ResourceID> setsOf(AutoScalingListener listener) {
    var name = listener.getMetadata().getName();
    var labelled = setOf(listener);
    if (labelled.stream().anyMatch(set -> isNameOf(set, name))) {
      return labelled;
    }
    return Stream.concat(
            labelled.stream(),
            sets().map(ResourceID::fromResource).filter(set -> isNameOf(set, name)))
        .collect(Collectors.toSet());
  }

  private static boolean isNameOf(ResourceID set, String listener) {
    var namespace = set.getNamespace().orElse("");
    return listener.equals(ChildNames.listener(namespace, set.getName()));
  }

  /** Triggers a pass of the set. */
  @Override
  public void wake(SetKey set) {
    sets.propagateEvent(new ResourceID(set.name(), set.namespace()));
  }

  @Override
  public Stream<AutoScalingRunnerSet> sets() {
    return sets.all();
  }

  @Override
  public Optional<AutoScalingRunnerSet> set(SetKey key) {
    return sets.find(key.namespace(), key.name());
  }

  /** The listener process that the listener object of the set names. */
  Optional<String> holder(AutoScalingRunnerSet set) {
    return Optional.ofNullable(listener(set))
        .map(listener -> listener.statusOrNone().holder())
        .filter(holder -> !holder.isEmpty());
  }

  ObservedRunnerSet gather(AutoScalingRunnerSet set) {
    var informers = opened();
    var meta = set.getMetadata();
    var permissions = ChildNames.permissions(meta.getName());
    return new ObservedRunnerSet(
        set,
        sets().toList(),
        ephemeralRunnerSet(set),
        listener(set),
        named(informers.roles, set, permissions),
        named(informers.bindings, set, permissions),
        named(informers.budgets, set, BusyBudget.name(set)));
  }

  @Nullable EphemeralRunnerSet ephemeralRunnerSet(AutoScalingRunnerSet set) {
    return ephemeralRunnerSets
        .find(set.getMetadata().getNamespace(), ChildNames.ephemeralRunnerSet(set))
        .filter(ers -> Ownership.isOf(ers, set))
        .map(demands::put)
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
      InformerEventSource<T, AutoScalingRunnerSet> source, AutoScalingRunnerSet set, String name) {
    var namespace = set.getMetadata().getNamespace();
    return source.getSecondaryResources(set).stream()
        .filter(object -> Objects.equals(object.getMetadata().getNamespace(), namespace))
        .filter(object -> Objects.equals(object.getMetadata().getName(), name))
        .findFirst()
        .orElse(null);
  }

  private Opened opened() {
    return Objects.requireNonNull(opened, "prepareEventSources comes first");
  }

  @Override
  public void created(HasMetadata made) {
    opened().writes.created(made);
  }

  @Override
  public void changed(HasMetadata before, HasMetadata after) {
    opened().writes.changed(before, after);
  }
}
