package dev.runnerset.controller.references;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerSetStatus;
import dev.runnerset.kube.MergePatch;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Optional;

/**
 * The deprecated field {@code status.runnerStatuses}: from a runner's name to its revision and
 * status (RF5). Only this class reads the field, and only to find what to write; nothing is decided
 * from it (RF6).
 *
 * @param byName oldest runners first
 * @param leftOut the number of runners beyond {@link #MOST_BYTES}
 */
record FullForm(ObjectNode byName, int leftOut) {
  /** More is not written: the object would exceed the size that a server takes. */
  static final int MOST_BYTES = 512 * 1024;

  /** The size of {@code {}}. */
  private static final int BRACES = 2;

  private static final int QUOTES_COLON_COMMA = 4;

  static final FullForm NONE = new FullForm(JsonNodeFactory.instance.objectNode(), 0);

  private static final ObjectMapper JSON = new ObjectMapper();

  static FullForm of(Collection<EphemeralRunner> runners) {
    var byName = JsonNodeFactory.instance.objectNode();
    int size = BRACES;
    for (var runner : runners.stream().sorted(ChildReferences.OLDEST_FIRST).toList()) {
      var name = runner.getMetadata().getName();
      var entry = entry(runner);
      size += bytes(name) + bytes(entry.toString()) + QUOTES_COLON_COMMA;
      if (size > MOST_BYTES) {
        break;
      }
      byName.set(name, entry);
    }
    return new FullForm(byName, runners.size() - byName.size());
  }

  private static ObjectNode entry(EphemeralRunner runner) {
    var entry = JsonNodeFactory.instance.objectNode();
    if (runner.getSpec().revision() != null) {
      entry.put(
          "revision",
          runner.getSpec().revision()); // the server drops a null, so it would differ each time
    }
    if (runner.getStatus() != null) {
      var status = parsed(Statuses.KUBERNETES.asJson(runner.getStatus()));
      if (status.get("failure") instanceof ObjectNode failure) {
        failure.remove("evidence");
      }
      entry.set("status", status);
    }
    return entry;
  }

  // through text, so that numbers get the types that they have when they are read again
  private static JsonNode parsed(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The value of a merge patch that makes the field so; empty if nothing differs. It clears by name
   * what a runner no longer has, and runners that are gone.
   */
  Optional<JsonNode> changeFrom(EphemeralRunnerSetStatus now) {
    var before = now.runnerStatuses();
    if (byName.isEmpty()) {
      return before.isEmpty() ? Optional.empty() : Optional.of(NullNode.getInstance());
    }
    return MergePatch.ofTrees(JSON.valueToTree(before), byName).map(diff -> diff);
  }

  /** Loaded with the first use: most processes never need it, and it is not cheap. */
  private static final class Statuses {
    static final KubernetesSerialization KUBERNETES = new KubernetesSerialization();
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
