package dev.runnerset.e2e.access;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The table of docs/reference/permissions.md, between its two marks. */
final class PermissionsTable {
  private static final String BEGIN = "<!-- what the server allows: generated -->\n";
  private static final String END = "<!-- end -->\n";
  private static final String EVERYBODY = "A runner's pod";

  private PermissionsTable() {}

  /** The page with the table of what was found. */
  static String in(String page, Map<String, AccessWalk.Result> found) {
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    int end = page.indexOf(END);
    if (begin < BEGIN.length() || end < begin) {
      throw new IllegalStateException("docs/reference/permissions.md has no marks for the table");
    }
    var everybody = found.get(EVERYBODY).verbsByResourceByPlace();
    var text = new StringBuilder();
    found.forEach((identity, result) -> {
      boolean isEverybody = identity.equals(EVERYBODY);
      var own = isEverybody ? everybody : without(result.verbsByResourceByPlace(), everybody);
      text.append("\n### ").append(identity).append("\n\n");
      text.append(isEverybody ? "" : count(own));
      text.append("| where | resource | verbs |\n|---|---|---|\n");
      own.forEach((place, verbsByResource) ->
          byVerbs(verbsByResource)
              .forEach((verbs, resources) ->
                  text.append(
                      "| %s | %s | %s |\n"
                          .formatted(
                              place.equals("all") ? "all namespaces" : place, resources, verbs))));
    });
    return page.substring(0, begin) + text + "\n" + page.substring(end);
  }

  private static String count(Map<String, Map<String, Set<String>>> own) {
    return own.entrySet().stream()
        .map(e ->
            e.getValue().values().stream().mapToInt(Set::size).sum()
                + " in "
                + (e.getKey().equals("all") ? "all namespaces" : e.getKey()))
        .collect(Collectors.joining(", ", "Pairs of verb and resource: ", ".\n\n"));
  }

  private static Map<String, String> byVerbs(Map<String, Set<String>> verbsByResource) {
    var resourcesByVerbs = new TreeMap<String, Set<String>>();
    verbsByResource.forEach((resource, verbs) ->
        resourcesByVerbs
            .computeIfAbsent(String.join(", ", verbs), v -> new TreeSet<>())
            .add("`" + resource + "`"));
    var text = new TreeMap<String, String>();
    resourcesByVerbs.forEach((verbs, resources) -> text.put(verbs, String.join(", ", resources)));
    return text;
  }

  private static Map<String, Map<String, Set<String>>> without(
      Map<String, Map<String, Set<String>>> all, Map<String, Map<String, Set<String>>> everybody) {
    var rest = new LinkedHashMap<String, Map<String, Set<String>>>();
    all.forEach((place, verbsByResource) -> {
      var own = new TreeMap<String, Set<String>>();
      verbsByResource.forEach((resource, verbs) -> {
        var left = new TreeSet<>(verbs);
        left.removeAll(everybody.getOrDefault(place, Map.of()).getOrDefault(resource, Set.of()));
        if (!left.isEmpty()) {
          own.put(resource, left);
        }
      });
      if (!own.isEmpty()) {
        rest.put(place, own);
      }
    });
    return rest;
  }
}
