package dev.runnerset.controller.metrics;

import dev.runnerset.base.Pure;

/** What a pruned entry was; the phrase is for the log, the word for the metric (HS9). */
@Pure
public enum PruneReason implements Word {
  /** Nothing spoke for it, and it was old. */
  OLDER("older and of less weight", "older"),
  /** The entry was the first or last of a run of one minor version. */
  MINOR_BOOKEND("first or last completed in its minor", "minor-bookend"),
  /** The entry was between two minor versions. */
  MINOR_TRANSITION("partial in a minor transition", "minor-transition"),
  /** The entry was between two completions of one minor version. */
  Z_STREAM("partial within a z-stream", "z-stream");

  private final String phrase;
  private final String word;

  PruneReason(String phrase, String word) {
    this.phrase = phrase;
    this.word = word;
  }

  /** For people. */
  public String phrase() {
    return phrase;
  }

  @Override
  public String word() {
    return word;
  }
}
