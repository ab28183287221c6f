package dev.runnerset.migrate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which scale set the converted set uses, and what is told of that. */
final class ScaleSetName {
  private ScaleSetName() {}

  /**
   * The name of the scale set.
   *
   * @param theirs its name at ARC's
   * @param id its id, or null if the input does not have it
   * @param path of the field in the output
   */
  static String of(
      String theirs, @Nullable Integer id, String path, Options options, List<Note> notes) {
    var known = "'" + theirs + "'" + (id == null ? "" : " (id " + id + ")");
    var suffix = options.suffix();
    if (suffix != null) {
      notes.add(
          new Note(
              path,
              "is a new scale set beside "
                  + known
                  + ": jobs with runs-on: "
                  + theirs
                  + suffix
                  + " come to it"));
      return theirs + suffix;
    }
    notes.add(
        options.adopt()
            ? new Note(
                path,
                "adoptScaleSetId takes over "
                    + known
                    + ": no runner is made here until ARC lets go of its session, see"
                    + " docs/start/beside-arc.md")
            : new Note(
                path,
                known
                    + " is ARC's: while it is there, this set says AdoptionRequired and"
                    + " does nothing. Run again with --beside for a scale set of its own, or with"
                    + " --adopt to take over"));
    return theirs;
  }
}
