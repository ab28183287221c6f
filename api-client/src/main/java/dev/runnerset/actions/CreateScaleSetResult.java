package dev.runnerset.actions;

/** The answer to the creation of a scale set. */
public sealed interface CreateScaleSetResult {
  /** The scale set was created. */
  record Created(ScaleSet scaleSet) implements CreateScaleSetResult {}

  /** Another set of the group has the name (RunnerScaleSetExistsException, protocol 2.6). */
  record NameTaken() implements CreateScaleSetResult {}
}
