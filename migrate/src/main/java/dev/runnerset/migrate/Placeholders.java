package dev.runnerset.migrate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Texts as {@code ${x:=2}}, which another program fills before the file is applied. */
final class Placeholders {
  private static final Pattern PLACEHOLDER =
      Pattern.compile("\\$\\{[^}]*}|\\{\\{.*?}}|%\\{[^}]*}|<path:[^>]*>");

  /** Where a script or another program may have such texts of its own. */
  private static final Set<String> FREE =
      Set.of("command", "args", "value", "annotations", "postStart", "preStop");

  /** Parts that are left out, with a note. */
  private static final Set<String> LEFT_OUT =
      Set.of("listenerTemplate", "listenerPodTemplate", "listenerMetrics", "listener", "status");

  private final List<String> refused = new ArrayList<>();
  private final List<String> kept = new ArrayList<>();

  private Placeholders() {}

  /**
   * Refuses a set with a placeholder where only a value makes sense; adds a note on those in
   * commands, environment and annotations.
   *
   * @throws BadInput with the places
   */
  static void check(JsonNode set, List<Note> notes) {
    var search = new Placeholders();
    search.walk("", set, false);
    if (!search.refused.isEmpty()) {
      throw new BadInput(
          String.join(", ", search.refused)
              + ": a placeholder that another program fills: write the value, or convert what is on"
              + " the cluster, as kubectl get or helm get values prints it");
    }
    for (var place : search.kept) {
      notes.add(
          new Note(
              place,
              "looks like a placeholder and stays as it is: if another program fills it, it has to"
                  + " fill it in the new file, too"));
    }
  }

  private void walk(String path, JsonNode node, boolean free) {
    if (node.isTextual()) {
      text(path, node.asText(), free);
      return;
    }
    int index = 0;
    if (node.isArray()) {
      for (var item : node) {
        var name = item.path("name").asText(Integer.toString(index++));
        walk(path + "[" + name + "]", item, free);
      }
    }
    for (var field : node.properties()) {
      var place = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
      text(place, field.getKey(), free);
      if (!LEFT_OUT.contains(field.getKey())) {
        walk(place, field.getValue(), free || FREE.contains(field.getKey()));
      }
    }
  }

  private void text(String path, String text, boolean free) {
    var match = PLACEHOLDER.matcher(text);
    if (!match.find()) {
      return;
    }
    if (free) {
      kept.add(path);
    } else {
      var found = match.group();
      refused.add(path + " is " + (found.length() > 60 ? found.substring(0, 60) : found));
    }
  }
}
