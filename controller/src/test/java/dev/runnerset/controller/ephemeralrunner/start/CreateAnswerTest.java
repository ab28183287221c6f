package dev.runnerset.controller.ephemeralrunner.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.kube.NotSentException;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What proves that nothing was made: only then may a config be used again (I6). */
final class CreateAnswerTest {
  record Row(int code, String reason, String message, String expected) {}

  private static final String WEBHOOK =
      "Internal error occurred: failed calling webhook \"v.example.com\": failed to call webhook:"
          + " Post \"https://v.example.com\": context deadline exceeded";

  private static final String SHIELD =
      "pods \"a\" is forbidden: ValidatingAdmissionPolicy 'runnerset-shield' with binding"
          + " 'runnerset-shield' denied request";
  private static final String ROLE =
      "pods is forbidden: User \"u\" cannot create resource \"pods\" in API group \"\" in the"
          + " namespace \"ci\"";

  static Stream<Row> rows() {
    return Stream.of(
        new Row(400, "BadRequest", "no", "refused"),
        new Row(422, "Invalid", "no", "refused"),
        new Row(401, "Unauthorized", "no", "not now: PodNotAccepted"),
        new Row(403, "Forbidden", "exceeded quota: q", "not now: PodOverQuota"),
        new Row(403, "Forbidden", "denied by policy p", "not now: PodForbidden"),
        new Row(
            403,
            "Forbidden",
            "error looking up service account ci/x",
            "not now: ServiceAccountMissing"),
        new Row(
            403, "Forbidden", "no PriorityClass with name high", "not now: PriorityClassMissing"),
        new Row(403, "Forbidden", SHIELD, "not now: PodForbiddenByOtherInstallation"),
        new Row(403, "Forbidden", ROLE, "not now: PermissionMissing"),
        new Row(403, "Forbidden", "because it is being terminated", "namespace gone"),
        new Row(404, "NotFound", "namespaces \"n\" not found", "namespace gone"),
        new Row(409, "AlreadyExists", "exists", "exists"),
        new Row(409, "", "exists", "exists"),
        new Row(409, "Conflict", "resourcequotas: modified", "not now: PodNotAccepted"),
        new Row(413, "RequestEntityTooLarge", "no", "not now: PodNotAccepted"),
        new Row(429, "TooManyRequests", "later", "not now: PodNotAccepted"),
        new Row(500, "InternalError", WEBHOOK, "not now: PodWebhookFailed"),
        new Row(500, "InternalError", "Internal error occurred: x", "unknown"),
        new Row(500, "", "etcdserver: request timed out", "unknown"),
        new Row(500, "", WEBHOOK, "unknown"),
        new Row(408, "", "a proxy's time-out", "unknown"),
        new Row(502, "", "bad gateway", "unknown"),
        new Row(503, "ServiceUnavailable", "no", "unknown"),
        new Row(504, "Timeout", "no", "unknown"),
        new Row(0, "", "no answer in time", "unknown"));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void decides(Row row) {
    var status = new StatusBuilder().withReason(row.reason()).withMessage(row.message()).build();
    var failure =
        row.code() == 0
            ? new KubernetesClientException(row.message())
            : new KubernetesClientException(row.message(), row.code(), status);
    if (row.expected().equals("unknown")) {
      assertThatThrownBy(() -> CreateAnswer.<Pod>of(failure)).isSameAs(failure);
    } else {
      assertThat(words(CreateAnswer.<Pod>of(failure))).isEqualTo(row.expected());
    }
  }

  @Test
  void i6ARequestThatWasKeptBackMadeNothing() {
    var wrapped = new NotSentException("POST /x: not sent").copyAsCause();
    assertThat(words(CreateAnswer.<Pod>of(wrapped))).isEqualTo("not now: PodNotSent");
  }

  private static String words(CreateAnswer<Pod> answer) {
    return switch (answer) {
      case CreateAnswer.Created<Pod> made -> "created";
      case CreateAnswer.AlreadyExists<Pod> there -> "exists";
      case CreateAnswer.Refused<Pod> refused -> "refused";
      case CreateAnswer.NotNow<Pod>(var why, var message) -> "not now: " + why.ofPod().word();
      case CreateAnswer.NamespaceGone<Pod> gone -> "namespace gone";
    };
  }
}
