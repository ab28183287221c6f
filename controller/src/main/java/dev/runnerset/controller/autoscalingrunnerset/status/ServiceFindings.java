package dev.runnerset.controller.autoscalingrunnerset.status;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.connection.AccessReasons;
import dev.runnerset.connection.NeededRights;
import dev.runnerset.crds.AutoScalingRunnerSet;

/** What a user must do about a failed call of the service. */
public final class ServiceFindings {
  private ServiceFindings() {}

  /** What happened and what to change; the reason is that of {@link AccessReasons}. */
  public static Finding of(ServiceError error, AutoScalingRunnerSet set) {
    var secret = "the secret " + set.getSpec().githubConfigSecret().name();
    var rights = NeededRights.at(set.getSpec().githubConfigUrl());
    var words =
        switch (error) {
          case ServiceError.Unauthorized _ ->
              ("The service refuses the credentials: put valid ones into %s (the token has ended, or the"
                      + " key is not the App's; %s)")
                  .formatted(secret, rights);
          case ServiceError.Forbidden _ ->
              "The credentials in " + secret + " lack a permission: " + rights;
          case ServiceError.NotFound(var details) when isOfInstallation(details) ->
              ("There is no such installation of the GitHub App: check github_app_installation_id and"
                      + " github_app_id in %s (the number ends the URL of the installation's settings page)")
                  .formatted(secret);
          case ServiceError.NotFound _ ->
              ("The owner does not exist, or is hidden from the credentials in %s: check"
                      + " spec.githubConfigUrl and the permissions of the credentials (%s)")
                  .formatted(secret, rights);
          case ServiceError.Conflict _ ->
              "The service reports a conflict; the controller tries again";
          case ServiceError.RateLimited _ ->
              "The service limits the rate of calls: nothing is sent before it allows that";
          case ServiceError.Unavailable(_, _, var obstacle) -> advice(obstacle, set);
          case ServiceError.NotSent _ ->
              "The service does not answer in time; the controller tries again";
          case ServiceError.Refused _ -> "The service refuses the request";
          case ServiceError.Malformed _ ->
              "The answer is not from the Actions service: check spec.githubConfigUrl and"
                  + " spec.proxy";
          case ServiceError.SessionLost _ ->
              "The service lost a session; the controller tries again";
          case ServiceError.Cancelled _ -> "The call was cancelled; the controller tries again";
        };
    return new Finding(AccessReasons.of(error), words + ". " + error.details().sentence());
  }

  /** Whether a token of a GitHub App's installation was asked for (protocol 1.4). */
  private static boolean isOfInstallation(ServiceError.Details details) {
    return details.request().contains("/app/installations/");
  }

  private static String advice(ServiceError.Obstacle obstacle, AutoScalingRunnerSet set) {
    var spec = set.getSpec();
    return switch (obstacle) {
      case HOST_UNKNOWN ->
          "Nobody knows the address of the host: check spec.githubConfigUrl, and the DNS of the"
              + " cluster"
              + (spec.proxy() == null ? ", or set spec.proxy if a proxy is needed" : "");
      case CONNECTION_REFUSED ->
          "The host accepts no connection: check host and port in spec.githubConfigUrl, firewalls"
              + " and network policies"
              + (spec.proxy() == null ? ", or set spec.proxy if a proxy is needed" : "");
      case CERTIFICATE_UNTRUSTED ->
          "The authority of the server's certificate is not trusted: "
              + (spec.githubServerTLS() == null
                  ? "name that of its authority in spec.githubServerTLS"
                  : "the config map that spec.githubServerTLS names must hold that of its"
                      + " authority");
      case CERTIFICATE_EXPIRED ->
          "The server's certificate, or one that signed it, has expired or is not yet valid: renew"
              + " it there; spec.githubServerTLS cannot help";
      case CERTIFICATE_OF_OTHER_HOST ->
          "The server's certificate is of another host: the host in spec.githubConfigUrl must be one"
              + " that the certificate names";
      case HOST_NOT_ALLOWED ->
          "The installation does not let its programs ask a host that spec.githubConfigUrl,"
              + " spec.proxy or the service itself leads to";
      case PROXY ->
          "The proxy is not reached, or does not let the call through: check "
              + (spec.proxy() == null
                  ? "HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the controller and the listener"
                  : "spec.proxy, the secret of its credentials, and noProxy");
      case OTHER_PROTOCOL ->
          spec.githubConfigUrl().startsWith("http:")
              ? "The server does not speak plain http there: write https in spec.githubConfigUrl, and"
                  + " check the port in spec.githubConfigUrl"
              : "What listens there does not speak https: check the port in spec.githubConfigUrl";
      case UNKNOWN -> "The service does not answer, or fails; the controller tries again";
    };
  }

  /** Whether only other credentials or another URL can help, so that waiting does not. */
  public static boolean isLockedOut(ServiceError error) {
    return error instanceof ServiceError.Unauthorized
        || error instanceof ServiceError.Forbidden
        || error instanceof ServiceError.NotFound;
  }
}
