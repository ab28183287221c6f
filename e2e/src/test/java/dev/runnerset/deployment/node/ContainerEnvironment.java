package dev.runnerset.deployment.node;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The variables and the command that a container gets, as the kubelet makes them. */
final class ContainerEnvironment {
  private final Pod pod;
  private final Place place;
  private final Values values;

  /** Where the pod runs. */
  record Place(String node, String hostIp, String podIp, int apiServerPort) {}

  /** What variables can name. */
  interface Values {
    /** The data of a secret; empty if there is none. */
    Optional<Map<String, String>> secret(String name);

    /** The data of a config map; empty if there is none. */
    Optional<Map<String, String>> configMap(String name);
  }

  ContainerEnvironment(Pod pod, Place place, Values values) {
    this.pod = pod;
    this.place = place;
    this.values = values;
  }

  /** The image's variables, the cluster's, then the container's; later ones win. */
  Map<String, String> of(Container container, ContainerImage image) {
    var all = new LinkedHashMap<>(image.environment());
    all.put("HOSTNAME", pod.getMetadata().getName());
    all.put("KUBERNETES_SERVICE_HOST", "127.0.0.1");
    all.put("KUBERNETES_SERVICE_PORT", Integer.toString(place.apiServerPort()));
    for (var from : container.getEnvFrom()) {
      var prefix = from.getPrefix() == null ? "" : from.getPrefix();
      named(from).forEach((key, value) -> all.put(prefix + key, value));
    }
    for (var variable : container.getEnv()) {
      value(variable, all).ifPresent(value -> all.put(variable.getName(), value));
    }
    return all;
  }

  private Map<String, String> named(io.fabric8.kubernetes.api.model.EnvFromSource from) {
    if (from.getSecretRef() != null) {
      var found = values.secret(from.getSecretRef().getName());
      return orElse(found, from.getSecretRef().getOptional(), from.getSecretRef().getName());
    }
    var found = values.configMap(from.getConfigMapRef().getName());
    return orElse(found, from.getConfigMapRef().getOptional(), from.getConfigMapRef().getName());
  }

  private static Map<String, String> orElse(
      Optional<Map<String, String>> found,
      @org.jspecify.annotations.Nullable Boolean optional,
      String name) {
    if (found.isEmpty() && !Boolean.TRUE.equals(optional)) {
      throw new UnplayableException("\"" + name + "\" not found");
    }
    return found.orElse(Map.of());
  }

  private Optional<String> value(EnvVar variable, Map<String, String> known) {
    var from = variable.getValueFrom();
    if (from == null) {
      var text = variable.getValue() == null ? "" : variable.getValue();
      return Optional.of(expand(text, known));
    }
    if (from.getFieldRef() != null) {
      return Optional.of(field(from.getFieldRef().getFieldPath()));
    }
    if (from.getSecretKeyRef() != null || from.getConfigMapKeyRef() != null) {
      return key(from);
    }
    throw new UnplayableException("this node cannot fill the variable " + variable.getName());
  }

  private Optional<String> key(EnvVarSource from) {
    var secret = from.getSecretKeyRef();
    var name = secret != null ? secret.getName() : from.getConfigMapKeyRef().getName();
    var key = secret != null ? secret.getKey() : from.getConfigMapKeyRef().getKey();
    var optional = secret != null ? secret.getOptional() : from.getConfigMapKeyRef().getOptional();
    var found = secret != null ? values.secret(name) : values.configMap(name);
    var value = Optional.ofNullable(orElse(found, optional, name).get(key));
    if (value.isEmpty() && !Boolean.TRUE.equals(optional)) {
      throw new UnplayableException("couldn't find key " + key + " in \"" + name + "\"");
    }
    return value;
  }

  /** A field of the pod by its path, as the downward API names it. */
  String field(String path) {
    var meta = pod.getMetadata();
    return switch (path) {
      case "metadata.name" -> meta.getName();
      case "metadata.namespace" -> meta.getNamespace();
      case "metadata.uid" -> meta.getUid();
      case "spec.nodeName" -> place.node();
      case "spec.serviceAccountName" -> pod.getSpec().getServiceAccountName();
      case "status.hostIP" -> place.hostIp();
      case "status.podIP", "status.podIPs" -> place.podIp();
      default -> entry(path);
    };
  }

  private String entry(String path) {
    int open = path.indexOf("['");
    if (open > 0 && path.endsWith("']")) {
      var key = path.substring(open + 2, path.length() - 2);
      var labels = pod.getMetadata().getLabels();
      var annotations = pod.getMetadata().getAnnotations();
      switch (path.substring(0, open)) {
        case "metadata.labels":
          return labels == null ? "" : labels.getOrDefault(key, "");
        case "metadata.annotations":
          return annotations == null ? "" : annotations.getOrDefault(key, "");
        default:
          break;
      }
    }
    throw new UnplayableException("this node does not know the field " + path);
  }

  /** What is started: the pod's words before the image's, with the variables put in. */
  static List<String> command(
      Container container, ContainerImage image, Map<String, String> variables) {
    var words = new ArrayList<String>();
    var named = !container.getCommand().isEmpty();
    words.addAll(named ? container.getCommand() : image.entryPoint());
    if (!container.getArgs().isEmpty()) {
      words.addAll(container.getArgs());
    } else if (!named) {
      words.addAll(image.arguments());
    }
    words.replaceAll(word -> expand(word, variables));
    return List.copyOf(words);
  }

  /** {@code $(NAME)} becomes the value where there is one; {@code $$} is a dollar sign. */
  static String expand(String text, Map<String, String> known) {
    var out = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      char next = at + 1 < text.length() ? text.charAt(at + 1) : 0;
      int end = c == '$' && next == '(' ? text.indexOf(')', at) : -1;
      if (c == '$' && next == '$') {
        out.append('$');
        at += 2;
      } else if (end > 0) {
        var value = known.get(text.substring(at + 2, end));
        out.append(value == null ? text.substring(at, end + 1) : value);
        at = end + 1;
      } else {
        out.append(c);
        at++;
      }
    }
    return out.toString();
  }
}
