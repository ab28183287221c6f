package dev.runnerset.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ResourceTest {
  @ParameterizedTest(name = "version {0}")
  @CsvSource({"48213, 48213", "rv7, 0", "'', 0", ", 0"})
  void aVersionIsANumberOr0(String version, long number) {
    var object =
        new ConfigMapBuilder().withNewMetadata().withResourceVersion(version).endMetadata().build();
    assertThat(Resource.version(object)).isEqualTo(number);
  }
}
