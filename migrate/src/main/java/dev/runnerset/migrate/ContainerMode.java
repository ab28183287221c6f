package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The container mode of values. What has no effect there is refused by our chart: left out here.
 */
final class ContainerMode {
  private static final String CLAIM = "kubernetesModeWorkVolumeClaim";
  private static final Set<String> HOOKS = Set.of("kubernetes", "kubernetes-novolume");
  private static final String[] CLAIM_FIELDS = {
    "accessModes",
    "dataSource",
    "dataSourceRef",
    "selector",
    "storageClassName",
    "volumeAttributesClassName",
    "volumeMode",
    "volumeName"
  };
  private static final String HOOKS_ONLY =
      "was left out: it has an effect in the modes kubernetes and kubernetes-novolume only";

  private final @Nullable Fields fields;
  private final ObjectNode output = JsonNodeFactory.instance.objectNode();

  /** Takes the mode out of the values. */
  ContainerMode(Fields values) {
    fields = values.fields("containerMode");
    var type = fields == null ? null : fields.text("type");
    if (type != null && fields != null) {
      if (HOOKS.contains(type) || type.equals("dind")) {
        output.put("type", type);
      } else {
        fields.note("type", "'" + type + "' was left out: it is no mode, ARC ignores it");
      }
    }
  }

  /** The mode; null for none. */
  @Nullable String type() {
    return output.has("type") ? output.path("type").asText() : null;
  }

  /** The output, by the converted spec of the template; null if nothing is to be said. */
  @Nullable ObjectNode converted(JsonNode spec) {
    if (fields != null) {
      claim(fields, hasVolumeWork(spec));
      rules(fields, spec.path("serviceAccountName").asText());
      extension(fields);
      fields.tellRest();
    }
    return output.isEmpty() ? null : output;
  }

  private static boolean hasVolumeWork(JsonNode spec) {
    return spec.path("volumes").findValuesAsText("name").contains("work");
  }

  private boolean runsJobsInPods() {
    return HOOKS.contains(output.path("type").asText());
  }

  private void claim(Fields mode, boolean ownVolume) {
    var given = mode.fields(CLAIM);
    boolean needed = output.path("type").asText().equals("kubernetes");
    if (given == null) {
      if (needed && !ownVolume) {
        mode.note(
            CLAIM,
            "is missing, so that charts/runnerset-set refuses these values: write {accessModes:"
                + " [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}");
      }
    } else if (!needed) {
      mode.note(CLAIM, "was left out: it has an effect in mode kubernetes only");
    } else if (ownVolume) {
      mode.note(
          CLAIM,
          "was left out: the template has a volume work of its own, which is used, as by ARC");
    } else {
      output.set(CLAIM, claim(given));
    }
  }

  /** The claim, with the size where a claim has it. */
  private static ObjectNode claim(Fields given) {
    var claim = JsonNodeFactory.instance.objectNode();
    var modes = given.take("accessModes");
    if (modes != null && modes.isTextual()) {
      claim.putArray("accessModes").add(modes);
      given.note("accessModes", "was a text; it is a list now");
    } else if (modes != null) {
      claim.set("accessModes", modes);
    }
    given.move(claim, CLAIM_FIELDS);
    var size = given.text("storage");
    if (size != null) {
      given.note("storage", "is resources.requests.storage now: a claim has the size there");
    }
    var resources = given.fields("resources");
    if (resources != null) {
      resources.move(claim.putObject("resources"), "requests", "limits");
      var second = resources.text("storage");
      if (second != null) {
        resources.note("storage", "is resources.requests.storage now: a claim has the size there");
        size = size == null ? second : size;
      }
      resources.tellRest();
    }
    if (size != null && !claim.path("resources").path("requests").has("storage")) {
      claim.withObjectProperty("resources").withObjectProperty("requests").put("storage", size);
    }
    if (!claim.path("resources").path("requests").has("storage")) {
      given.note(
          "resources.requests.storage",
          "is missing: the API server refuses pods with such a claim, add it");
    }
    given.tellRest();
    return claim;
  }

  private void rules(Fields mode, String account) {
    var field = "kubernetesModeAdditionalRoleRules";
    if (!runsJobsInPods()) {
      mode.drop(field, HOOKS_ONLY);
    } else if (!account.isEmpty()) {
      mode.drop(
          field, "was left out: no role is made where the template names a serviceAccountName");
    } else {
      mode.move(output, field);
    }
  }

  private void extension(Fields mode) {
    var field = "kubernetesModeHookExtension";
    if (runsJobsInPods()) {
      mode.move(output, field);
    } else {
      mode.drop(field, HOOKS_ONLY);
    }
  }
}
