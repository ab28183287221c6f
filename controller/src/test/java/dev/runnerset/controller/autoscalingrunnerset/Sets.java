package dev.runnerset.controller.autoscalingrunnerset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runnerset.controller.autoscalingrunnerset.planning.SpecCheck;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetStatus;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Arrays;
import java.util.List;

/** Runner sets written as YAML. */
public final class Sets {
  private Sets() {}

  public static AutoScalingRunnerSet set(String name, String... specLines) {
    return of(
        """
        apiVersion: runnerset.dev/v1alpha1
        kind: AutoScalingRunnerSet
        metadata: {name: %s, namespace: ns, uid: uid-%s, generation: 3,
          creationTimestamp: "2026-11-21T10:00:00Z"}
        spec:
          githubConfigUrl: https://github.com/my-org
          githubConfigSecret: {name: github}
          template: {spec: {containers: [{name: runner, image: "runner:1"}]}}
          %s
        """
            .formatted(name, name, String.join("\n  ", specLines)));
  }

  public static AutoScalingRunnerSet of(String yaml) {
    return Serialization.unmarshal(yaml, AutoScalingRunnerSet.class);
  }

  /** The same set with that status, written as one flow mapping. */
  public static AutoScalingRunnerSet withStatus(AutoScalingRunnerSet set, String mapping) {
    set.setStatus(
        Serialization.unmarshal(mapping.replace('\'', '"'), AutoScalingRunnerSetStatus.class));
    return set;
  }

  /** The same set as it stands once it has made that scale set. */
  public static AutoScalingRunnerSet registered(AutoScalingRunnerSet set, int id) {
    return withStatus(
        set,
        ("{'scaleSetId': %1$d, 'runnerGroupId': 1, 'scaleSet': {'origin': 'Created', 'identity':"
                + " {'scaleSetId': %1$d, 'createdOn': '1970-01-01T00:00:00Z', 'name': '%2$s',"
                + " 'runnerGroupId': 1}}}")
            .formatted(id, SpecCheck.scaleSetName(set)));
  }

  /** Conditions, each as one flow mapping. */
  public static List<Condition> conditions(String... mappings) {
    return Arrays.stream(mappings)
        .map(mapping -> Serialization.unmarshal(mapping.replace('\'', '"'), Condition.class))
        .toList();
  }

  public static JsonNode json(String text) {
    try {
      return new ObjectMapper().readTree(text.replace('\'', '"'));
    } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
