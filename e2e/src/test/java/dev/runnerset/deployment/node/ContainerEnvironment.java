package dev.runnerset.deployment.node;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The variables and the command that a container gets, as the kubelet makes them. */
final class ContainerEnvironment {
  private final Pod pod;
  private final Place place;

  /** Where the pod runs. */
  record Place(String node, String hostIp, String podIp, int apiServerPort) {}

  ContainerEnvironment(Pod pod, Place place) {
    this.pod = pod;
    this.place = place;
  }

  /** The image's variables, the cluster's, then the container's; later ones win. */
  Map<String, String> of(Container container, ContainerImage image) {
    var all = new LinkedHashMap<>(image.environment());
    all.put("HOSTNAME", pod.getMetadata().getName());
    all.put("KUBERNETES_SERVICE_HOST", "127.0.0.1");
    all.put("KUBERNETES_SERVICE_PORT", Integer.toString(place.apiServerPort()));
    if (!container.getEnvFrom().isEmpty()) {
      throw new UnplayableException("this node knows no envFrom");
    }
    container.getEnv().forEach(variable -> all.put(variable.getName(), value(variable)));
    return all;
  }

  private String value(EnvVar variable) {
    var from = variable.getValueFrom();
    var text = from == null ? variable.getValue() : null;
    if (from != null && from.getFieldRef() != null) {
      return field(from.getFieldRef().getFieldPath());
    }
    if (from != null || (text != null && text.contains("$("))) {
      throw new UnplayableException("this node cannot fill the variable " + variable.getName());
    }
    return text == null ? "" : text;
  }

  /** A field of the pod by its path, as the downward API names it. */
  String field(String path) {
    return switch (path) {
      case "metadata.name" -> pod.getMetadata().getName();
      case "metadata.namespace" -> pod.getMetadata().getNamespace();
      default -> throw new UnplayableException("this node does not know the field " + path);
    };
  }

  /** What is started: the pod's words before the image's. */
  static List<String> command(Container container, ContainerImage image) {
    var words = new ArrayList<String>();
    var named = !container.getCommand().isEmpty();
    words.addAll(named ? container.getCommand() : image.entryPoint());
    if (!container.getArgs().isEmpty()) {
      words.addAll(container.getArgs());
    } else if (!named) {
      words.addAll(image.arguments());
    }
    return List.copyOf(words);
  }
}
