package dev.runnerset.kube;

import dev.runnerset.base.FieldProblem;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Optional;

/**
 * Why an object was not read whole: a value has a type that its field cannot have, or the object is
 * too large. Such an object has the fields that could be read. It must not be worked on, but can be
 * reported and deleted; whatever it holds, it ends no program and stops no cache.
 */
public sealed interface Unreadable {
  /** The most bytes of an object that is worked on, without its status and managedFields. */
  int LARGEST = 256 * 1024;

  /** The first value that cannot be read. */
  record WrongType(FieldProblem problem) implements Unreadable {
    @Override
    public String sentence() {
      return problem.sentence();
    }
  }

  /**
   * The object has too many bytes.
   *
   * @param bytes without status and managedFields
   */
  record TooLarge(int bytes) implements Unreadable {
    @Override
    public String sentence() {
      return "the object has %d KiB without its status, and at most %d KiB are worked on"
          .formatted(bytes / 1024, LARGEST / 1024);
    }
  }

  /** What is wrong, without a full stop. */
  String sentence();

  /** Why the object was not read whole; empty if it was. */
  static Optional<Unreadable> of(HasMetadata object) {
    return Optional.ofNullable(object.getMetadata())
        .map(meta -> meta.getAdditionalProperties().get(MARK))
        .filter(Unreadable.class::isInstance)
        .map(Unreadable.class::cast);
  }

  /** Notes on the object, in memory only, that it was not read whole. */
  default void noteOn(HasMetadata object) {
    object.getMetadata().setAdditionalProperty(MARK, this);
  }

  /** No API server stores a field of metadata that it does not know, so nobody can forge it. */
  String MARK = "runnerset.dev/unreadable";
}
