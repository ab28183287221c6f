package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** What became of one object of the input. */
public sealed interface Conversion {
  /** The object, for people: namespace and name, or the file of the values. */
  String title();

  /**
   * A set, converted.
   *
   * @param output an AutoScalingRunnerSet, or values for charts/runnerset-set
   * @param idByFlag whether the id of the scale set is the one of {@code --scale-set-id}, as the
   *     input has none
   */
  record Converted(String title, ObjectNode output, List<Note> notes, boolean idByFlag)
      implements Conversion {
    public Converted {
      notes = List.copyOf(notes);
    }
  }

  /** No set: nothing is printed for it. */
  record Skipped(String title, String why) implements Conversion {}
}
