package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** How many runners: no limit is ARC's default, and 10 is ours. */
final class Limits {
  private Limits() {}

  /** Puts both numbers as they are meant. */
  static void put(Fields fields, ObjectNode output) {
    var min = fields.number("minRunners");
    var max = fields.number("maxRunners");
    if (min != null) {
      output.put("minRunners", min);
    }
    output.put("maxRunners", max == null ? Integer.MAX_VALUE : max);
    if (max == null) {
      fields.note(
          "maxRunners",
          "was absent, which ARC takes for no limit; here it would be 10. Write the number"
              + " that your cluster bears");
    }
    if (min != null && max != null && min > max) {
      throw new BadInput(
          fields.path("minRunners") + " is greater than maxRunners: lower one or raise the other");
    }
  }
}
