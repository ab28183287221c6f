package dev.runnerset.controller.autoscalingrunnerset.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.autoscalingrunnerset.Sets;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the spec of a set says that this version does not do. */
final class SpecCheckTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "minRunners: 1 | none",
        "listener: {mode: Shared} | none",
        "protection: Busy | none",
        "listener: {mode: Dedicated} | this version does not follow spec.listener.mode Dedicated",
        "schedule: [{name: a, timeZone: UTC, start: '0 7 * * *', duration: 1h}] | none",
      })
  void fieldsWithoutEffectAreTold(String field, @org.jspecify.annotations.Nullable String told) {
    var set =
        Sets.of(
            Serialization.asYaml(Sets.set("linux"))
                .replace("\nspec:\n", "\nspec:\n  " + field + "\n"));
    var found = SpecCheck.withoutEffect(set);
    if (told == null) {
      assertThat(found).isNull();
    } else {
      assertThat(found).startsWith(told).contains("Remove what has no effect");
    }
  }
}
