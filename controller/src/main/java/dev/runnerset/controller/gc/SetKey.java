package dev.runnerset.controller.gc;

/** A runner set by its place; its EphemeralRunnerSet bears the same name. */
public record SetKey(String namespace, String name) {}
