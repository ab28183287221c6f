package dev.runnerset.kube.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.runnerset.base.FieldProblem;
import dev.runnerset.kube.Unreadable;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads of an object what can be read, where the whole cannot: fields with values of a wrong type
 * are left out one by one, and what is required is empty instead. Of a large object only small
 * fields are read.
 *
 * @param mapper reads the kinds, without this reader
 */
record PartialReader(ObjectMapper mapper) {
  /** More wrong values than anybody writes; then spec and status are left out. */
  private static final int MOST_PROBLEMS = 100;

  /** The largest field of metadata, spec or status that is read of a large object, in bytes. */
  private static final int SMALL = 16 * 1024;

  /** The object that the text holds; with a note why, if it is not whole. */
  <T extends HasMetadata> T read(byte[] text, Class<T> kind) throws IOException {
    int size = sizeWithoutStatus(text);
    boolean large = size > Unreadable.LARGEST;
    var tree = large ? smallFields(text) : (ObjectNode) mapper.readTree(text);
    Unreadable why = large ? new Unreadable.TooLarge(size) : null;
    for (int i = 0; i < MOST_PROBLEMS; i++) {
      try {
        return noted(tree, kind, why);
      } catch (JsonProcessingException e) {
        why = why == null ? new Unreadable.WrongType(FieldProblem.of(e, tree)) : why;
        if (!leaveOut(FieldProblem.steps(e), tree)) {
          break;
        }
      }
    }
    tree.remove(List.of("spec", "status"));
    return noted(tree, kind, why);
  }

  private <T extends HasMetadata> T noted(ObjectNode tree, Class<T> kind, @Nullable Unreadable why)
      throws JsonProcessingException {
    if (why == null) {
      return mapper.treeToValue(tree, kind);
    }
    if (CustomResource.class.isAssignableFrom(kind)
        && kind.getGenericSuperclass() instanceof ParameterizedType resource
        && resource.getActualTypeArguments()[0] instanceof Class<?> spec) {
      fill(tree.withObjectProperty("spec"), spec);
    }
    var object = mapper.treeToValue(tree, kind);
    why.noteOn(object);
    return object;
  }

  /** Gives an empty value to what a record must have, and what was left out. */
  private static void fill(ObjectNode there, Class<?> type) {
    if (!type.isRecord()) {
      return;
    }
    for (var component : type.getRecordComponents()) {
      var name = component.getName();
      boolean optional = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
      if (!optional && !there.hasNonNull(name)) {
        empty(component.getType()).ifPresent(value -> there.set(name, value));
      }
      if (there.get(name) instanceof ObjectNode below) {
        fill(below, component.getType());
      }
    }
  }

  /** Lists that are absent become empty by themselves. */
  private static Optional<JsonNode> empty(Class<?> type) {
    if (type == String.class) {
      return Optional.of(TextNode.valueOf(""));
    }
    if (type == Integer.class || type == Long.class) {
      return Optional.of(IntNode.valueOf(0));
    }
    return Collection.class.isAssignableFrom(type) || type.isEnum()
        ? Optional.empty()
        : Optional.of(JsonNodeFactory.instance.objectNode());
  }

  /**
   * Leaves out the value, or the item of a list that it is a part of, since the rest of an item may
   * mean nothing; false if nothing is left to leave out.
   */
  private static boolean leaveOut(List<JsonMappingException.Reference> steps, ObjectNode tree) {
    JsonNode at = tree;
    ArrayNode list = null;
    ObjectNode parent = null;
    int index = 0;
    String name = "";
    for (var step : steps) {
      if (at instanceof ArrayNode items && items.has(step.getIndex())) {
        list = items;
        index = step.getIndex();
        at = items.get(index);
      } else if (at instanceof ObjectNode object && object.has(step.getFieldName())) {
        parent = object;
        name = step.getFieldName();
        at = object.get(name);
      } else {
        break;
      }
    }
    if (list != null) {
      return list.remove(index) != null;
    }
    return parent != null && parent.remove(name) != null;
  }

  /**
   * A field of an object in a text.
   *
   * @param from where its value begins, in bytes
   */
  private record Field(String name, int from, int size) {}

  private List<Field> fields(byte[] text, int from, int size) throws IOException {
    var fields = new ArrayList<Field>();
    try (var in = mapper.createParser(text, from, size)) {
      in.nextToken();
      while (in.nextToken() == JsonToken.FIELD_NAME) {
        var name = in.currentName();
        in.nextToken();
        long begin = in.currentTokenLocation().getByteOffset();
        in.skipChildren();
        in.finishToken();
        long end = in.currentLocation().getByteOffset();
        fields.add(new Field(name, from + (int) begin, (int) (end - begin)));
      }
    }
    return fields;
  }

  private int sizeWithoutStatus(byte[] text) throws IOException {
    int size = text.length;
    for (var field : fields(text, 0, text.length)) {
      if (field.name().equals("status")) {
        size -= field.size();
      } else if (field.name().equals("metadata")) {
        for (var below : fields(text, field.from(), field.size())) {
          size -= below.name().equals("managedFields") ? below.size() : 0;
        }
      }
    }
    return size;
  }

  private ObjectNode smallFields(byte[] text) throws IOException {
    var small = mapper.createObjectNode();
    for (var field : fields(text, 0, text.length)) {
      switch (field.name()) {
        case "metadata", "spec", "status" -> {
          var below = small.putObject(field.name());
          for (var each : fields(text, field.from(), field.size())) {
            if (each.size() <= SMALL) {
              below.set(each.name(), mapper.readTree(text, each.from(), each.size()));
            }
          }
        }
        default -> {
          if (field.size() <= SMALL) {
            small.set(field.name(), mapper.readTree(text, field.from(), field.size()));
          }
        }
      }
    }
    return small;
  }
}
