package dev.runnerset.simulator.kube.http;

import dev.runnerset.simulator.kube.status.ApiException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The parts of a path below /api/v1 or /apis/group/version; absent ones are empty. */
public record ResourcePath(
    String group, String version, String namespace, String plural, String name, String sub) {
  private static final Set<String> NAMESPACE_SUBRESOURCES = Set.of("status", "finalize");

  public static Optional<ResourcePath> parse(String path) {
    List<String> all = Arrays.stream(path.split("/")).filter(s -> !s.isEmpty()).toList();
    if (all.size() >= 3 && all.getFirst().equals("api")) {
      return Optional.of(parse("", all.get(1), all.subList(2, all.size())));
    }
    if (all.size() >= 4 && all.getFirst().equals("apis")) {
      return Optional.of(parse(all.get(1), all.get(2), all.subList(3, all.size())));
    }
    return Optional.empty();
  }

  private static ResourcePath parse(String group, String version, List<String> rest) {
    boolean inNamespace =
        rest.getFirst().equals("namespaces")
            && rest.size() > 2
            && !(rest.size() == 3 && NAMESPACE_SUBRESOURCES.contains(rest.get(2)));
    List<String> object = inNamespace ? rest.subList(2, rest.size()) : rest;
    if (object.size() > 3) {
      throw ApiException.noSuchPath();
    }
    return new ResourcePath(
        group,
        version,
        inNamespace ? rest.get(1) : "",
        object.get(0),
        object.size() > 1 ? object.get(1) : "",
        object.size() > 2 ? object.get(2) : "");
  }
}
