package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** Which certificate authority signs for the Actions service, beside the system's. */
@EmptyIsAbsent
public record ServerTls(
    @JsonPropertyDescription("where the certificate is") @Required
        CertificateSource certificateFrom) {

  /** Where the certificate stands. */
  @EmptyIsAbsent
  public record CertificateSource(
      @JsonPropertyDescription("a key of a config map in the set's namespace") @Required
          ConfigMapKey configMapKeyRef) {}

  /** A key of a config map in the set's namespace. */
  @EmptyIsAbsent
  public record ConfigMapKey(
      @JsonPropertyDescription("name of the config map") @Required String name,
      @JsonPropertyDescription("key with the certificate, in PEM form") @Required String key) {}
}
