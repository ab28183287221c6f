package dev.runnerset.controller.ephemeralrunner.start;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.kube.KubeApi;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** RN13, P-J: a pod or secret that a webhook changed so that no runner starts is no success. */
final class ChangedObjectsTest {
  private final List<String> deleted = new ArrayList<>();

  /** The API server, which stores what the webhook makes of an object. */
  private RunnerObjects objects(UnaryOperator<HasMetadata> webhook) {
    return new RunnerObjects.OverKubeApi(
        new KubeApi(null) {
          @Override
          @SuppressWarnings("unchecked") // the webhook keeps the kind
          public <T extends HasMetadata> T create(T object) {
            return (T) webhook.apply(object);
          }

          @Override
          public boolean delete(Resource at, Preconditions preconditions) {
            deleted.add(at.plural() + " " + at.name() + " " + preconditions.uid());
            return true;
          }
        });
  }

  private static Pod pod(String restartPolicy) {
    return new PodBuilder()
        .withNewMetadata()
        .withName("ci-1")
        .withNamespace("n")
        .withUid("u")
        .endMetadata()
        .withNewSpec()
        .addNewInitContainer()
        .withName("dind")
        .withRestartPolicy(restartPolicy)
        .endInitContainer()
        .endSpec()
        .build();
  }

  @Test
  void aPodWhoseNativeSideCarIsNoneIsDeletedAndRefused() {
    var answer = objects(sent -> pod(null)).createPod(pod("Always"));
    assertThat(answer)
        .isInstanceOfSatisfying(
            CreateAnswer.Refused.class,
            refused ->
                assertThat(refused.message())
                    .contains("a mutating webhook")
                    .contains("spec.initContainers[dind].restartPolicy"));
    assertThat(deleted).containsExactly("pods ci-1 u");
  }

  @Test
  void aPodToWhichSomethingIsAddedIsMade() {
    var answer =
        objects(sent ->
                new PodBuilder((Pod) sent)
                    .editSpec()
                    .addNewContainer()
                    .withName("istio")
                    .endContainer()
                    .addToInitContainers(0, pod(null).getSpec().getInitContainers().getFirst())
                    .editFirstInitContainer()
                    .withName("first")
                    .endInitContainer()
                    .endSpec()
                    .build())
            .createPod(pod("Always"));
    assertThat(answer).isInstanceOf(CreateAnswer.Created.class);
    assertThat(deleted).isEmpty();
  }

  @Test
  void aSecretWhoseDataIsChangedIsDeletedAndRefused() {
    UnaryOperator<HasMetadata> webhook =
        sent -> new SecretBuilder((Secret) sent).withData(Map.of("jitToken", "eA==")).build();
    var secret =
        new SecretBuilder()
            .withNewMetadata()
            .withName("ci-1")
            .withNamespace("n")
            .withUid("u")
            .endMetadata()
            .withData(Map.of("jitToken", "eQ=="))
            .build();
    assertThat(objects(webhook).createSecret(secret))
        .isInstanceOfSatisfying(
            CreateAnswer.Refused.class,
            refused -> assertThat(refused.message()).contains("data of the Secret"));
    assertThat(deleted).containsExactly("secrets ci-1 u");
  }
}
