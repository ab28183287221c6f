package dev.runnerset.crd;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/** A child of an object: where to find it, and what only the parent knows of it. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ChildReference(
    String apiVersion,
    String kind,
    String name,
    @Nullable String revision,
    @Nullable String provisionedFor) {}
