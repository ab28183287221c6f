package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Faults as words of a command line: {@code CALL=WHAT[,KEY=VALUE...]} for a call of {@link
 * Endpoint}, else {@code NAME[=VALUE]} for a switch of {@link FaultPlan}, as {@code
 * odd.noQueueToken}.
 */
final class FaultFlags {
  /** Bodies of a success that are faults by themselves. */
  private static final List<String> BODIES =
      List.of("garbage", "endless", "flood", "deep", "long_text", "long_number", "bomb");

  private FaultFlags() {}

  /**
   * The faults of all flags together.
   *
   * @throws IllegalArgumentException in one line, if a flag cannot be meant
   */
  static FaultPlan plan(List<String> flags) {
    var plan = Json.object();
    var calls = plan.putArray("http");
    for (var flag : flags) {
      var at = flag.indexOf('=');
      var name = at < 0 ? flag : flag.substring(0, at);
      var value = at < 0 ? "" : flag.substring(at + 1);
      if (name.equals("*") || Endpoint.exists(name)) {
        calls.add(call(name, value));
      } else if (names().contains(name) || name.startsWith("dropped.")) {
        var path = name.split("\\.", 2);
        put(
            path.length == 1 ? plan : plan.withObjectProperty(path[0]),
            path[path.length - 1],
            value);
      } else {
        throw new IllegalArgumentException("--fault: neither a call nor a switch: '" + name + "'");
      }
    }
    return FaultPlan.of(plan);
  }

  private static ObjectNode call(String name, String value) {
    var fault = Json.object().put("endpoint", name);
    var words = List.of(value.split(","));
    var what = words.getFirst();
    switch (what) {
      case "lost" -> fault.put("afterEffect", true).put("dropped", true);
      case "reset" -> fault.put("dropped", true);
      case "hang" -> fault.put("body", "never");
      case String body when BODIES.contains(body) -> fault.put("status", 200).put("body", body);
      default ->
          fault.put(
              "status",
              Numbers.parse(what)
                  .orElseThrow(() ->
                      new IllegalArgumentException(
                          "--fault %s: '%s' is no status, and none of lost, reset, hang, %s"
                              .formatted(name, what, String.join(", ", BODIES)))));
    }
    for (var word : words.subList(1, words.size())) {
      var at = word.indexOf('=');
      put(fault, at < 0 ? word : word.substring(0, at), at < 0 ? "" : word.substring(at + 1));
    }
    if (fault.has("typeName") && !fault.has("body")) {
      fault.put("body", "exception");
    }
    return fault;
  }

  /** A switch without a value is turned on. */
  private static void put(ObjectNode node, String name, String value) {
    if (value.isEmpty() || value.equals("true")) {
      node.put(name, true);
    } else if (value.matches("-?[0-9]+")) {
      node.put(name, Long.parseLong(value));
    } else if (value.matches("-?[0-9]*\\.[0-9]+")) {
      node.put(name, Double.parseDouble(value));
    } else {
      node.put(name, value);
    }
  }

  /** Of the switches that are no calls. */
  static List<String> names() {
    var names = new ArrayList<String>();
    for (var top : Json.tree(FaultPlan.NONE).properties()) {
      switch (top.getKey()) {
        case "http" -> {}
        case "dropped" -> names.add("dropped.JobStarted");
        default -> {
          if (top.getValue().isObject()) {
            top.getValue().fieldNames().forEachRemaining(n -> names.add(top.getKey() + "." + n));
          } else {
            names.add(top.getKey());
          }
        }
      }
    }
    return names;
  }
}
