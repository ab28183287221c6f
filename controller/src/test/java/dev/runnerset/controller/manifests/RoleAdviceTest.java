package dev.runnerset.controller.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoleAdviceTest {
  private static final String CONTROLLER =
      "User \"system:serviceaccount:runnerset-system:runnerset-controller\"";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          secrets "github" is forbidden: %s cannot get resource "secrets" in API group "" in the namespace "demo" | run ./runnerset manifests --set-namespace demo | kubectl
          pods is forbidden: %s cannot create resource "pods" in API group "" in the namespace "a-b" | run ./runnerset manifests --set-namespace a-b | kubectl
          pods "x" is forbidden: %s cannot get resource "pods/log" in API group "" in the namespace "demo" | run ./runnerset manifests --set-namespace demo | kubectl
          roles is forbidden: %s cannot create resource "roles" in API group "rbac.authorization.k8s.io" in the namespace "demo" | run ./runnerset manifests --set-namespace demo | kubectl
          pods is forbidden: %s cannot list resource "pods" in API group "" at the cluster scope | run ./runnerset manifests | kubectl
          e is forbidden: %s cannot create resource "events" in API group "" in the namespace "demo" | run ./runnerset manifests | kubectl
          """)
  void theCommandIsNamed(String words, String command, String next) {
    assertThat(RoleAdvice.of(words.formatted(CONTROLLER)))
        .hasValueSatisfying(advice -> assertThat(advice).startsWith(command + " | " + next));
  }

  @ParameterizedTest
  @ValueSource(strings = {"system:serviceaccount:ci:robot"})
  void anotherServiceAccountStandsInTheCommand(String user) {
    assertThat(
            RoleAdvice.of(
                "User \"%s\" cannot get resource \"secrets\" in API group \"\" in the namespace \"demo\""
                    .formatted(user)))
        .hasValueSatisfying(advice ->
            assertThat(advice)
                .contains(
                    "--set-namespace demo --controller-namespace ci --controller-service-account"
                        + " robot |"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pods \"x\" is forbidden: exceeded quota: small, requested: pods=1, used: pods=0, limited: pods=0",
        "pods \"x\" is forbidden: violates PodSecurity \"restricted:latest\"",
        "admission webhook \"no.example\" denied the request: not today",
        ""
      })
  void otherRefusalsAreNoMatterOfRoles(String words) {
    assertThat(RoleAdvice.of(words)).isEmpty();
  }
}
