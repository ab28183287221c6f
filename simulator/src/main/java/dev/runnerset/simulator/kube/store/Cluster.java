package dev.runnerset.simulator.kube.store;

import dev.runnerset.simulator.kube.kind.BuiltIns;
import dev.runnerset.simulator.kube.kind.Catalog;
import dev.runnerset.simulator.kube.kind.ResourceType;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The state of the simulated cluster: kinds, objects, owners, one rising resourceVersion. */
public final class Cluster {
  private final Clock clock;
  private final Identities identities;
  private final long since;
  private final AtomicLong revisions;
  private final Catalog catalog;
  private final OwnerIndex owners = new OwnerIndex();
  private final Map<String, ResourceStore> storeByResource = new ConcurrentHashMap<>();
  private final ObjectQueue garbage = new ObjectQueue();
  private final ObjectQueue changedQuotas = new ObjectQueue();

  /** The first resourceVersion is the time in milliseconds, so that it also rises over restarts. */
  public Cluster(Clock clock, Identities identities) {
    this.clock = clock;
    this.identities = identities;
    this.since = clock.millis();
    this.revisions = new AtomicLong(since);
    this.catalog = new Catalog(BuiltIns.all(clock));
  }

  public Catalog catalog() {
    return catalog;
  }

  public OwnerIndex owners() {
    return owners;
  }

  /** What the garbage collector is to look at. */
  public ObjectQueue garbage() {
    return garbage;
  }

  /** Quotas whose limits, or whose counted objects, are not what they were. */
  public ObjectQueue changedQuotas() {
    return changedQuotas;
  }

  public Clock clock() {
    return clock;
  }

  public Identities identities() {
    return identities;
  }

  /**
   * The newest resourceVersion; under the lock of a store, no later change of it is at or below.
   */
  public long revision() {
    return revisions.get();
  }

  /** Now, as the API writes it: RFC 3339 in whole seconds. */
  public String timestamp() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  public ResourceStore store(ResourceType type) {
    return storeByResource.computeIfAbsent(
        type.qualified(), r -> new ResourceStore(revisions, since, this::changed));
  }

  public ResourceType builtIn(String plural) {
    return catalog.find("", "v1", plural).orElseThrow();
  }

  ResourceType definitions() {
    return catalog.find("apiextensions.k8s.io", "v1", "customresourcedefinitions").orElseThrow();
  }

  public @Nullable StoredObject namespace(String name) {
    return store(builtIn(ResourceType.NAMESPACES)).find(ResourceStore.key("", name));
  }

  private void changed(
      ResourceType type, String key, @Nullable StoredObject before, @Nullable StoredObject after) {
    ObjectRef ref = new ObjectRef(type, key);
    owners.changed(ref, before, after);
    if (type.is(ResourceType.CRDS)) {
      if (after != null) {
        catalog.define(after.json());
      } else if (before != null) {
        catalog.forget(before.json());
      }
    }
    if (type.is(ResourceType.QUOTAS)) {
      enqueueQuota(ref, before, after);
    } else if (type.namespaced() && before != null && frees(before, after)) {
      ResourceType quotas = builtIn(ResourceType.QUOTAS);
      for (StoredObject quota : store(quotas).objects(ref.namespace())) {
        changedQuotas.add(new ObjectRef(quotas, ResourceStore.key(ref.namespace(), quota.name())));
      }
    }
    if (after != null) {
      enqueueStored(ref, before, after);
    } else if (before != null) {
      enqueueRemoved(ref, before);
    }
  }

  private void enqueueQuota(
      ObjectRef ref, @Nullable StoredObject before, @Nullable StoredObject after) {
    if (after != null
        && (before == null || !before.json().path("spec").equals(after.json().path("spec")))) {
      changedQuotas.add(ref);
    }
  }

  /** Whether quotas may count less: it is gone, or a pod has ended. */
  private static boolean frees(StoredObject before, @Nullable StoredObject after) {
    return after == null
        || !before.json().at("/status/phase").equals(after.json().at("/status/phase"));
  }

  private void enqueueStored(ObjectRef ref, @Nullable StoredObject before, StoredObject after) {
    if (after.deleting()) {
      garbage.add(ref);
    } else if (after.json().path("metadata").has("ownerReferences")
        && !OwnerIndex.owners(after).equals(OwnerIndex.owners(before))) {
      garbage.add(ref);
    }
  }

  private void enqueueRemoved(ObjectRef ref, StoredObject before) {
    owners.dependents(before.uid()).forEach(garbage::add);
    for (String uid : OwnerIndex.owners(before)) {
      ObjectRef owner = owners.find(uid);
      if (owner != null) {
        garbage.add(owner); // it may wait for its dependents
      }
    }
    if (ref.type().namespaced()) {
      StoredObject namespace = namespace(ref.namespace());
      if (namespace != null && namespace.deleting()) {
        garbage.add(new ObjectRef(builtIn(ResourceType.NAMESPACES), "/" + ref.namespace()));
      }
    }
    if (ref.type().custom()) {
      garbage.add(new ObjectRef(definitions(), "/" + ref.type().qualified()));
    }
  }
}
