package dev.runnerset.controller.podspec;

/**
 * The registration that a pod runs; not secret, and on the pod so that a restart reads no secret.
 *
 * @param id of the registration at the service
 * @param name of the registration; secret and pod bear it too
 */
public record RunnerIdentity(long id, String name) {}
