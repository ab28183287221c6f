package dev.runnerset.actions.http;

/**
 * The three REST calls that lead to an admin connection (protocol 1.4). They block, are safe for
 * concurrent use, and fail with {@link dev.runnerset.actions.ServiceException}.
 */
interface RegistrationApi {
  /** The token of one installation of an app. */
  InstallationToken installationToken(long installationId, String appJwt);

  /** A registration token: the right to register at the scope of the config URL. */
  String registrationToken(String bearer);

  /**
   * The admin connection. A 401 or 403 is asked again, since a registration token takes time to be
   * known everywhere.
   */
  AdminConnection register(String registrationToken);
}
