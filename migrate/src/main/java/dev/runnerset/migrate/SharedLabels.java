package dev.runnerset.migrate;

import java.util.List;

/** Labels that two scale sets have at a time. */
final class SharedLabels {
  private SharedLabels() {}

  static void tell(String path, Options options, List<Note> notes) {
    if (options.suffix() != null) {
      notes.add(
          new Note(
              path,
              "ARC's scale set has these labels, too: a job that asks for them alone may"
                  + " come to either"));
    }
  }
}
