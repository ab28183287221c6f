package dev.runnerset.controller.features.capacity;

/**
 * What of a pod decides in which scopes of quotas it is.
 *
 * @param terminating whether it has a deadline ({@code activeDeadlineSeconds}), not whether it ends
 * @param bestEffort whether it asks for no cpu and no memory
 * @param priorityClass the name of its class, empty for none
 * @param crossNamespace whether its affinity names pods of other namespaces
 */
public record PodTraits(
    boolean terminating, boolean bestEffort, String priorityClass, boolean crossNamespace) {}
