package dev.runnerset.controller.managerrole;

import dev.runnerset.controller.ownership.SetKey;
import dev.runnerset.controller.rounds.Followed;
import dev.runnerset.crds.AutoScalingListener;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.MergePatch;
import dev.runnerset.kube.NotSentException;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the role bindings by which the controller works in the namespaces of sets, and in that of
 * the listener: puts its finalizer on each that a set or a listener object needs, and takes it off
 * when these are gone. Wakes the sets of a binding that comes. Its writes are refused while this
 * process does not lead.
 */
public final class ManagerBindings implements Followed {
  private static final Logger LOG = LoggerFactory.getLogger(ManagerBindings.class);
  private static final Duration PERIOD = Duration.ofSeconds(2);

  /** After a write that failed: the role may not allow it. */
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(30);

  private final KubeApi kube;
  private final Supplier<Collection<AutoScalingRunnerSet>> sets;
  private final Supplier<Collection<AutoScalingListener>> listeners;
  private final Supplier<Collection<SetKey>> left;
  private final Clock clock;
  private final List<SharedIndexInformer<RoleBinding>> informers;
  private final Map<String, Instant> nextTryByUid = new HashMap<>(); // of the timer's thread
  private final Followed rounds = Followed.every("manager-bindings", PERIOD, this::check);

  /**
   * What needs a binding, each time as it is then.
   *
   * @param left sets, there or not, that left something to delete
   */
  public record Users(
      Supplier<Collection<AutoScalingRunnerSet>> sets,
      Supplier<Collection<AutoScalingListener>> listeners,
      Supplier<Collection<SetKey>> left) {}

  /**
   * Goes on trying when the bindings cannot be read.
   *
   * @param namespaces those that are watched; empty for all
   * @param users the sets and listener objects in the caches, and what is left of sets
   * @param woken called for a set whose binding came; must not block
   */
  public ManagerBindings(
      KubernetesClient client,
      Set<String> namespaces,
      Users users,
      Consumer<AutoScalingRunnerSet> woken,
      Clock clock) {
    this.kube = new KubeApi(client);
    sets = users.sets();
    listeners = users.listeners();
    left = users.left();
    this.clock = clock;
    var bindings = client.rbac().roleBindings();
    informers =
        namespaces.isEmpty()
            ? List.of(bindings.inAnyNamespace().withLabels(LABELS).runnableInformer(0))
            : namespaces.stream()
                .map(name -> bindings.inNamespace(name).withLabels(LABELS).runnableInformer(0))
                .toList();
    for (var informer : informers) {
      informer.exceptionHandler((started, failure) -> {
        LOG.atWarn()
            .addKeyValue("why", failure.toString())
            .log("the role bindings of the controller cannot be read; tried again");
        return true;
      });
      informer.addEventHandler(new Come(woken));
    }
  }

  @Override
  public void begin() {
    informers.forEach(SharedIndexInformer::start);
    rounds.begin();
  }

  private static final Map<String, String> LABELS =
      Map.of(Labels.PART_OF, Labels.PART_OF_VALUE, Labels.COMPONENT, Labels.COMPONENT_MANAGER);

  private final class Come implements ResourceEventHandler<RoleBinding> {
    private final Consumer<AutoScalingRunnerSet> woken;

    Come(Consumer<AutoScalingRunnerSet> woken) {
      this.woken = woken;
    }

    @Override
    public void onAdd(RoleBinding binding) {
      sets.get().stream().filter(set -> ManagerUse.isFor(binding, set)).forEach(woken);
    }

    @Override
    public void onUpdate(RoleBinding before, RoleBinding now) {
      // what it allows does not change: a binding keeps its role
    }

    @Override
    public void onDelete(RoleBinding binding, boolean finalStateUnknown) {
      // the sets tell what they may not do
    }
  }

  private void check() {
    var now = clock.instant();
    nextTryByUid.values().removeIf(at -> !now.isBefore(at));
    var there = Stream.concat(sets.get().stream(), listeners.get().stream()).toList();
    var leftOf = left.get();
    informers.stream()
        .filter(SharedIndexInformer::hasSynced)
        .flatMap(informer -> informer.getStore().list().stream())
        .filter(binding -> !nextTryByUid.containsKey(binding.getMetadata().getUid()))
        .flatMap(binding ->
            ManagerUse.change(binding, there, leftOf).stream()
                .map(after -> new Change(binding, after)))
        .forEach(change -> write(change, now));
  }

  /** A binding, and the finalizers that it is to have. */
  private record Change(RoleBinding binding, List<String> finalizers) {}

  private void write(Change change, Instant now) {
    var metadata = change.binding().getMetadata();
    // INVARIANT (WR6): only as it was seen, since the list replaces what others put on meanwhile
    var body = MergePatch.finalizers(change.binding(), change.finalizers());
    try {
      var _ = kube.merge(RoleBinding.class, Resource.of(change.binding()), body);
    } catch (KubernetesClientException e) {
      if (NotSentException.isCauseOf(e)) {
        return; // another process leads
      }
      if (!MAY_BE_OVER.contains(e.getCode())) {
        nextTryByUid.put(metadata.getUid(), now.plus(AFTER_FAILURE));
        LOG.atInfo()
            .addKeyValue("namespace", metadata.getNamespace())
            .addKeyValue("binding", metadata.getName())
            .addKeyValue("why", e.getMessage())
            .log("the finalizer of a role binding was not changed; tried again");
      }
    }
  }

  /** It changed, or it is gone. */
  private static final Set<Integer> MAY_BE_OVER = Set.of(404, 409);

  @Override
  public void close() {
    rounds.close();
    informers.forEach(SharedIndexInformer::stop);
  }
}
