package dev.runnerset.controller.podspec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.base.Pure;
import dev.runnerset.kube.LostFields;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Which fields of a runner's pod or secret a mutating webhook took off or changed (BG4, RN13). All
 * fields are compared in the dry run, once for a template; at each create only those without which
 * no runner starts.
 */
@Pure
public final class ChangedFields {
  /** Mirrors of registries change these, as they are meant to; the pod reports a bad image. */
  private static final Predicate<String> OF_IMAGE =
      Pattern.compile("\\]\\.image(PullPolicy)?$").asPredicate();

  private ChangedFields() {}

  /**
   * The paths of all fields of the pod that the answer to its dry run has lost.
   *
   * @param answer the pod as the API server would store it
   */
  public static List<String> all(JsonNode sent, JsonNode answer) {
    return LostFields.in(sent, answer).stream().filter(OF_IMAGE.negate()).toList();
  }

  /** The paths of those of them without which no runner of the pod starts. */
  public static List<String> vital(Pod sent, JsonNode answer) {
    return LostFields.in(vitalPart(sent, true), answer);
  }

  /** The same of a pod that was made. */
  public static List<String> vital(Pod sent, Pod stored) {
    return vital(sent, vitalPart(stored, false));
  }

  /** Which data of a secret that was made is not as it was sent. */
  public static List<String> vital(Secret sent, Secret stored) {
    return Objects.equals(sent.getData(), stored.getData()) ? List.of() : List.of("data");
  }

  /** The name, and what makes init containers native side-cars: others would have to end. */
  private static ObjectNode vitalPart(Pod pod, boolean sideCarsOnly) {
    var part = JsonNodeFactory.instance.objectNode();
    part.putObject("metadata").put("name", pod.getMetadata().getName());
    var containers = part.putObject("spec").putArray("initContainers");
    pod.getSpec().getInitContainers().stream()
        .filter(container -> !sideCarsOnly || container.getRestartPolicy() != null)
        .forEach(container ->
            containers
                .addObject()
                .put("name", container.getName())
                .put("restartPolicy", container.getRestartPolicy()));
    return part;
  }

  /**
   * What to tell of an object without which no runner starts.
   *
   * @param fields their paths
   */
  public static String words(String kind, List<String> fields) {
    return "%s changes %s of the %s, so no runner could start: let it leave the %s of runners as they are; %s"
        .formatted(
            LostFields.CHANGED_BY,
            String.join(", ", fields),
            kind,
            kind.equals("Pod") ? "pods" : "secrets",
            LostFields.ADVICE);
  }
}
