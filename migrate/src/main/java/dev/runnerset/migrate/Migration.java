package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.crds.ApiGroup;
import java.util.ArrayList;
import java.util.List;

/** What a text with resources or values becomes. */
public final class Migration {
  private static final String ARC = "actions.github.com/";
  private static final String LEGACY = "actions.summerwind.dev/";

  private Migration() {}

  /**
   * The outcome for each object of a text.
   *
   * @param source the file, for messages
   * @throws BadInput with one line that says what to change
   */
  public static List<Conversion> of(String source, String text, Options options) {
    var outcomes = new ArrayList<Conversion>();
    for (var document : Yaml.read(source, text)) {
      try {
        add(document, source, options, outcomes);
      } catch (BadInput e) {
        throw new BadInput(source + ": " + e.getMessage());
      }
    }
    return outcomes;
  }

  private static void add(
      JsonNode document, String source, Options options, List<Conversion> outcomes) {
    if (!(document instanceof ObjectNode object)) {
      throw new BadInput(
          "neither a resource nor values: give the output of kubectl get"
              + " autoscalingrunnersets.actions.github.com -o yaml, or of helm get values");
    }
    var kind = object.path("kind").asText("");
    var version = object.path("apiVersion").asText("");
    if (kind.endsWith("List") && object.path("items").isArray()) {
      for (var item : object.path("items")) {
        add(item, source, options, outcomes);
      }
    } else if (!kind.isEmpty() && !version.isEmpty()) {
      outcomes.add(resource(object, kind, version, options));
    } else {
      outcomes.add(values(source, object, options));
    }
  }

  private static Conversion resource(
      ObjectNode object, String kind, String version, Options options) {
    var title = kind + " " + object.path("metadata").path("name").asText("");
    if (version.startsWith(ARC)) {
      return kind.equals("AutoscalingRunnerSet")
          ? SetConversion.of(object, options)
          : new Conversion.Skipped(title, "the controller makes its own");
    }
    if (version.equals(ApiGroup.API_VERSION) && kind.equals("AutoScalingRunnerSet")) {
      return new Conversion.Converted(
          title, object, List.of(new Note("kind", "is one of ours already")), false);
    }
    if (version.startsWith(LEGACY)) {
      return new Conversion.Skipped(
          title, "runners without scale sets are not converted: write a set for their label");
    }
    return new Conversion.Skipped(title, "no set of runners");
  }

  private static Conversion values(String source, ObjectNode values, Options options) {
    var title = "values of " + source;
    if (ExperimentalValues.isOne(values)) {
      var notes = new ArrayList<Note>();
      return ValuesConversion.of(title, ExperimentalValues.stable(values, notes), notes, options);
    }
    for (var known :
        List.of("githubConfigUrl", "githubConfigSecret", "runnerScaleSetName", "template")) {
      if (values.has(known)) {
        return ValuesConversion.of(title, values, List.of(), options);
      }
    }
    throw new BadInput(
        "neither a resource nor values of a set: it has no kind, and none of githubConfigUrl,"
            + " githubConfigSecret, runnerScaleSetName, template, auth, scaleset");
  }
}
