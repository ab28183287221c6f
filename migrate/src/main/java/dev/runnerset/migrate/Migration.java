package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.crds.ApiGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What a text with resources or values becomes. */
public final class Migration {
  static final String ARC = "actions.github.com/";
  private static final String LEGACY = "actions.summerwind.dev/";

  private final String source;
  private final boolean ofAFolder;
  private final Options options;
  private final List<Conversion> outcomes = new ArrayList<>();

  private Migration(String source, boolean ofAFolder, Options options) {
    this.source = source;
    this.ofAFolder = ofAFolder;
    this.options = options;
  }

  /**
   * The outcome for each object of a text.
   *
   * @param source the file, for messages
   * @throws BadInput with one line that says what to change
   */
  public static List<Conversion> of(String source, String text, Options options) {
    return new Migration(source, false, options).outcomes(Yaml.read(source, text));
  }

  /**
   * The same for a file of a folder, which may hold no set.
   *
   * @throws BadInput if a set in it cannot be converted
   */
  public static List<Conversion> ofAFolder(String source, String text, Options options) {
    List<JsonNode> documents;
    try {
      documents = Yaml.read(source, text);
    } catch (BadInput e) {
      var why = String.valueOf(e.getMessage()).replace(source + ": ", "");
      return List.of(new Conversion.Skipped(source, why));
    }
    var outcomes = new Migration(source, true, options).outcomes(documents);
    return outcomes.isEmpty()
        ? List.of(new Conversion.Skipped(source, "it is empty"))
        : outcomes.stream().map(outcome -> outcome.in(source)).toList();
  }

  private List<Conversion> outcomes(List<JsonNode> documents) {
    for (var document : documents) {
      try {
        add(document);
      } catch (BadInput e) {
        throw new BadInput(source + ": " + e.getMessage());
      }
    }
    return outcomes;
  }

  private void add(JsonNode document) {
    if (!(document instanceof ObjectNode object)) {
      none(
          "neither a resource nor values: give the output of kubectl get"
              + " autoscalingrunnersets.actions.github.com -o yaml, or of helm get values");
      return;
    }
    var kind = object.path("kind").asText("");
    var version = object.path("apiVersion").asText("");
    if (kind.endsWith("List") && object.path("items").isArray()) {
      object.path("items").forEach(this::add);
    } else if (!kind.isEmpty() && !version.isEmpty()) {
      resource(object, kind, version);
    } else if (isValues(object)) {
      outcomes.add(values("values of " + source, object, options));
    } else if (!wrapped("values of " + source, object)) {
      none(
          "neither a resource nor values of a set: it has no kind, and none of githubConfigUrl,"
              + " githubConfigSecret, runnerScaleSetName, template, auth, scaleset, also not below"
              + " another key, as gha-runner-scale-set");
    }
  }

  private void none(String why) {
    if (!ofAFolder) {
      throw new BadInput(why);
    }
    outcomes.add(new Conversion.Skipped(source, "no set of runners"));
  }

  private void resource(ObjectNode object, String kind, String version) {
    var metadata = object.path("metadata");
    var namespace = metadata.path("namespace").asText("");
    var name = metadata.path("name").asText("");
    var title = kind + " " + name;
    if (version.startsWith(ARC)) {
      outcomes.add(
          kind.equals("AutoscalingRunnerSet")
              ? SetConversion.of(object, options)
              : new Conversion.Skipped(title, "the controller makes its own"));
    } else if (version.equals(ApiGroup.API_VERSION) && kind.equals("AutoScalingRunnerSet")) {
      var ours = List.of(new Note("kind", "is one of ours already"));
      outcomes.add(new Conversion.Converted(title, object, ours, Set.of()));
    } else if (version.startsWith(LEGACY)) {
      outcomes.add(
          new Conversion.Skipped(
              title, "runners without scale sets are not converted: write a set for their label"));
    } else if (!wrapped(kind + " " + (namespace.isEmpty() ? "" : namespace + "/") + name, object)) {
      outcomes.add(new Conversion.Skipped(title, "no set of runners"));
    }
  }

  /** What is converted of a document that wraps sets; false if there is none. */
  private boolean wrapped(String title, ObjectNode document) {
    var search = SetSearch.in(document);
    if (search.found().isEmpty()) {
      if (search.ofTheChart() && !search.elsewhere().isEmpty()) {
        outcomes.add(
            new Conversion.Skipped(
                title,
                "the values of its set are elsewhere ("
                    + String.join(", ", search.elsewhere())
                    + "): convert the file that has them, or the output of helm get values"));
        return true;
      }
      return false;
    }
    var about = about(document, search);
    for (var found : search.found()) {
      var each = converted(title + ", " + found.place(), found);
      outcomes.add(each.with(about));
      about = List.of(); // once is enough
    }
    return true;
  }

  private Conversion.Converted converted(String title, SetSearch.Found found) {
    try {
      return found.node().path("kind").asText().equals("AutoscalingRunnerSet")
          ? SetConversion.of(found.node(), options)
          : values(title, found.node(), options.ofRelease(found.release()));
    } catch (BadInput e) {
      throw new BadInput(found.place() + ": " + e.getMessage());
    }
  }

  /** What is said of the parts of a document that are no set. */
  private static List<Note> about(ObjectNode document, SetSearch search) {
    var notes = new ArrayList<Note>();
    if (!search.elsewhere().isEmpty()) {
      notes.add(
          new Note(
              String.join(", ", search.elsewhere()),
              "values that are not in this text, or that overrule it: add them by hand, or convert"
                  + " the output of helm get values"));
    }
    if (!search.rest().isEmpty()) {
      var kind = document.path("kind").asText("");
      notes.add(
          new Note(
              String.join(", ", search.rest()),
              kind.isEmpty()
                  ? "was left out: it is no part of the values of a set"
                  : "was left out: it stays in the "
                      + kind
                      + ", which gets the values below and the chart charts/runnerset-set"));
    }
    return notes;
  }

  private static boolean isValues(ObjectNode object) {
    return SetSearch.hasShapeOfValues(object)
        || object.has("githubConfigUrl")
        || object.has("runnerScaleSetName")
        || object.path("template").path("spec").has("containers")
        || ExperimentalValues.isOne(object);
  }

  private static Conversion.Converted values(String title, ObjectNode values, Options options) {
    var notes = new ArrayList<Note>();
    Placeholders.check(values, notes);
    var stable =
        ExperimentalValues.isOne(values) ? ExperimentalValues.stable(values, notes) : values;
    return ValuesConversion.of(title, stable, notes, options);
  }
}
