package dev.runnerset.crds;

import org.jspecify.annotations.Nullable;

/**
 * A reference, resolved.
 *
 * @param status what the child says of itself now; null when the child is gone or says nothing yet
 * @param <S> the status of the reference's kind
 */
public record ChildStatus<S>(ChildReference reference, @Nullable S status) {}
