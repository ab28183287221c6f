package dev.runnerset.actions;

/** A registration: its id, its name, and the scale set it belongs to (protocol 3.9). */
public record RunnerReference(RunnerId id, String name, ScaleSetId scaleSetId) {}
