package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** The name of an object in the same namespace. */
@EmptyIsAbsent
public record NameReference(
    @JsonPropertyDescription("name of an object in the same namespace")
        @Required
        @Size(max = 253)
        @ValidationRule(
            value = "self.matches(r'^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$')",
            message = "write the name of an object, in lower case, as github-credentials")
        String name) {}
