package dev.runnerset.controller.hooks;

/**
 * A feature's own part of the one status patch of an object.
 *
 * @param <I> what is observed
 * @param <B> the builder of the status
 */
public interface StatusField<I, B> {
  /** Puts the part into the status that is to be written; does not block. */
  void fill(I observed, B status);

  /** The status that was made from what was observed is stored. Called only if it differed. */
  default void stored(I observed) {}
}
