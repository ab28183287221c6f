package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import org.jspecify.annotations.Nullable;

/** A child of an object: where to find it, and what only the parent knows of it. */
@EmptyIsAbsent
public record ChildReference(
    @JsonPropertyDescription("of the child") String apiVersion,
    @JsonPropertyDescription("of the child") String kind,
    @JsonPropertyDescription("of the child") String name,
    @JsonPropertyDescription("what a runner was made with, or a set makes runners with now")
        @Nullable String revision,
    @JsonPropertyDescription("Demand or MinRunners: why it was made")
        @Nullable String provisionedFor,
    @JsonPropertyDescription("of the child, where it is another one than that of this object")
        @Nullable String namespace) {
  /** A child in the namespace of its parent. */
  public ChildReference(
      String apiVersion,
      String kind,
      String name,
      @Nullable String revision,
      @Nullable String provisionedFor) {
    this(apiVersion, kind, name, revision, provisionedFor, null);
  }

  static final String LIST =
      "the existing objects that were created for this one, oldest first; each has its own status";
}
