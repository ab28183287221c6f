package dev.runnerset.crds;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Fetches what {@code status.childReferences} point at, for dashboards and other clients (RF10).
 * Every call reads from the server and blocks for it; a child that is gone is an entry without a
 * status, and any other answer but success is passed on as the client's own {@code
 * KubernetesClientException}. Safe for concurrent use; the client stays the caller's.
 */
public final class ChildStatuses {
  private final KubernetesClient client;
  private final String namespace;
  private final String listenerNamespace;

  /**
   * For the children of sets; those of one stand in its namespace, but for its listener object.
   *
   * @param namespace where single references lead: they bear none, so it is that of their parents
   * @param listenerNamespace where the listener objects stand
   */
  public ChildStatuses(KubernetesClient client, String namespace, String listenerNamespace) {
    this.client = client;
    this.namespace = namespace;
    this.listenerNamespace = listenerNamespace;
  }

  /**
   * The child of a reference; one request.
   *
   * @throws IllegalArgumentException when the reference is to another kind; it names both
   */
  public <S> ChildStatus<S> forReference(
      ChildReference reference, Class<? extends CustomResource<?, S>> kind) {
    return child(reference, kind, namespace);
  }

  private <S> ChildStatus<S> child(
      ChildReference reference, Class<? extends CustomResource<?, S>> kind, String parents) {
    check(reference, kind);
    var at = kind == (Class<?>) AutoScalingListener.class ? listenerNamespace : parents;
    var child = client.resources(kind).inNamespace(at).withName(reference.name()).get();
    return new ChildStatus<>(reference, child == null ? null : child.getStatus());
  }

  /**
   * All children that the parent names, in its order: none for null. They are looked for in the
   * parent's own namespace. The runners of an EphemeralRunnerSet are one request, other kinds one
   * each; an AutoScalingRunnerSet names no runners, but the EphemeralRunnerSet that does.
   *
   * @throws IllegalArgumentException for a parent that has no references, or a reference to a kind
   *     that is none of ours; it names the kind
   */
  public List<ChildStatus<?>> allOf(@Nullable CustomResource<?, ?> parent) {
    return switch (parent) {
      case null -> List.of();
      case EphemeralRunnerSet set -> runners(set);
      case AutoScalingRunnerSet set ->
          each(set.statusOrNone().childReferences(), set.getMetadata().getNamespace());
      default ->
          throw new IllegalArgumentException("a " + parent.getKind() + " has no child references");
    };
  }

  private List<ChildStatus<?>> each(List<ChildReference> references, String parents) {
    return references.stream().<ChildStatus<?>>map(r -> resolved(r, parents)).toList();
  }

  // what a person wrote by hand may lack its kind
  private ChildStatus<?> resolved(ChildReference reference, String parents) {
    return switch (reference.kind()) {
      case "EphemeralRunner" -> child(reference, EphemeralRunner.class, parents);
      case "EphemeralRunnerSet" -> child(reference, EphemeralRunnerSet.class, parents);
      case "AutoScalingListener" -> child(reference, AutoScalingListener.class, parents);
      case null ->
          throw new IllegalArgumentException(
              "the reference '%s' does not say its kind".formatted(reference.name()));
      default ->
          throw new IllegalArgumentException(
              "the reference '%s' is to a %s, which is no kind of child"
                  .formatted(reference.name(), reference.kind()));
    };
  }

  private List<ChildStatus<?>> runners(EphemeralRunnerSet set) {
    var references = set.statusOrNone().childReferences();
    references.forEach(reference -> check(reference, EphemeralRunner.class));
    if (references.isEmpty()) {
      return List.of();
    }
    var runnerByName =
        client
            .resources(EphemeralRunner.class)
            .inNamespace(set.getMetadata().getNamespace())
            .withLabel(Labels.SET, set.getMetadata().getName())
            .list()
            .getItems()
            .stream()
            .collect(Collectors.toMap(r -> r.getMetadata().getName(), r -> r));
    return references.stream()
        .<ChildStatus<?>>map(reference -> {
          var runner = runnerByName.get(reference.name());
          return new ChildStatus<>(reference, runner == null ? null : runner.getStatus());
        })
        .toList();
  }

  private static void check(ChildReference reference, Class<? extends HasMetadata> kind) {
    var wanted = HasMetadata.getApiVersion(kind) + " " + HasMetadata.getKind(kind);
    var given = reference.apiVersion() + " " + reference.kind();
    if (!given.equals(wanted)) {
      throw new IllegalArgumentException(
          "the reference '%s' is to a %s, not to a %s".formatted(reference.name(), given, wanted));
    }
  }
}
