package dev.runnerset.simulator.kube.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.simulator.kube.json.Json;
import dev.runnerset.simulator.kube.status.ApiException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Reads the protobuf bodies that {@code kubectl create namespace|secret|configmap|serviceaccount}
 * and {@code kubectl auth can-i} send: name, namespace, labels, annotations, type and data. Other
 * kinds are refused 415: send JSON.
 */
public final class ProtobufBody {
  private static final byte[] MAGIC = {'k', '8', 's', 0};

  private ProtobufBody() {}

  static ObjectNode decode(byte[] body) {
    try {
      return envelope(body);
    } catch (java.nio.BufferUnderflowException | IllegalArgumentException e) {
      throw ApiException.badRequest("the body of the request is not valid protobuf");
    }
  }

  private static ObjectNode envelope(byte[] body) {
    ByteBuffer in = ByteBuffer.wrap(body);
    byte[] magic = new byte[MAGIC.length];
    in.get(magic);
    if (!java.util.Arrays.equals(magic, MAGIC)) {
      throw new IllegalArgumentException("no Kubernetes protobuf");
    }
    ObjectNode object = Json.object();
    ByteBuffer[] raw = {ByteBuffer.allocate(0)};
    fields(
        in,
        (field, value) -> {
          if (field == 1) {
            strings(value, object, Map.of(1, "apiVersion", 2, "kind"));
          } else if (field == 2) {
            raw[0] = value;
          }
        });
    String kind = object.path("kind").asText();
    fields(raw[0], (field, value) -> content(object, kind, field, value));
    return object;
  }

  private static void content(ObjectNode object, String kind, int field, ByteBuffer value) {
    boolean known =
        switch (kind) {
          case "Namespace", "ServiceAccount" -> true;
          case "SelfSubjectAccessReview", "SelfSubjectRulesReview" -> true;
          case "Secret", "ConfigMap" -> true;
          default -> false;
        };
    if (!known) {
      throw ApiException.unsupportedMediaType("application/json, application/yaml");
    }
    if (field == 1) {
      metadata(object.putObject("metadata"), value);
    } else if (kind.equals("ConfigMap") && field == 2) {
      entry(object.withObjectProperty("data"), value, false);
    } else if (kind.equals("Secret") && field == 2) {
      entry(object.withObjectProperty("data"), value, true);
    } else if (kind.equals("Secret") && field == 3) {
      object.put("type", text(value));
    } else if (kind.equals("Secret") && field == 4) {
      entry(object.withObjectProperty("stringData"), value, false);
    }
  }

  private static void metadata(ObjectNode metadata, ByteBuffer in) {
    fields(
        in,
        (field, value) -> {
          switch (field) {
            case 1 -> metadata.put("name", text(value));
            case 2 -> metadata.put("generateName", text(value));
            case 3 -> metadata.put("namespace", text(value));
            case 11 -> entry(metadata.withObjectProperty("labels"), value, false);
            case 12 -> entry(metadata.withObjectProperty("annotations"), value, false);
            default -> {} // the server's own fields
          }
        });
    metadata.properties().removeIf(e -> e.getValue().asText("x").isEmpty());
  }

  private static void strings(ByteBuffer in, ObjectNode object, Map<Integer, String> names) {
    fields(
        in,
        (field, value) -> {
          if (names.containsKey(field)) {
            object.put(names.get(field), text(value));
          }
        });
  }

  private static void entry(ObjectNode map, ByteBuffer in, boolean base64) {
    String[] pair = {"", ""};
    fields(
        in,
        (field, value) ->
            pair[field == 1 ? 0 : 1] =
                field == 2 && base64
                    ? Base64.getEncoder().encodeToString(bytes(value))
                    : text(value));
    map.put(pair[0], pair[1]);
  }

  /** Calls back for each length-delimited field; numbers are passed over. */
  private static void fields(ByteBuffer in, BiConsumer<Integer, ByteBuffer> each) {
    while (in.hasRemaining()) {
      int tag = (int) varint(in);
      switch (tag & 7) {
        case 0 -> {
          var _ = varint(in);
        }
        case 1 -> in.position(in.position() + 8);
        case 2 -> {
          int length = (int) varint(in);
          each.accept(tag >>> 3, in.slice(in.position(), length));
          in.position(in.position() + length);
        }
        case 5 -> in.position(in.position() + 4);
        default -> throw new IllegalArgumentException("wire type " + (tag & 7));
      }
    }
  }

  private static long varint(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte next = in.get();
      value |= (long) (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("varint too long");
  }

  private static String text(ByteBuffer value) {
    return new String(bytes(value), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(ByteBuffer value) {
    byte[] bytes = new byte[value.remaining()];
    value.get(bytes);
    return bytes;
  }
}
