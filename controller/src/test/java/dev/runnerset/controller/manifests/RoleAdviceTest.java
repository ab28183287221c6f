package dev.runnerset.controller.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.kube.Denial;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import java.util.List;
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

  /** As the chart of a set binds the role where its value controllerServiceAccount is wrong. */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      nullValues = "-",
      value = {
        "actions/runnerset-controller, true",
        "runnerset-system/other, true",
        "runnerset-system/runnerset-controller, false",
        "-, false",
      })
  void bothAccountsAreNamedWhereAnotherOneIsBound(String bound, boolean told) {
    var denial =
        Denial.in(
                CONTROLLER
                    + " cannot get resource \"secrets\" in API group \"\" in the namespace \"demo\"")
            .orElseThrow();
    var bindings = bound == null ? List.<RoleBinding>of() : List.of(binding(bound.split("/")));
    assertThat(RoleAdvice.ofOtherAccount(denial, bindings).orElse(""))
        .isEqualTo(
            told
                ? "this controller is runnerset-system/runnerset-controller, and the role binding"
                    + " linux-manager in the namespace demo names "
                    + bound
                    + ": set controllerServiceAccount.namespace and controllerServiceAccount.name of"
                    + " the set's chart to this controller"
                : "");
  }

  private static RoleBinding binding(String[] account) {
    return new RoleBindingBuilder()
        .withNewMetadata()
        .withName("linux-manager")
        .endMetadata()
        .addNewSubject("", "ServiceAccount", account[1], account[0])
        .build();
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
