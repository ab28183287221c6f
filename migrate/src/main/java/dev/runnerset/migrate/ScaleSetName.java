package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** Which scale set the converted set uses, and what is reported of that. */
final class ScaleSetName {
  private static final String NAME = "runnerScaleSetName";

  private ScaleSetName() {}

  /**
   * Puts the name of the scale set, its id where it is taken over, and its group.
   *
   * @param theirs its name at ARC's
   * @param id its id, or null if the input does not have it
   */
  static void put(
      Fields fields, ObjectNode output, String theirs, @Nullable Integer id, Options options) {
    output.put(NAME, theirs + (options.suffix() == null ? "" : options.suffix()));
    fields.note(NAME, note(theirs, id, options));
    if (options.adopt() && id != null) {
      output.put("adoptScaleSetId", id);
    }
    fields.moveText("runnerGroup", output);
  }

  /** Puts the labels, which two scale sets have at a time. */
  static void putLabels(
      Fields fields, String theirs, ObjectNode output, String ours, Options options) {
    fields.move(theirs, output, ours);
    if (output.has(ours) && options.suffix() != null) {
      fields.note(
          ours,
          "ARC's scale set has these labels, too: a job that asks for them alone may"
              + " come to either");
    }
  }

  private static String note(String theirs, @Nullable Integer id, Options options) {
    var known = "'" + theirs + "'" + (id == null ? "" : " (id " + id + ")");
    var suffix = options.suffix();
    if (suffix != null) {
      return "is a new scale set beside "
          + known
          + ": jobs with runs-on: "
          + theirs
          + suffix
          + " come to it";
    }
    return options.adopt()
        ? "adoptScaleSetId takes over "
            + known
            + ": no runner is made here until ARC lets go of its session, see"
            + " docs/start/beside-arc.md"
        : known
            + " is ARC's: while it is there, this set says AdoptionRequired and"
            + " does nothing. Run again with --beside for a scale set of its own, or with"
            + " --adopt to take over";
  }
}
