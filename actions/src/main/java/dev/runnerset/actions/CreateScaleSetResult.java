package dev.runnerset.actions;

/** The answer to the making of a scale set. */
public sealed interface CreateScaleSetResult {
  /** It was made. */
  record Created(ScaleSet scaleSet) implements CreateScaleSetResult {}

  /** Another set of the group has the name (RunnerScaleSetExistsException, protocol 2.6). */
  record NameTaken() implements CreateScaleSetResult {}
}
