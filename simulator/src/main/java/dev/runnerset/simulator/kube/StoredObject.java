package dev.runnerset.simulator.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** One version of one object. Immutable; its JSON text is made once, when first asked for. */
final class StoredObject {
  private final ObjectNode json;
  private final long revision;
  private byte @Nullable [] bytes; // a benign race: two threads may make the same text

  StoredObject(ObjectNode json, long revision) {
    this.json = json;
    this.revision = revision;
  }

  /** Read only. */
  ObjectNode json() {
    return json;
  }

  long revision() {
    return revision;
  }

  String name() {
    return json.path("metadata").path("name").asText();
  }

  String namespace() {
    return json.path("metadata").path("namespace").asText();
  }

  String uid() {
    return json.path("metadata").path("uid").asText();
  }

  boolean deleting() {
    return json.path("metadata").has("deletionTimestamp");
  }

  boolean hasFinalizer(String name) {
    return json.path("metadata")
        .path("finalizers")
        .valueStream()
        .anyMatch(f -> f.asText().equals(name));
  }

  byte[] bytes() {
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
