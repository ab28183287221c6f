package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.crds.AutoScalingRunnerSetSpec;

/** How many runners: no limit is ARC's default, and 10 is ours; ours takes 10,000 at most. */
final class RunnerLimits {
  private static final int MOST = AutoScalingRunnerSetSpec.MOST_RUNNERS;

  private RunnerLimits() {}

  /** Puts both numbers as they are meant. */
  static void put(Fields fields, ObjectNode output) {
    var min = fields.number("minRunners");
    var max = fields.number("maxRunners");
    if (min != null && max != null && min > max) {
      throw new BadInput(
          fields.path("minRunners") + " is greater than maxRunners: lower one or raise the other");
    }
    if (min != null) {
      output.put("minRunners", bounded("minRunners", min, fields));
    }
    if (max == null) {
      output.put("maxRunners", MOST);
      fields.note(
          "maxRunners",
          "was absent, which ARC takes for no limit; here it would be 10, and %d is the most. Write"
                  .formatted(MOST)
              + " the number of runners that your cluster can run");
    } else {
      output.put("maxRunners", bounded("maxRunners", max, fields));
    }
  }

  private static int bounded(String name, int runners, Fields fields) {
    if (runners > MOST) {
      fields.note(name, "was " + runners + "; " + MOST + " is the most here");
    }
    return Math.min(runners, MOST);
  }
}
