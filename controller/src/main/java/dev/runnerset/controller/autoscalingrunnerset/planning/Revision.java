package dev.runnerset.controller.autoscalingrunnerset.planning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.runnerset.crds.AutoScalingRunnerSetSpec;
import dev.runnerset.crds.Sha256;
import dev.runnerset.crds.StoredTemplate;
import java.util.ArrayList;
import java.util.Collections;
import org.jspecify.annotations.Nullable;

/**
 * The hash of everything that shapes a runner's pod: template, proxy and trusted certificate; not
 * counts, retention or flags (RV1). The order of keys does not matter.
 */
public final class Revision {
  private static final int DIGITS = 10;
  private static final ObjectMapper JSON = new ObjectMapper();

  private Revision() {}

  public static String of(AutoScalingRunnerSetSpec spec) {
    var content = JsonNodeFactory.instance.objectNode();
    content.set("template", template(spec.template()));
    content.set("proxy", JSON.valueToTree(spec.proxy()));
    content.set("githubServerTLS", JSON.valueToTree(spec.githubServerTLS()));
    return Sha256.hex(canonical(content).toString(), DIGITS);
  }

  /** As the types of the library write it, so that {@code cpu: 1} and {@code cpu: "1"} are one. */
  private static JsonNode template(@Nullable StoredTemplate template) {
    var typed = template == null ? null : template.podTemplate();
    return typed == null && template != null ? template.tree() : JSON.valueToTree(typed);
  }

  private static JsonNode canonical(JsonNode node) {
    if (node.isObject()) {
      var names = new ArrayList<String>();
      node.fieldNames().forEachRemaining(names::add);
      Collections.sort(names);
      var sorted = JsonNodeFactory.instance.objectNode();
      names.forEach(name -> sorted.set(name, canonical(node.get(name))));
      return sorted;
    }
    if (node.isArray()) {
      var items = JsonNodeFactory.instance.arrayNode();
      node.forEach(item -> items.add(canonical(item)));
      return items;
    }
    return node;
  }
}
