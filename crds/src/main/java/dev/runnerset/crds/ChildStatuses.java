package dev.runnerset.crds;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Fetches what {@code status.childReferences} point at, for dashboards and other clients (RF10).
 * Every call reads from the server and blocks for it; a child that is gone is an entry without a
 * status, and any other answer but success is passed on as the client's own {@code
 * KubernetesClientException}. Safe for concurrent use; the client stays the caller's.
 */
public final class ChildStatuses {
  /** A runner that is gone has no time of creation, and comes last. */
  private static final String AFTER_ALL_TIMES = "~";

  private final KubernetesClient client;
  private final String namespace;
  private final String listenerNamespace;

  /**
   * For the children of sets; those of one stand in its namespace, but for its listener object.
   *
   * @param namespace of the parents of single references
   * @param listenerNamespace of the listener objects whose references name none
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
    var at =
        kind == (Class<?>) AutoScalingListener.class
            ? Objects.requireNonNullElse(reference.namespace(), listenerNamespace)
            : parents;
    var child = client.resources(kind).inNamespace(at).withName(reference.name()).get();
    return new ChildStatus<>(reference, child == null ? null : child.getStatus());
  }

  /**
   * All children that the parent names, in its order: none for null. They are looked for in the
   * parent's own namespace. The runners of an EphemeralRunnerSet are one request, other kinds one
   * each; an AutoScalingRunnerSet names no runners, but the EphemeralRunnerSet that does.
   *
   * <p>Under {@code --embedded-status full} parents have no references. The runners are then those
   * of the deprecated {@code status.runnerStatuses}, oldest first and those that are gone last; the
   * children of an AutoScalingRunnerSet are found by owner and labels, with two requests.
   *
   * @throws IllegalArgumentException for a parent that has no references, or a reference to a kind
   *     that is none of ours; it names the kind
   */
  public List<ChildStatus<?>> allOf(@Nullable CustomResource<?, ?> parent) {
    return switch (parent) {
      case null -> List.of();
      case EphemeralRunnerSet set -> runners(set);
      case AutoScalingRunnerSet set ->
          set.statusOrNone().childReferences().isEmpty()
              ? unnamed(set)
              : each(set.statusOrNone().childReferences(), set.getMetadata().getNamespace());
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
    var status = set.statusOrNone();
    var references = status.childReferences();
    references.forEach(reference -> check(reference, EphemeralRunner.class));
    if (references.isEmpty() && status.runnerStatuses().isEmpty()) {
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
    var named = references.isEmpty() ? embedded(status.runnerStatuses(), runnerByName) : references;
    return named.stream()
        .<ChildStatus<?>>map(reference -> {
          var runner = runnerByName.get(reference.name());
          return new ChildStatus<>(reference, runner == null ? null : runner.getStatus());
        })
        .toList();
  }

  /** References to the runners that the deprecated form names. */
  private static List<ChildReference> embedded(
      Map<String, Object> runnerStatuses, Map<String, EphemeralRunner> runnerByName) {
    return runnerStatuses.entrySet().stream()
        .sorted(
            Comparator.comparing((Map.Entry<String, Object> e) -> created(runnerByName, e.getKey()))
                .thenComparing(Map.Entry::getKey))
        .map(e -> reference(EphemeralRunner.class, e.getKey(), revision(e.getValue())))
        .toList();
  }

  private static String created(Map<String, EphemeralRunner> runnerByName, String name) {
    var runner = runnerByName.get(name);
    return runner == null ? AFTER_ALL_TIMES : runner.getMetadata().getCreationTimestamp();
  }

  private static @Nullable String revision(Object entry) {
    return entry instanceof Map<?, ?> fields && fields.get("revision") instanceof String revision
        ? revision
        : null;
  }

  /** The children of a set that names none: it has none yet, or only the deprecated form is on. */
  private List<ChildStatus<?>> unnamed(AutoScalingRunnerSet set) {
    var meta = set.getMetadata();
    var children = new ArrayList<ChildStatus<?>>();
    var ers =
        client
            .resources(EphemeralRunnerSet.class)
            .inNamespace(meta.getNamespace())
            .withName(meta.getName())
            .get();
    if (ers != null && isOwnedBy(ers, meta.getUid())) {
      children.add(
          new ChildStatus<>(
              reference(EphemeralRunnerSet.class, meta.getName(), ers.getSpec().revision()),
              ers.getStatus()));
    }
    client
        .resources(AutoScalingListener.class)
        .inNamespace(listenerNamespace)
        .withLabel(Labels.SET, meta.getName())
        .withLabel(Labels.SET_NAMESPACE, meta.getNamespace())
        .list()
        .getItems()
        .stream()
        .map(listener ->
            new ChildStatus<>(
                reference(AutoScalingListener.class, listener.getMetadata().getName(), null),
                listener.getStatus()))
        .forEach(children::add);
    return List.copyOf(children);
  }

  private static boolean isOwnedBy(HasMetadata child, @Nullable String uid) {
    return child.getMetadata().getOwnerReferences().stream()
        .anyMatch(owner -> owner.getUid().equals(uid));
  }

  private static ChildReference reference(
      Class<? extends HasMetadata> kind, String name, @Nullable String revision) {
    return new ChildReference(
        HasMetadata.getApiVersion(kind), HasMetadata.getKind(kind), name, revision, null);
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
