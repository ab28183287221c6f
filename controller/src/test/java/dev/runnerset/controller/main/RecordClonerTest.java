package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.EphemeralRunnerStatus;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;

class RecordClonerTest {
  private final RecordCloner cloner = new RecordCloner(new KubernetesSerialization());

  @Test
  void theFrameworkMayWriteIntoTheCopysMetadataAndTheOriginalStaysAsItWas() {
    var runner = new EphemeralRunner();
    runner.setMetadata(
        new ObjectMetaBuilder().withName("a").withFinalizers("one").addToLabels("k", "v").build());
    runner.setStatus(EphemeralRunnerStatus.NONE);

    var copy = cloner.clone(runner);
    assertThat(copy).isNotSameAs(runner).isEqualTo(runner);
    copy.addFinalizer("x.dev/two");
    copy.getMetadata().getLabels().put("k", "other");
    copy.getMetadata().setResourceVersion("9");

    assertThat(runner.getFinalizers()).containsExactly("one");
    assertThat(runner.getMetadata().getLabels()).containsEntry("k", "v");
    assertThat(runner.getMetadata().getResourceVersion()).isNull();
    assertThat(copy.getStatus()).as("records are shared").isSameAs(runner.getStatus());
  }

  @Test
  void whatIsNotOursIsCopiedWhole() {
    var map = new ConfigMapBuilder().addToData("a", "b").build();
    var copy = cloner.clone(map);
    copy.getData().put("a", "c");
    assertThat(map.getData()).containsEntry("a", "b");
  }
}
