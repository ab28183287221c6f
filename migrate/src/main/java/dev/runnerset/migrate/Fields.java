package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.base.Resources;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object, each taken once; what nobody took is reported. A field that is null, or
 * an empty text, list or object, counts as absent.
 */
final class Fields {
  private static final JsonNode LEFT_OUT =
      Yaml.read("left-out", Resources.text(Fields.class, "left-out.yaml")).getFirst();

  private final String path;
  private final ObjectNode left;
  private final List<Note> notes;

  /**
   * The fields of an object.
   *
   * @param path of the object; empty for the root
   * @param notes receives what is reported
   */
  Fields(String path, ObjectNode object, List<Note> notes) {
    this.path = path;
    left = object.deepCopy();
    this.notes = notes;
  }

  /** Whether each field that is there is empty. */
  boolean isBlank() {
    return left.properties().stream().allMatch(field -> isEmpty(field.getValue()));
  }

  /** The path of a field. */
  String path(String field) {
    return path.isEmpty() ? field : path + "." + field;
  }

  /** Takes a field; null if it is absent. */
  @Nullable JsonNode take(String field) {
    var value = left.remove(field);
    return value == null || isEmpty(value) ? null : value;
  }

  /** Takes a text, or a number as text. */
  @Nullable String text(String field) {
    var value = take(field);
    if (value == null) {
      return null;
    }
    if (!value.isValueNode()) {
      throw new BadInput(path(field) + " must be a text");
    }
    return value.asText();
  }

  /** Takes an object. */
  @Nullable ObjectNode object(String field) {
    var value = take(field);
    if (value == null) {
      return null;
    }
    if (value instanceof ObjectNode object) {
      return object;
    }
    throw new BadInput(path(field) + " must be an object");
  }

  /** Takes an object as fields of its own, which tell what is left of them. */
  @Nullable Fields fields(String field) {
    var value = object(field);
    return value == null ? null : new Fields(path(field), value, notes);
  }

  /**
   * Takes an object and uses its fields; what is left of them then is reported. Nothing if absent.
   */
  void with(String field, Consumer<Fields> use) {
    var fields = fields(field);
    if (fields != null) {
      use.accept(fields);
      fields.tellRest();
    }
  }

  /** Takes a field and puts it into the output, as it is. */
  void move(String field, ObjectNode to, String name) {
    var value = take(field);
    if (value != null) {
      to.set(name, value);
    }
  }

  /** Takes fields and puts them into the output under the same names. */
  void move(ObjectNode to, String... fields) {
    for (var field : fields) {
      move(field, to, field);
    }
  }

  /** Takes a text and puts it into the output under the same name. */
  void moveText(String field, ObjectNode to) {
    var text = text(field);
    if (text != null) {
      to.put(field, text);
    }
  }

  /**
   * Takes labels and annotations and puts the ones that people wrote into the output.
   *
   * @param kept which keys are of people; the others are reported, but for those that a program
   *     writes by itself
   */
  void moveMetadata(ObjectNode to, Metadata kept) {
    for (var field : new String[] {"labels", "annotations"}) {
      var given = object(field);
      if (given != null) {
        var people = kept.ofPeople(given, key -> note(field, "'" + key + "' was left out"));
        if (!people.isEmpty()) {
          to.set(field, people);
        }
      }
    }
  }

  /** Takes a whole number from 0 on; one that is written as text is reported. */
  @Nullable Integer number(String field) {
    var value = take(field);
    if (value == null) {
      return null;
    }
    if (value.isTextual() && value.asText().matches("\\d{1,9}")) {
      note(field, "was a text, which the chart of ARC ignores; it is a number now");
      return Integer.valueOf(value.asText());
    }
    if (!value.isNumber() || !value.canConvertToExactIntegral() || value.asLong() < 0) {
      throw new BadInput(path(field) + " must be a whole number from 0 on");
    }
    return value.canConvertToInt() ? value.asInt() : Integer.MAX_VALUE;
  }

  /** Takes a field that has no counterpart, and says so. */
  void drop(String field, String text) {
    if (take(field) != null) {
      note(field, text);
    }
  }

  /** Takes the fields of that part of the table of what has no counterpart, and says so. */
  void leaveOut(String part) {
    for (var row : LEFT_OUT.path(part).properties()) {
      if (row.getValue().isNull()) {
        take(row.getKey());
      } else {
        drop(row.getKey(), row.getValue().asText());
      }
    }
  }

  /** Tells of a field. */
  void note(String field, String text) {
    notes.add(new Note(path(field), text));
  }

  /** Tells of the fields that nobody took. */
  void tellRest() {
    for (var field : left.properties()) {
      if (!isEmpty(field.getValue())) {
        note(
            field.getKey(),
            "is not known here and was left out: kubectl explain ars.spec and the values of"
                + " charts/runnerset-set say what there is");
      }
    }
  }

  static boolean isEmpty(JsonNode value) {
    return value.isNull()
        || value.isMissingNode()
        || (value.isTextual() && value.asText().isEmpty())
        || (value.isContainerNode() && value.isEmpty());
  }
}
