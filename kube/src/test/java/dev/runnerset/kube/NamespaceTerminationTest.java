package dev.runnerset.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.junit.jupiter.api.Test;

class NamespaceTerminationTest {
  private static final String WORDS =
      "unable to create new content in namespace ns because it is being terminated";

  private static boolean isReported(int code, Status status) {
    return NamespaceTermination.isCauseOf(new KubernetesClientException("", code, status));
  }

  private static StatusBuilder withCause(String reason) {
    return new StatusBuilder()
        .withNewDetails()
        .addNewCause("namespace", "ns is being terminated", reason)
        .endDetails();
  }

  @Test
  void theCausesDecide() {
    assertThat(isReported(403, withCause("NamespaceTerminating").build())).isTrue();
    assertThat(isReported(403, withCause("FieldValueForbidden").withMessage(WORDS).build()))
        .isFalse();
    assertThat(isReported(409, withCause("NamespaceTerminating").build())).isFalse();
  }

  @Test
  void withoutDetailsTheMessageDecides() {
    assertThat(isReported(403, new StatusBuilder().withMessage(WORDS).build())).isTrue();
    assertThat(isReported(403, new StatusBuilder().withMessage("exceeded quota").build()))
        .isFalse();
    assertThat(NamespaceTermination.isCauseOf(new KubernetesClientException("forbidden")))
        .isFalse();
  }
}
