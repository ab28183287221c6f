package dev.runnerset.crds.condition;

/** Why the service cannot be reached or does not do what it is asked. */
public enum AccessReason implements Reason.Known {
  SECRET_NOT_FOUND(
      "SecretNotFound", "create the secret that the message names (`spec.githubConfigSecret`)"),
  SECRET_MALFORMED(
      "SecretMalformed",
      "correct the secret of `spec.githubConfigSecret`; the message names the key"),
  INVALID_CONFIG_URL("InvalidConfigUrl", "correct `spec.githubConfigUrl`"),
  INVALID_CONNECTION(
      "InvalidConnection",
      "correct `spec.githubConfigUrl`, or what else of the connection the message names"),
  PROXY_INVALID(
      "ProxyInvalid", "correct `spec.proxy`, or the secret its `credentialSecretRef` names"),
  CERTIFICATE_NOT_FOUND(
      "CertificateNotFound",
      "create the config map that `spec.githubServerTLS` names, with its key"),
  CERTIFICATE_INVALID(
      "CertificateInvalid",
      "correct the certificate in the config map that `spec.githubServerTLS` names"),
  UNAUTHORIZED("Unauthorized", "put valid credentials into the secret"),
  FORBIDDEN("Forbidden", "grant the token or the App the administration of self-hosted runners"),
  NOT_FOUND("NotFound", "the owner in the URL is not there, or the credentials cannot see it"),
  RATE_LIMITED("RateLimited", "nothing: it is tried again, as the service asks"),
  SERVICE_UNAVAILABLE(
      "ServiceUnavailable",
      "nothing, or look at network, proxy and certificates if it stays: it is tried again"),
  CONFLICT("Conflict", "nothing: it is tried again"),
  REFUSED("Refused", "nothing, or what the message says: it is tried again"),
  CANCELLED("Cancelled", "nothing: it is tried again"),
  MALFORMED_ANSWER("MalformedAnswer", "what answers is not the service: check URL and proxy");

  private final String word;
  private final String sentence;

  AccessReason(String word, String sentence) {
    this.word = word;
    this.sentence = sentence;
  }

  @Override
  public String word() {
    return word;
  }

  @Override
  public String sentence() {
    return sentence;
  }
}
