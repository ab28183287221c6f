package dev.runnerset.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.runnerset.base.Pure;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/**
 * What was sent to the API server and is not in its answer, as a mutating webhook makes it. What
 * the answer has besides is fine, in objects and in lists. Items of lists are paired by their name.
 */
@Pure
public final class LostFields {
  /** Who changes what was sent, for people. */
  public static final String CHANGED_BY = "a mutating webhook or a mutating policy";

  /** How to find out which one, for people. */
  public static final String ADVICE =
      "kubectl get mutatingwebhookconfigurations shows the webhooks of the cluster";

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_-]+");
  private static final Pattern QUANTITY = Pattern.compile("[0-9.]+([eE][0-9]+|[a-zA-Z]{0,2})");

  private LostFields() {}

  /**
   * The paths of the fields that are missing in the answer or have another value there, such as
   * {@code spec.initContainers[dind].restartPolicy}, in the order in which they were sent.
   */
  public static List<String> in(JsonNode sent, JsonNode answer) {
    var lost = new ArrayList<String>();
    compare("", sent, answer, lost);
    return List.copyOf(lost);
  }

  private static void compare(String path, JsonNode sent, JsonNode answer, List<String> lost) {
    if (answer.isMissingNode() || answer.isNull()) {
      if (!isLeftOut(sent)) {
        lost.add(path);
      }
    } else if (sent.isObject() && answer.isObject()) {
      sent.properties()
          .forEach(field ->
              compare(
                  path + step(path, field.getKey()),
                  field.getValue(),
                  answer.path(field.getKey()),
                  lost));
    } else if (sent.isArray() && answer.isArray()) {
      compareItems(path, sent, answer, lost);
    } else if (!isSame(sent, answer)) {
      lost.add(path);
    }
  }

  private static void compareItems(String path, JsonNode sent, JsonNode answer, List<String> lost) {
    int from = 0; // plain values keep their order
    for (int i = 0; i < sent.size(); i++) {
      var item = sent.get(i);
      if (item.isObject()) {
        compareItem(path, i, item, answer, lost);
        continue;
      }
      while (from < answer.size() && !isSame(item, answer.get(from))) {
        from++;
      }
      if (from++ >= answer.size()) {
        lost.add(path + "[" + i + "]");
        return;
      }
    }
  }

  private static void compareItem(
      String path, int index, JsonNode item, JsonNode answer, List<String> lost) {
    var name = item.path("name");
    var pairs =
        StreamSupport.stream(answer.spliterator(), false)
            .filter(other -> name.isMissingNode() || name.equals(other.path("name")))
            .toList();
    var of = path + "[" + (name.isMissingNode() ? String.valueOf(index) : name.asText()) + "]";
    // a name may stand there twice, as that of a volume with two mounts
    if (pairs.stream().anyMatch(other -> in(item, other).isEmpty())) {
      return;
    }
    if (name.isMissingNode()) {
      lost.add(of);
    } else {
      compare(of, item, pairs.isEmpty() ? MissingNode.getInstance() : pairs.getFirst(), lost);
    }
  }

  private static String step(String path, String key) {
    if (!PLAIN.matcher(key).matches()) {
      return "['" + key + "']";
    }
    return path.isEmpty() ? key : "." + key;
  }

  /** Whether the API server leaves such a value out. */
  private static boolean isLeftOut(JsonNode sent) {
    return switch (sent.getNodeType()) {
      case NULL, MISSING -> true;
      case OBJECT, ARRAY ->
          StreamSupport.stream(sent.spliterator(), false).allMatch(LostFields::isLeftOut);
      case STRING -> sent.asText().isEmpty();
      case BOOLEAN -> !sent.asBoolean();
      case NUMBER -> sent.asDouble() == 0;
      default -> false;
    };
  }

  /** A quantity may be written in another way: {@code 0.5} is {@code 500m}. */
  private static boolean isSame(JsonNode sent, JsonNode answer) {
    if (sent.equals(answer)) {
      return true;
    }
    if (!sent.isValueNode() || !answer.isValueNode()) {
      return false;
    }
    var one = sent.asText();
    var other = answer.asText();
    return one.equals(other)
        || (QUANTITY.matcher(one).matches()
            && QUANTITY.matcher(other).matches()
            && isSameQuantity(one, other));
  }

  private static boolean isSameQuantity(String one, String other) {
    try {
      return Objects.equals(
          Quantity.getAmountInBytes(new Quantity(one)).stripTrailingZeros(),
          Quantity.getAmountInBytes(new Quantity(other)).stripTrailingZeros());
    } catch (IllegalArgumentException | ArithmeticException e) {
      return false;
    }
  }
}
