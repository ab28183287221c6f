package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What became of one object of the input. */
public sealed interface Conversion {
  /** The object, for people: namespace and name, or the file of the values. */
  String title();

  /** This outcome, with the file in the title. */
  Conversion in(String file);

  /**
   * A set, converted.
   *
   * @param output an AutoScalingRunnerSet, or values for charts/runnerset-set
   * @param byFlags the flags that were needed for it, since the input lacks what they give
   */
  record Converted(String title, ObjectNode output, List<Note> notes, Set<String> byFlags)
      implements Conversion {
    public Converted {
      notes = List.copyOf(notes);
      byFlags = Set.copyOf(byFlags);
    }

    /** With notes before its own. */
    Converted with(List<Note> before) {
      return new Converted(
          title, output, Stream.concat(before.stream(), notes.stream()).toList(), byFlags);
    }

    @Override
    public Converted in(String file) {
      return new Converted(Conversion.named(file, title), output, notes, byFlags);
    }

    /** Whether the output is values of a chart, and no resource. */
    public boolean isValues() {
      return !output.has("kind");
    }
  }

  /** No set: nothing is printed for it. */
  record Skipped(String title, String why) implements Conversion {
    @Override
    public Skipped in(String file) {
      return new Skipped(named(file, title), why);
    }
  }

  private static String named(String file, String title) {
    return title.contains(file) ? title : file + ": " + title;
  }
}
