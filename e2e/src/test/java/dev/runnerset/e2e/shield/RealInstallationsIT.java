package dev.runnerset.e2e.shield;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.demo.cluster.Cluster;
import dev.runnerset.demo.cluster.RealCluster;
import dev.runnerset.e2e.Play;
import dev.runnerset.e2e.Shell;
import dev.runnerset.e2e.Shell.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An installation for all namespaces beside those for one namespace, on a real control plane (SH3):
 * the policy of the one refuses no pod of the others, whichever came first, and each namespace has
 * a policy.
 */
final class RealInstallationsIT {
  private static final String BOTH =
      "validatingadmissionpolicies.admissionregistration.k8s.io,"
          + "validatingadmissionpolicybindings.admissionregistration.k8s.io";

  private Shell shell;
  private int pods;

  @Test
  void eachNamespaceHasThePolicyOfItsOwnInstallation(@TempDir Path folder) throws Exception {
    try (RealCluster cluster = Play.realCluster(folder)) {
      shell = new Shell(cluster.server(), folder);
      // the installation for all namespaces is there: that for one comes second
      installFor("second");
      until(() -> asItsController("second"), refused("'runnerset-shield'"));
      leaveToItsOwn("second");
      until(() -> asItsController("second"), true, "");
      heldBy("second", "'runnerset-shield-second-system'");
      heldBy(Cluster.NAMESPACE, "'runnerset-shield'");

      // that for one namespace comes first
      shell.kubectl("delete", BOTH, "runnerset-shield").done();
      installFor("first");
      until(() -> asItsController("first"), true, "");
      leaveToItsOwn("first");
      installForAll();
      heldBy(Cluster.NAMESPACE, "'runnerset-shield'");
      until(() -> asItsController("first"), true, "");
      heldBy("first", "'runnerset-shield-first-system'");

      // the binding of a former version, and its upgrade
      var binding = "validatingadmissionpolicybindings.admissionregistration.k8s.io";
      shell
          .kubectl(
              "patch",
              binding,
              "runnerset-shield",
              "--type=merge",
              "-p",
              "{\"spec\":{\"matchResources\":null}}")
          .done();
      until(() -> asItsController("first"), refused("'runnerset-shield'"));
      installForAll();
      until(() -> asItsController("first"), true, "");
      until(() -> asItsController("second"), true, "");
    }
  }

  private static String refused(String policy) {
    return "ValidatingAdmissionPolicy " + policy;
  }

  private void installForAll() {
    shell.kubectlWith(Cluster.identities(false), "apply").done();
  }

  /** Also a namespace for its listener and for its controller. */
  private void installFor(String namespace) {
    var yaml =
        Cluster.identities(true)
            .replaceAll("\\bdemo\\b", namespace)
            .replace("runnerset-system", namespace + "-system")
            .replace("runnerset-listener", namespace + "-listener");
    shell.kubectlWith(yaml, "apply").done();
  }

  /** As the notes of the chart say. */
  private void leaveToItsOwn(String namespace) {
    var label = "runnerset.dev/installation=" + namespace + "-system";
    shell.kubectl("label", "namespace", namespace, label).done();
  }

  private Result asItsController(String namespace) {
    return run(
        namespace, "--as=system:serviceaccount:" + namespace + "-system:runnerset-controller");
  }

  /** A pod of a runner, as far as the policies look at it. */
  private Result run(String namespace, String... more) {
    var labels =
        "--labels=runnerset.dev/protection=Busy,runnerset.dev/busy=true,runnerset.dev/set=s,"
            + "app.kubernetes.io/component=runner";
    var command =
        new ArrayList<>(List.of("run", "pod-" + pods++, "-n", namespace, "--image=runner", labels));
    command.addAll(List.of(more));
    return shell.kubectl(command.toArray(String[]::new));
  }

  /** Nobody else makes such a pod there. */
  private void heldBy(String namespace, String policy) {
    until(() -> run(namespace), refused(policy));
  }

  private static void until(Supplier<Result> tried, String refusal) {
    until(tried, false, refusal);
  }

  /** The API server learns of policies and labels a moment later. */
  private static void until(Supplier<Result> tried, boolean done, String words) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(40))
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(() -> {
          var result = tried.get();
          assertThat(result.exit() == 0).as(result.text()).isEqualTo(done);
          assertThat(result.text()).contains(words);
        });
  }
}
