package dev.runnerset.cli.cluster;

/** The cluster does not serve a kind at all. */
public final class KindMissingException extends ClusterException {
  private static final long serialVersionUID = 1L;

  /** What is missing, in a sentence that says what to change. */
  KindMissingException(String sentence) {
    super(sentence);
  }
}
