package dev.runnerset.service.auth;

/**
 * The three REST calls that lead to an admin connection (protocol 1.4). They block, are safe for
 * concurrent use, and fail with {@link dev.runnerset.service.ServiceException}.
 */
public interface RegistrationApi {
  /** R1: a token of one installation of an app. */
  String installationToken(long installationId, String appJwt);

  /** R2: the right to register at the scope of the config URL. */
  String registrationToken(String bearer);

  /** R3: the admin connection; a 401 or 403 is asked again, since R2's token spreads slowly. */
  AdminConnection register(String registrationToken);
}
