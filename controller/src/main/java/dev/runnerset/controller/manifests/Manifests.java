package dev.runnerset.controller.manifests;

import dev.runnerset.controller.config.ControllerSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A deployment of the two programs without its CRDs, for {@code kubectl apply -f -}. The text was
 * rendered from {@code charts/runnerset} with words that stand for the names; nobody edits it.
 */
public final class Manifests {
  private static final String RESOURCE = "/deployment.yaml";
  private static final Pattern KIND = Pattern.compile("(?m)^kind: (\\w+)$");
  private static final Set<String> KINDS_OF_IDENTITIES =
      Set.of(
          "Namespace",
          "ServiceAccount",
          "ClusterRole",
          "ClusterRoleBinding",
          "Role",
          "RoleBinding");

  private Manifests() {}

  /**
   * The names in the objects.
   *
   * @param imageRegistry what stands before the names of the images; empty for nothing
   */
  public record Names(
      String controllerNamespace,
      String controllerServiceAccount,
      String listenerNamespace,
      String listenerServiceAccount,
      String imageRegistry) {
    /** The defaults of the programs' flags, and no registry. */
    public static Names defaults() {
      return new Names(
          ControllerSettings.CONTROLLER_NAMESPACE,
          ControllerSettings.CONTROLLER_SERVICE_ACCOUNT,
          ControllerSettings.LISTENER_NAMESPACE,
          ControllerSettings.LISTENER_SERVICE_ACCOUNT,
          "");
    }

    private String putInto(String text) {
      var registry = imageRegistry.isEmpty() ? "" : imageRegistry + "/";
      return text.replace("name-of-image-registry/", registry)
          .replace("name-of-controller-namespace", controllerNamespace)
          .replace("name-of-controller-account", controllerServiceAccount)
          .replace("name-of-listener-namespace", listenerNamespace)
          .replace("name-of-listener-account", listenerServiceAccount);
    }
  }

  /** All objects, one YAML document each. */
  public static String yaml(Names names) {
    return names.putInto(text());
  }

  /** Namespaces, service accounts and roles only: for programs that do not run in pods. */
  public static String identities(Names names) {
    return Pattern.compile("(?m)^---\n")
        .splitAsStream(yaml(names))
        .filter(document -> {
          var kind = KIND.matcher(document);
          return kind.find() && KINDS_OF_IDENTITIES.contains(kind.group(1));
        })
        .map(document -> "---\n" + document)
        .collect(Collectors.joining());
  }

  private static String text() {
    try (var in = Manifests.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
