package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;

/** The name of an object in another namespace. */
@EmptyIsAbsent
public record NamespacedReference(
    @JsonPropertyDescription("its namespace") @Required String namespace,
    @JsonPropertyDescription("its name") @Required String name) {}
