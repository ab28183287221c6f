package dev.runnerset.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** BG4, RN13: all that was sent is in the answer of the API server, or its path is reported. */
final class LostFieldsTest {
  private static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text.replace('\'', '"'));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(text, e);
    }
  }

  @ParameterizedTest(name = "{0} in {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'a': 1}                              | {'a': 1, 'b': 2}",
        "{'a': {'b': 'x'}}                     | {'a': {'b': 'x', 'c': 'y'}}",
        "{'a': ['x', 'z']}                     | {'a': ['w', 'x', 'y', 'z']}",
        "{'cpu': '0.5'}                        | {'cpu': '500m'}",
        "{'cpu': 0.5}                          | {'cpu': '500m'}",
        "{'memory': '1Gi'}                     | {'memory': '1073741824'}",
        "{'memory': '1024Mi'}                  | {'memory': '1Gi'}",
        "{'port': 80}                          | {'port': '80'}",
        "{'tty': false, 'n': 0, 's': '', 'o': {}, 'l': [], 'z': null, 'd': {'e': {}}} | {}",
        "{'c': [{'name': 'b'}, {'name': 'a'}]} | {'c': [{'name': 'a', 'x': 1}, {'name': 'b'}]}",
        "{'m': [{'name': 'v', 'mountPath': '/b'}, {'name': 'v', 'mountPath': '/a'}]}"
            + " | {'m': [{'name': 'v', 'mountPath': '/a'}, {'name': 'v', 'mountPath': '/b'}]}",
        "{'t': [{'key': 'a', 'operator': 'Exists'}]}"
            + " | {'t': [{'key': 'z'}, {'key': 'a', 'operator': 'Exists', 'effect': 'NoExecute'}]}",
      })
  void whatIsAddedOrWrittenInAnotherWayIsNoLoss(String sent, String answer) {
    assertThat(LostFields.in(json(sent), json(answer))).isEmpty();
  }

  @ParameterizedTest(name = "{0} in {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'metadata': {'name': 'x'}} | {'metadata': {'name': 'x-x'}} | metadata.name",
        "{'spec': {'initContainers': [{'name': 'dind', 'restartPolicy': 'Always'}]}}"
            + " | {'spec': {'initContainers': [{'name': 'istio'}, {'name': 'dind'}]}}"
            + " | spec.initContainers[dind].restartPolicy",
        "{'c': [{'name': 'a'}]}        | {'c': [{'name': 'b'}]}       | c[a]",
        "{'labels': {'a.b/c': 'x'}}    | {'labels': {}}               | labels['a.b/c']",
        "{'args': ['a', 'b']}          | {'args': ['b', 'a']}         | args[1]",
        "{'t': [{'key': 'a'}]}         | {'t': [{'key': 'b'}]}        | t[0]",
        "{'cpu': '2'}                  | {'cpu': '500m'}              | cpu",
        "{'hostNetwork': false}        | {'hostNetwork': true}        | hostNetwork",
        "{'a': {'b': 1}}               | {'a': 'b'}                   | a",
        "{'a': {'b': 1}}               | {}                           | a",
      })
  void whatIsMissingOrDiffersIsNamedByItsPath(String sent, String answer, String path) {
    assertThat(LostFields.in(json(sent), json(answer))).containsExactly(path);
  }
}
