package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The proxies that runners, the listener and the controller use towards the Actions service. */
@EmptyIsAbsent
public record ProxySettings(
    @JsonPropertyDescription("for http URLs") @Nullable Endpoint http,
    @JsonPropertyDescription("for https URLs") @Nullable Endpoint https,
    @JsonPropertyDescription("hosts that are reached without a proxy") List<String> noProxy) {

  /** Absent lists are empty, so that equality survives a round trip. */
  public ProxySettings {
    noProxy = noProxy == null ? List.of() : List.copyOf(noProxy);
  }

  /** One proxy; the secret has the keys {@code username} and {@code password}. */
  @EmptyIsAbsent
  public record Endpoint(
      @JsonPropertyDescription("as http://proxy.example:3128")
          @Required
          @Size(max = 1024)
          @ValidationRule(
              value = "self.matches(r'^https?://[^\\s/@]+/?$')",
              message =
                  "write a URL without user, path or space, as http://proxy.example:3128; credentials go"
                      + " into the secret of credentialSecretRef")
          @ValidationRule(
              value = LaterRule.UNLESS_KEPT + LaterRule.PORT,
              message = LaterRule.PORT_EXPECTED,
              optionalOldSelf = true)
          String url,
      @JsonPropertyDescription("secret with the keys username and password")
          @Nullable NameReference credentialSecretRef) {}
}
