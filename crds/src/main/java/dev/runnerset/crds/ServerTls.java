package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** Which certificate authority signs for the Actions service, beside the system's. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ServerTls(
    @JsonPropertyDescription("where the certificate is") @Required
        CertificateSource certificateFrom) {

  /** Where the certificate stands. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record CertificateSource(
      @JsonPropertyDescription("a key of a config map in the set's namespace") @Required
          ConfigMapKey configMapKeyRef) {}

  /** A key of a config map in the set's namespace. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record ConfigMapKey(
      @JsonPropertyDescription("name of the config map") @Required String name,
      @JsonPropertyDescription("key with the certificate, in PEM form") @Required String key) {}
}
