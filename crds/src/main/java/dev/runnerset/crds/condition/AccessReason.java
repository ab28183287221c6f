package dev.runnerset.crds.condition;

/** Why the service cannot be reached or does not do what it is asked. */
public enum AccessReason implements Reason.Known {
  SECRET_NOT_FOUND("create the secret that the message names (`spec.githubConfigSecret`)"),
  SECRET_MALFORMED("correct the secret of `spec.githubConfigSecret`; the message names the key"),
  ROLE_MISSING(
      "run the command that the message names: the controller has no role in the namespace of the"
          + " set ([permissions.md](permissions.md)); the set goes on within 30 s"),
  INVALID_CONFIG_URL("correct `spec.githubConfigUrl`"),
  INVALID_CONNECTION(
      "correct `spec.githubConfigUrl`, or what else of the connection the message names"),
  PROXY_INVALID(
      "correct `spec.proxy`, or the secret its `credentialSecretRef` names; without `spec.proxy`, the"
          + " environment variable that the message names"),
  CERTIFICATE_NOT_FOUND("create the config map that `spec.githubServerTLS` names, with its key"),
  CERTIFICATE_INVALID(
      "correct the certificate in the config map that `spec.githubServerTLS` names"),
  UNAUTHORIZED("put valid credentials into the secret ([credentials.md](../start/credentials.md))"),
  FORBIDDEN(
      "grant the token or the App what the message names for the kind of the URL"
          + " ([credentials.md](../start/credentials.md))"),
  NOT_FOUND("the owner in the URL is not there, or the credentials cannot see it"),
  RATE_LIMITED(
      "nothing, or give the set a GitHub App of its own: nothing is sent before the time in the"
          + " message"),
  HOST_NOT_FOUND(
      "correct the host in `spec.githubConfigUrl`, or the DNS of the cluster: nobody knows its"
          + " address"),
  CONNECTION_REFUSED(
      "check host and port in `spec.githubConfigUrl`, firewalls and network policies, and whether"
          + " a proxy is needed (`spec.proxy`)"),
  CERTIFICATE_NOT_TRUSTED(
      "put the certificate of the authority into a config map and name that in"
          + " `spec.githubServerTLS`; or correct the host in `spec.githubConfigUrl`"),
  HOST_NOT_ALLOWED(
      "correct `spec.githubConfigUrl` or `spec.proxy`; or let the operator list the host that the"
          + " message names: `allowedHosts` of the chart, `--allowed-hosts` of both programs"
          + " ([install.md](../start/install.md#hosts))"),
  PROXY_FAILED(
      "check `spec.proxy`: its URL, the secret of its `credentialSecretRef`, what it lets through"
          + " and `noProxy`; where `spec.proxy` is absent, the proxy variables of controller and"
          + " listener"),
  SERVICE_UNAVAILABLE(
      "nothing: the service does not answer, or answers with an error of its own; it is tried"
          + " again. If it stays, look at its status page and at the network"),
  CONFLICT("nothing: it is tried again"),
  REFUSED("nothing, or what the message says: it is tried again"),
  CANCELLED("nothing: it is tried again"),
  MALFORMED_ANSWER("what answers is not the service: check URL and proxy");

  private final String sentence;

  AccessReason(String sentence) {
    this.sentence = sentence;
  }

  @Override
  public String sentence() {
    return sentence;
  }
}
