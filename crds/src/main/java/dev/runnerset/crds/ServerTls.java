package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.fabric8.generator.annotation.Required;

/** Which certificate authority signs for the Actions service, beside the system's. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ServerTls(@Required CertificateSource certificateFrom) {

  /** Where the certificate stands. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record CertificateSource(@Required ConfigMapKey configMapKeyRef) {}

  /** A key of a config map in the set's namespace. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record ConfigMapKey(@Required String name, @Required String key) {}
}
