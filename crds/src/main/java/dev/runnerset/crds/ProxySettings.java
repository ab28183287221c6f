package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The proxies that runners, the listener and the controller use towards the Actions service. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ProxySettings(
    @Nullable Endpoint http, @Nullable Endpoint https, List<String> noProxy) {

  /** Absent lists are empty, so that equality survives a round trip. */
  public ProxySettings {
    noProxy = noProxy == null ? List.of() : List.copyOf(noProxy);
  }

  /** One proxy; the secret has the keys {@code username} and {@code password}. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record Endpoint(
      @Required @Pattern("^https?://[^\\s/@]+/?$") String url,
      @Nullable NameReference credentialSecretRef) {}
}
