package dev.runnerset.simulator.kube.write;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.kind.DefinitionRules;
import dev.runnerset.simulator.kube.kind.ResourceType;
import dev.runnerset.simulator.kube.status.ApiException;
import dev.runnerset.simulator.kube.store.Cluster;
import dev.runnerset.simulator.kube.store.ObjectRef;
import dev.runnerset.simulator.kube.store.OwnerIndex;
import dev.runnerset.simulator.kube.store.ResourceStore;
import dev.runnerset.simulator.kube.store.StoredObject;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What kube-controller-manager does for deletions, on a thread of its own: dependents of owners
 * that are gone or were never there, foreground deletion, the content of namespaces, the objects of
 * definitions.
 */
public final class GarbageCollector implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(GarbageCollector.class);

  private final Cluster cluster;
  private final Deletes deletes;
  private final Writes writes;
  private final Consumer<ResourceType> deleted;

  /**
   * @param deleted called for each deletion, on the collector's thread
   */
  public GarbageCollector(
      Cluster cluster, Deletes deletes, Writes writes, Consumer<ResourceType> deleted) {
    this.cluster = cluster;
    this.deletes = deletes;
    this.writes = writes;
    this.deleted = deleted;
  }

  @Override
  public void run() {
    while (true) {
      try {
        look(cluster.garbage().take());
      } catch (InterruptedException e) {
        return; // the server is closing
      } catch (ApiException e) {
        LOG.atDebug().addKeyValue("why", e.getMessage()).log("object changed while collecting");
      } catch (RuntimeException e) {
        LOG.atError().setCause(e).log("garbage collection of one object failed");
      }
    }
  }

  private void look(ObjectRef ref) {
    StoredObject object = cluster.store(ref.type()).find(ref.key());
    if (object == null) {
      return;
    }
    if (!object.deleting()) {
      judge(ref, object);
    } else if (ref.type().is(ResourceType.NAMESPACES)) {
      emptyNamespace(ref, object);
    } else if (ref.type().is(ResourceType.CRDS) && object.hasFinalizer(DefinitionRules.CLEANUP)) {
      emptyDefinition(ref, object);
    } else if (object.hasFinalizer(Deletes.FOREGROUND)) {
      foreground(ref, object);
    }
  }

  /** Deletes a dependent none of whose owners stays. */
  private void judge(ObjectRef ref, StoredObject object) {
    Set<String> leaving = new HashSet<>();
    boolean waited = false;
    Set<String> owners = OwnerIndex.owners(object);
    for (String uid : owners) {
      ObjectRef owner = cluster.owners().find(uid);
      StoredObject found =
          owner == null || !reaches(owner, ref)
              ? null
              : cluster.store(owner.type()).find(owner.key());
      if (found == null) {
        leaving.add(uid);
      } else if (found.deleting() && found.hasFinalizer(Deletes.FOREGROUND)) {
        leaving.add(uid);
        waited = true;
      }
    }
    if (owners.isEmpty() || leaving.isEmpty()) {
      return;
    }
    if (leaving.size() < owners.size()) {
      dropOwners(ref, object, leaving::contains);
      return;
    }
    boolean hasOwn = !cluster.owners().dependents(object.uid()).isEmpty();
    String policy = waited && hasOwn ? "Foreground" : "Background";
    delete(ref, object, new Deletes.Options(policy, null, object.uid(), "", false));
  }

  private static boolean reaches(ObjectRef owner, ObjectRef dependent) {
    return !owner.type().namespaced() || owner.namespace().equals(dependent.namespace());
  }

  private void foreground(ObjectRef ref, StoredObject owner) {
    boolean blocked = false;
    for (ObjectRef dependent : cluster.owners().dependents(owner.uid())) {
      StoredObject found = cluster.store(dependent.type()).find(dependent.key());
      if (found == null) {
        continue;
      }
      if (!found.deleting()) {
        // now, while the owner still waits: so the dependent passes the foreground deletion on
        judge(dependent, found);
      }
      StoredObject left = cluster.store(dependent.type()).find(dependent.key());
      blocked |= left != null && blocks(left, owner.uid());
    }
    if (!blocked) {
      dropFinalizer(ref, owner, Deletes.FOREGROUND);
    }
  }

  private static boolean blocks(StoredObject dependent, String uid) {
    return dependent
        .json()
        .at("/metadata/ownerReferences")
        .valueStream()
        .anyMatch(
            r -> r.path("uid").asText().equals(uid) && r.path("blockOwnerDeletion").asBoolean());
  }

  private void emptyNamespace(ObjectRef ref, StoredObject namespace) {
    boolean empty = true;
    for (ResourceType type : cluster.catalog().all()) {
      if (type.namespaced()) {
        empty &= emptied(type, namespace.name());
      }
    }
    ResourceStore store = cluster.store(ref.type());
    if (empty && namespace.json().at("/metadata/finalizers").isEmpty()) {
      var _ = store.locked(() -> store.remove(ref.type(), ref.key(), namespace.json().deepCopy()));
    }
  }

  private void emptyDefinition(ObjectRef ref, StoredObject definition) {
    boolean empty = true;
    for (ResourceType type : cluster.catalog().all()) {
      if (type.custom() && type.qualified().equals(definition.name())) {
        empty &= emptied(type, "");
      }
    }
    if (empty) {
      dropFinalizer(ref, definition, DefinitionRules.CLEANUP);
    }
  }

  /** Deletes what is there and not going yet; true if nothing is left. */
  private boolean emptied(ResourceType type, String namespace) {
    for (StoredObject object : cluster.store(type).snapshot(namespace).objects()) {
      if (!object.deleting()) {
        String key = ResourceStore.key(object.namespace(), object.name());
        delete(new ObjectRef(type, key), object, Deletes.Options.BACKGROUND);
      }
    }
    return cluster.store(type).isEmpty(namespace);
  }

  private void delete(ObjectRef ref, StoredObject object, Deletes.Options options) {
    var outcome = deletes.delete(ref, object.name(), options);
    deleted.accept(ref.type());
    LOG.atDebug()
        .addKeyValue("resource", ref.type().qualified())
        .addKeyValue("key", ref.key())
        .addKeyValue("gone", outcome.gone())
        .log("collected");
  }

  private void dropOwners(ObjectRef ref, StoredObject object, Predicate<String> leaving) {
    write(
        ref,
        object,
        metadata -> {
          ArrayNode owners = metadata.withArrayProperty("ownerReferences");
          owners.removeIf(owner -> leaving.test(owner.path("uid").asText()));
        });
  }

  private void dropFinalizer(ObjectRef ref, StoredObject object, String finalizer) {
    write(
        ref,
        object,
        metadata -> {
          JsonNode name = metadata.textNode(finalizer);
          metadata.withArrayProperty("finalizers").removeIf(name::equals);
        });
  }

  private void write(ObjectRef ref, StoredObject object, Consumer<ObjectNode> change) {
    var _ =
        writes.modify(
            ref,
            object.name(),
            Writes.Part.INTERNAL,
            next -> {
              change.accept(next.withObjectProperty("metadata"));
              return next;
            },
            Writes.Options.NONE);
  }
}
