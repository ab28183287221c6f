package dev.runnerset.controller.autoscalingrunnerset.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceError.Obstacle;
import dev.runnerset.controller.autoscalingrunnerset.Sets;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ServiceFindingsTest {
  private static final ServiceError.Details DETAILS =
      new ServiceError.Details("GET https://x", 401, "", "no", "act-1", "");

  static Stream<Arguments> errors() {
    return Stream.of(
        Arguments.of(new ServiceError.Unauthorized(DETAILS), "Unauthorized", "secret github", true),
        Arguments.of(
            new ServiceError.Forbidden(DETAILS),
            "Forbidden",
            "permission Self-hosted runners",
            true),
        Arguments.of(new ServiceError.NotFound(DETAILS), "NotFound", "githubConfigUrl", true),
        Arguments.of(
            new ServiceError.NotFound(
                new ServiceError.Details(
                    "GET https://x/app/installations/2/access_tokens", 404, "", "", "act-1", "")),
            "NotFound",
            "github_app_installation_id",
            true),
        Arguments.of(new ServiceError.Conflict(DETAILS), "Conflict", "tries again", false),
        Arguments.of(
            new ServiceError.RateLimited(DETAILS, null), "RateLimited", "limits the rate", false),
        Arguments.of(
            new ServiceError.Unavailable(DETAILS, null), "ServiceUnavailable", "again", false),
        unavailable(Obstacle.HOST_UNKNOWN, "HostNotFound", "spec.githubConfigUrl, and the DNS"),
        unavailable(Obstacle.CONNECTION_REFUSED, "ConnectionRefused", "host and port"),
        unavailable(Obstacle.CERTIFICATE_UNTRUSTED, "CertificateNotTrusted", "githubServerTLS"),
        unavailable(Obstacle.CERTIFICATE_EXPIRED, "CertificateNotTrusted", "has expired"),
        unavailable(
            Obstacle.CERTIFICATE_OF_OTHER_HOST, "CertificateNotTrusted", "is of another host"),
        unavailable(Obstacle.HOST_NOT_ALLOWED, "HostNotAllowed", "spec.githubConfigUrl"),
        unavailable(Obstacle.PROXY, "ProxyFailed", "HTTPS_PROXY"),
        unavailable(Obstacle.OTHER_PROTOCOL, "ServiceUnavailable", "check the port"),
        Arguments.of(new ServiceError.Refused(DETAILS), "Refused", "refuses", false),
        Arguments.of(new ServiceError.Malformed(DETAILS), "MalformedAnswer", "proxy", false));
  }

  private static Arguments unavailable(Obstacle obstacle, String reason, String advice) {
    return Arguments.of(
        new ServiceError.Unavailable(DETAILS, null, obstacle), reason, advice, false);
  }

  @ParameterizedTest
  @MethodSource("errors")
  void sayWhatToChangeAndWhatWasAnswered(
      ServiceError error, String reason, String advice, boolean lockedOut) {
    var finding = ServiceFindings.of(error, Sets.set("a"));
    assertThat(finding.reason().word()).isEqualTo(reason);
    assertThat(finding.message()).contains(advice).contains("GET https://x").contains("act-1");
    assertThat(ServiceFindings.isLockedOut(error)).isEqualTo(lockedOut);
  }
}
