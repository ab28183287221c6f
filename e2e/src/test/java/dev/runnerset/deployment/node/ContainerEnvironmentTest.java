package dev.runnerset.deployment.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ContainerEnvironmentTest {
  private static final ContainerImage IMAGE =
      new ContainerImage(
          Path.of("/image"), List.of("/app/run"), List.of("--default"), Map.of("A", "image"), "");

  @ParameterizedTest(name = "{0} becomes {1}")
  @CsvSource({
    "$(A),      value",
    "x$(A)y$(B),xvalueyother",
    "$(C),      $(C)",
    "$$(A),     $(A)",
    "$A,        $A",
    "$(A,       $(A",
    "$,         $",
  })
  void namesInBracketsAreReplacedWhereTheyAreKnown(String text, String expected) {
    assertThat(ContainerEnvironment.expand(text, Map.of("A", "value", "B", "other")))
        .isEqualTo(expected);
  }

  @Test
  void theContainerWinsOverTheImageAndSeesFieldsSecretsAndEarlierVariables() {
    var variables =
        variables(
            """
            - {name: A, value: pod}
            - {name: NAME, valueFrom: {fieldRef: {fieldPath: metadata.name}}}
            - {name: IP, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
            - {name: TEAM, valueFrom: {fieldRef: {fieldPath: "metadata.labels['team']"}}}
            - {name: KEY, valueFrom: {secretKeyRef: {name: s, key: k}}}
            - {name: NONE, valueFrom: {secretKeyRef: {name: s, key: x, optional: true}}}
            - {name: ALL, value: "$(NAME) at $(IP) for $(TEAM)"}
            """);
    assertThat(variables)
        .containsEntry("A", "pod")
        .containsEntry("HOSTNAME", "p")
        .containsEntry("KUBERNETES_SERVICE_PORT", "6443")
        .containsEntry("KEY", "secret")
        .containsEntry("ALL", "p at 10.244.0.2 for ci")
        .doesNotContainKey("NONE");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{name: V, valueFrom: {secretKeyRef: {name: s, key: x}}} | couldn't find key x in \"s\"",
        "{name: V, valueFrom: {configMapKeyRef: {name: m, key: x}}} | \"m\" not found",
        "{name: V, valueFrom: {fieldRef: {fieldPath: spec.x}}} | this node does not know the field",
        "{name: V, valueFrom: {resourceFieldRef: {resource: r}}} | this node cannot fill",
      })
  void whatIsNotThereIsSaidAndNotLeftOut(String variable, String message) {
    assertThatThrownBy(() -> variables("- " + variable))
        .isInstanceOf(UnplayableException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest(name = "command {0}, args {1}: {2}")
  @CsvSource({
    "'',     '',        /app/run --default",
    "'',     --x=$(A),  /app/run --x=image",
    "/other, '',        /other",
    "/other, --x=$(A),  /other --x=image",
  })
  void thePodsCommandReplacesAllOfTheImagesAndItsArgumentsTheArguments(
      String command, String arguments, String expected) {
    var container = new Container();
    container.setCommand(command.isEmpty() ? List.of() : List.of(command));
    container.setArgs(arguments.isEmpty() ? List.of() : List.of(arguments));
    assertThat(
            String.join(" ", ContainerEnvironment.command(container, IMAGE, Map.of("A", "image"))))
        .isEqualTo(expected);
  }

  private static Map<String, String> variables(String yaml) {
    var pod =
        Serialization.unmarshal(
            """
            metadata: {name: p, namespace: n, labels: {team: ci}}
            spec:
              containers:
              - name: c
                env:
            """
                + yaml.indent(6),
            Pod.class);
    var place = new ContainerEnvironment.Place("node", "127.0.0.1", "10.244.0.2", 6443);
    return new ContainerEnvironment(pod, place, new Values())
        .of(pod.getSpec().getContainers().getFirst(), IMAGE);
  }

  private static final class Values implements ContainerEnvironment.Values {
    @Override
    public Optional<Map<String, String>> secret(String name) {
      return name.equals("s") ? Optional.of(Map.of("k", "secret")) : Optional.empty();
    }

    @Override
    public Optional<Map<String, String>> configMap(String name) {
      return Optional.empty();
    }
  }
}
