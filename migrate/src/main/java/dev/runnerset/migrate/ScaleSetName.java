package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashSet;
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
    var name = theirs + (options.suffix() == null ? "" : options.suffix());
    if (!name.matches("[^\\s&#%+/]{1,100}")) {
      throw new BadInput(
          "the name of the scale set is '"
              + name
              + "': it has 1 to 100 characters without space, &, #, %, + and /");
    }
    output.put(NAME, name);
    fields.note(NAME, note(theirs, id, options));
    if (options.adopt() && id != null) {
      output.put("adoptScaleSetId", id);
    }
    fields.moveText("runnerGroup", output);
  }

  /** Puts the labels, which two scale sets have at a time. */
  static void putLabels(
      Fields fields, String theirs, ObjectNode output, String ours, Options options) {
    var given = fields.take(theirs);
    if (given != null) {
      labels(fields, theirs, given, output.putArray(ours));
    }
    if (output.has(ours) && options.suffix() != null) {
      fields.note(
          ours,
          "ARC's scale set has these labels, too: a job that asks for them alone may"
              + " come to either");
    }
  }

  /** Texts, each once, as the kind and the chart take them. */
  private static void labels(Fields fields, String field, JsonNode given, ArrayNode labels) {
    if (!given.isArray()) {
      throw new BadInput(fields.path(field) + " must be a list of texts");
    }
    var seen = new LinkedHashSet<String>();
    for (var label : given) {
      if (!label.isValueNode() || label.asText().isBlank()) {
        throw new BadInput(fields.path(field) + " has an entry that is no text: correct it");
      }
      if (!seen.add(label.asText())) {
        fields.note(field, "'" + label.asText() + "' was there twice");
      }
    }
    seen.forEach(labels::add);
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
