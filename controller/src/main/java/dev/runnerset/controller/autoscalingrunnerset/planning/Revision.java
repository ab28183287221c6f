package dev.runnerset.controller.autoscalingrunnerset.planning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.runnerset.crds.AutoScalingRunnerSetSpec;
import dev.runnerset.crds.CanonicalJson;
import dev.runnerset.crds.Lifetime;
import dev.runnerset.crds.Sha256;
import dev.runnerset.crds.StoredTemplate;
import org.jspecify.annotations.Nullable;

/**
 * The hash of everything that shapes a runner's pod: template, proxy, trusted certificate and
 * lifetime; not counts, retention or flags (RV1). The order of keys does not matter.
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
    // absent without one: the revision of a set from before stays
    Lifetime.of(spec.maxLifetime()).ifPresent(time -> content.put("maxLifetime", time.toSeconds()));
    return Sha256.hex(CanonicalJson.of(content).toString(), DIGITS);
  }

  /** As the types of the library write it, so that {@code cpu: 1} and {@code cpu: "1"} are one. */
  private static JsonNode template(@Nullable StoredTemplate template) {
    if (template == null) {
      return NullNode.getInstance();
    }
    return switch (template.content()) {
      case StoredTemplate.Content.Readable(var typed) -> JSON.valueToTree(typed);
      case StoredTemplate.Content.Unreadable _ -> template.tree();
    };
  }
}
