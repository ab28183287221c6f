package dev.runnerset.controller.managerrole;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.base.Installation;
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

  /** The command works where only Helm or kubectl is there; its labels are those of the chart. */
  @ParameterizedTest
  @CsvSource({
    "secrets \"github\", get, secrets, \"\", demo",
    "pods, create, pods, \"\", a-b",
    "pods \"x\", get, pods/log, \"\", demo",
    "roles, create, roles, \"rbac.authorization.k8s.io\", demo",
  })
  void theRoleIsBoundInTheNamespaceOfTheSet(
      String what, String verb, String resource, String group, String namespace) {
    var words =
        "%s is forbidden: %s cannot %s resource \"%s\" in API group %s in the namespace \"%s\""
            .formatted(what, CONTROLLER, verb, resource, group, namespace);
    assertThat(RoleAdvice.of(words))
        .hasValue(
            "let the Helm chart of the set bind the role (controllerServiceAccount), or run kubectl"
                + " create rolebinding runnerset-manager --namespace "
                + namespace
                + " --clusterrole=runnerset-manager"
                + " --serviceaccount=runnerset-system:runnerset-controller --dry-run=client -o yaml |"
                + " kubectl label --local -f - app.kubernetes.io/part-of=runnerset"
                + " app.kubernetes.io/component=manager -o yaml | kubectl apply -f - (where the"
                + " controller was installed with --namespace, upgrade its Helm release instead)");
  }

  @ParameterizedTest
  @CsvSource({
    "list, pods, at the cluster scope",
    "list, pods, in the namespace \"demo\"",
    "create, events, in the namespace \"demo\"",
  })
  void whatIsGrantedForTheWholeClusterComesWithTheSystem(
      String verb, String resource, String where) {
    assertThat(
            RoleAdvice.of(
                "x is forbidden: %s cannot %s resource \"%s\" in API group \"\" %s"
                    .formatted(CONTROLLER, verb, resource, where)))
        .hasValue("run " + Installation.UPGRADE);
  }

  @ParameterizedTest
  @CsvSource({
    "system:serviceaccount:ci:robot, --serviceaccount=ci:robot",
    "me@example.com, --user='me@example.com'",
  })
  void whoAskedStandsInTheCommand(String user, String flag) {
    assertThat(
            RoleAdvice.of(
                "User \"%s\" cannot get resource \"secrets\" in API group \"\" in the namespace \"demo\""
                    .formatted(user)))
        .hasValueSatisfying(advice -> assertThat(advice).contains(" " + flag + " --dry-run"));
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
  void bothAccountsAreNamedWhereAnotherOneIsBound(String bound, boolean reported) {
    var denial =
        Denial.in(
                CONTROLLER
                    + " cannot get resource \"secrets\" in API group \"\" in the namespace \"demo\"")
            .orElseThrow();
    var bindings = bound == null ? List.<RoleBinding>of() : List.of(binding(bound.split("/")));
    assertThat(RoleAdvice.ofOtherAccount(denial, bindings).orElse(""))
        .isEqualTo(
            reported
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
