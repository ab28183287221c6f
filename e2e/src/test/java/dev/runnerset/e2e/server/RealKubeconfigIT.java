package dev.runnerset.e2e.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.e2e.RealServer;
import dev.runnerset.kube.KubeConnection;
import dev.runnerset.testcluster.KeyForm;
import io.fabric8.kubernetes.api.model.authentication.SelfSubjectReviewBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The kubeconfigs of the field, through the way in that both programs take. */
final class RealKubeconfigIT {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(KeyForm.class)
  void aClientKeyInThisFormIsReadAndTheServerTakesIt(KeyForm form) throws IOException {
    var file = folder.resolve("kubeconfig");
    Files.writeString(file, RealServer.cluster().adminKubeconfig(form));
    try (var client = KubeConnection.connect(Optional.of(file), "kubeconfig-test")) {
      // anybody may ask for the version: only an administrator may list secrets
      assertThat(client.secrets().inNamespace("kube-system").list().getKind())
          .isEqualTo("SecretList");
    }
  }

  @Test
  void aTokenOfAServiceAccountIsThatAccount() throws IOException {
    var file = folder.resolve("kubeconfig");
    Files.writeString(
        file, RealServer.cluster().kubeconfigFor("runnerset-listener", "runnerset-listener"));
    try (var client = KubeConnection.connect(Optional.of(file), "kubeconfig-test")) {
      var me = client.resource(new SelfSubjectReviewBuilder().build()).create();
      assertThat(me.getStatus().getUserInfo().getUsername())
          .isEqualTo("system:serviceaccount:runnerset-listener:runnerset-listener");
    }
  }
}
