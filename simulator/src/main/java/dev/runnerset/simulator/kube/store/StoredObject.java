package dev.runnerset.simulator.kube.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import org.jspecify.annotations.Nullable;

/** One version of one object. Immutable; its JSON text is made once, when first asked for. */
public final class StoredObject {
  private final ObjectNode json;
  private final long revision;
  private byte @Nullable [] bytes; // a benign race: two threads may make the same text

  public StoredObject(ObjectNode json, long revision) {
    this.json = json;
    this.revision = revision;
  }

  /** Read only. */
  public ObjectNode json() {
    return json;
  }

  public long revision() {
    return revision;
  }

  public String name() {
    return json.path("metadata").path("name").asText();
  }

  public String namespace() {
    return json.path("metadata").path("namespace").asText();
  }

  public String uid() {
    return json.path("metadata").path("uid").asText();
  }

  public boolean deleting() {
    return json.path("metadata").has("deletionTimestamp");
  }

  public boolean hasFinalizer(String name) {
    return json.path("metadata")
        .path("finalizers")
        .valueStream()
        .anyMatch(f -> f.asText().equals(name));
  }

  public byte[] bytes() {
    byte[] made = bytes;
    if (made == null) {
      made = Json.bytes(json);
      bytes = made;
    }
    return made;
  }

  /** The same content under another resourceVersion: what a DELETED event shows. */
  StoredObject at(long otherRevision) {
    ObjectNode copy = json.deepCopy();
    copy.withObjectProperty("metadata").put("resourceVersion", Long.toString(otherRevision));
    return new StoredObject(copy, otherRevision);
  }
}
