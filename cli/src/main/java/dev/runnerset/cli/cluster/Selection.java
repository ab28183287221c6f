package dev.runnerset.cli.cluster;

/**
 * Which objects are meant.
 *
 * @param namespace empty for all
 * @param labels a label selector as kubectl's {@code -l}; empty for all
 */
public record Selection(String namespace, String labels) {
  /** All objects of a namespace. */
  public static Selection of(String namespace) {
    return new Selection(namespace, "");
  }

  /** The same with one label more. */
  public Selection and(String label, String value) {
    var one = label + "=" + value;
    return new Selection(namespace, labels.isEmpty() ? one : labels + "," + one);
  }
}
