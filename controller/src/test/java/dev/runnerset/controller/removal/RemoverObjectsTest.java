package dev.runnerset.controller.removal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** WR6: the deletes of the remover carry preconditions. */
class RemoverObjectsTest {
  private final List<Preconditions> sent = new ArrayList<>();
  private final RemoverObjects objects =
      new RemoverObjects.AtApiServer(
          new KubeApi(
              (KubernetesClient)
                  Proxy.newProxyInstance(
                      KubernetesClient.class.getClassLoader(),
                      new Class<?>[] {KubernetesClient.class},
                      (proxy, method, args) -> {
                        throw new AssertionError("not expected: " + method.getName());
                      })) {
            @Override
            public boolean delete(Resource at, Preconditions preconditions) {
              sent.add(preconditions);
              return true;
            }
          });

  private static EphemeralRunner runner() {
    var runner = new EphemeralRunner();
    runner.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("n")
            .withName("linux-a")
            .withUid("uid-1")
            .withResourceVersion("7")
            .build());
    return runner;
  }

  /** A call of the service came before it: the runner may have changed, but is no other one. */
  @Test
  void aRemovedRunnerIsDeletedByItsUid() {
    objects.delete(runner());
    assertThat(sent).containsExactly(new Preconditions("uid-1", null));
  }

  @Test
  void aRunnerThatNothingWasAskedForIsDeletedAsItWasSeen() {
    objects.deleteUnchanged(runner());
    assertThat(sent).containsExactly(new Preconditions("uid-1", "7"));
  }
}
