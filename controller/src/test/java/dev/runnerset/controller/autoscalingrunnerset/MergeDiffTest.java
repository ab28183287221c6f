package dev.runnerset.controller.autoscalingrunnerset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.kube.MergeDiff;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MergeDiffTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '#',
      value = {
        "{'a': 1}               | {'a': 2}               | {'a': 2}",
        "{'a': 1, 'b': 1}       | {'a': 1}               | {'b': null}",
        "{}                     | {'a': {'b': 1}}        | {'a': {'b': 1}}",
        "{'a': {'b': 1, 'c': 2}} | {'a': {'b': 1, 'c': 3}} | {'a': {'c': 3}}",
        "{'a': {'b': 1}}        | {'a': {'c': 1}}        | {'a': {'c': 1, 'b': null}}",
        "{'a': [1, 2]}          | {'a': [2]}             | {'a': [2]}",
        "{'a': {'b': 1}}        | {'a': [1]}             | {'a': [1]}",
      })
  void namesOnlyWhatDiffers(String current, String wanted, String patch) {
    assertThat(MergeDiff.between(Sets.json(current), Sets.json(wanted)))
        .contains((com.fasterxml.jackson.databind.node.ObjectNode) Sets.json(patch));
  }

  @Test
  void equalObjectsNeedNone() {
    var object = Sets.json("{'a': {'b': [1, {'c': null}]}}");
    assertThat(MergeDiff.between(object, object.deepCopy())).isEmpty();
  }
}
