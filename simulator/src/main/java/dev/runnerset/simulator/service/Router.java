package dev.runnerset.simulator.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** From a request to what answers it; {@code *} in a pattern stands for one segment. */
final class Router {
  record Route(
      String method, List<String> pattern, Endpoint endpoint, Function<Request, Reply> answer) {
    boolean fits(Request request) {
      var segments = request.segments();
      if (!method.equals(request.method()) || segments.size() != pattern.size()) {
        return false;
      }
      for (int i = 0; i < segments.size(); i++) {
        var wanted = pattern.get(i);
        if (!wanted.equals("*") && !wanted.equals(segments.get(i))) {
          return false;
        }
      }
      return true;
    }
  }

  private final List<Route> routes = new ArrayList<>();

  Router add(String method, String path, Endpoint endpoint, Function<Request, Reply> answer) {
    var segments = List.of(path.substring(1).split("/"));
    routes.add(new Route(method, segments, endpoint, answer));
    return this;
  }

  Optional<Route> find(Request request) {
    return routes.stream().filter(r -> r.fits(request)).findFirst();
  }
}
