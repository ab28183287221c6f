package dev.runnerset.controller.manifests;

import dev.runnerset.controller.config.ControllerSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A deployment of the two programs without its CRDs, for {@code kubectl apply -f -}. The text was
 * rendered from {@code charts/runnerset} with words that stand for the names; nobody edits it.
 */
public final class Manifests {
  private static final String SET_NAMESPACE = "name-of-set-namespace";
  private static final String WATCHED_NAMESPACE = "name-of-watched-namespace";
  private static final Pattern START = Pattern.compile("(?m)^---\n");
  private static final Pattern KIND = Pattern.compile("(?m)^kind: (\\w+)$");
  private static final Set<String> KINDS_OF_IDENTITIES =
      Set.of(
          "Namespace",
          "ServiceAccount",
          "ClusterRole",
          "ClusterRoleBinding",
          "Role",
          "RoleBinding",
          "ValidatingAdmissionPolicy",
          "ValidatingAdmissionPolicyBinding");

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

  /** Where the controller may work, and by which kind of role. */
  public sealed interface Reach {
    /**
     * A cluster role without secrets for all namespaces, and another one that {@link
     * Manifests#ofSetNamespaces} binds in each namespace where sets live. The default.
     */
    record PerSetNamespace() implements Reach {}

    /** One cluster role for all: secrets, pods and roles of every namespace too. */
    record AllNamespaces() implements Reach {}

    /** Roles in those namespaces, and no cluster role. */
    record Only(Set<String> namespaces) implements Reach {
      /** Copies the names. */
      public Only {
        namespaces = Set.copyOf(namespaces);
      }
    }
  }

  /** All objects of the default reach, one YAML document each. */
  public static String yaml(Names names) {
    return yaml(names, new Reach.PerSetNamespace());
  }

  /** All objects, one YAML document each. */
  public static String yaml(Names names, Reach reach) {
    return text(names, documents(reach));
  }

  /**
   * Namespaces, service accounts, roles and the admission policy only: for programs that do not run
   * in pods.
   */
  public static String identities(Names names) {
    return identities(names, new Reach.PerSetNamespace());
  }

  /** The same of another reach. */
  public static String identities(Names names, Reach reach) {
    return text(names, documents(reach).filter(Manifests::isOfIdentities));
  }

  /**
   * The admission policy of the shield, then its binding, one YAML text each.
   *
   * @param watched the only namespaces of the controller; empty for all
   */
  public static List<String> shield(Names names, Set<String> watched) {
    var reach = watched.isEmpty() ? new Reach.PerSetNamespace() : new Reach.Only(watched);
    return documents(reach)
        .filter(document -> document.contains("kind: ValidatingAdmissionPolicy"))
        .map(names::putInto)
        .toList();
  }

  /** What the controller needs in each of those namespaces beside {@link Reach.PerSetNamespace}. */
  public static String ofSetNamespaces(Names names, Collection<String> namespaces) {
    return text(
        names,
        resource("/deployment.yaml")
            .filter(document -> document.contains(SET_NAMESPACE))
            .flatMap(document ->
                namespaces.stream().sorted().map(name -> document.replace(SET_NAMESPACE, name))));
  }

  private static Stream<String> documents(Reach reach) {
    return switch (reach) {
      case Reach.PerSetNamespace() ->
          resource("/deployment.yaml").filter(document -> !document.contains(SET_NAMESPACE));
      case Reach.AllNamespaces() -> resource("/deployment-all-namespaces.yaml");
      case Reach.Only(var namespaces) ->
          resource("/deployment-namespace.yaml")
              .flatMap(document -> inEach(document, namespaces.stream().sorted().toList()));
    };
  }

  /** A role once for each namespace; a program once, with all of them. */
  private static Stream<String> inEach(String document, List<String> namespaces) {
    return document.contains("namespace: " + WATCHED_NAMESPACE)
        ? namespaces.stream().map(name -> document.replace(WATCHED_NAMESPACE, name))
        : Stream.of(document.replace(WATCHED_NAMESPACE, String.join(",", namespaces)));
  }

  private static boolean isOfIdentities(String document) {
    var kind = KIND.matcher(document);
    return kind.find() && KINDS_OF_IDENTITIES.contains(kind.group(1));
  }

  private static String text(Names names, Stream<String> documents) {
    return names.putInto(
        documents.map(document -> "---\n" + document).collect(Collectors.joining()));
  }

  private static Stream<String> resource(String name) {
    return START.splitAsStream(read(name)).filter(document -> !document.isBlank());
  }

  private static String read(String name) {
    try (var in = Manifests.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
