package dev.runnerset.simulator.service;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Calls of the REST API about the workflows of one repository: who may make them, where a
 * repository is that moved, and the links between pages (protocol 3.17).
 */
final class RepositoryAccess {
  private static final String MOVED = "/api/v3/repositories/";
  private final ServiceState state;
  private final RestAccess access;

  RepositoryAccess(ServiceState state, RestAccess access) {
    this.state = state;
    this.access = access;
  }

  /** What is done for a caller who may do it, under the lock. */
  interface Body {
    Reply reply(Repositories.Repository repository, RestAccess.Caller caller, Instant now);
  }

  /**
   * Paths are {@code /api/v3/repos/{owner}/{name}/...} or {@code /api/v3/repositories/{id}/...};
   * the name of before a move leads to the second.
   */
  Reply with(Request request, Body body) {
    var segments = request.segments();
    boolean byId = segments.get(2).equals("repositories");
    boolean reads = request.method().equals("GET");
    return state.enter(now -> {
      var found =
          byId
              ? Numbers.parseLong(segments.get(3)).flatMap(state.repositories::find)
              : state.repositories.find(segments.get(3) + "/" + segments.get(4));
      var asked =
          byId ? found.map(r -> r.name).orElse("?/?") : segments.get(3) + "/" + segments.get(4);
      return access.with(
          request,
          new Scope(asked),
          (caller, same) -> {
            if (found.filter(caller::sees).isEmpty()) {
              return notFound();
            }
            var repository = found.get();
            if (!repository.isNamed(asked)) {
              return moved(request, repository);
            }
            return (reads ? caller.mayReadActions() : caller.mayWriteActions())
                ? body.reply(repository, caller, now)
                : Reply.rest(403, RestAccess.NOT_GRANTED);
          });
    });
  }

  static Reply notFound() {
    return Reply.rest(404, "Not Found");
  }

  private Reply moved(Request request, Repositories.Repository repository) {
    boolean reads = request.method().equals("GET");
    var rest = request.segments().subList(5, request.segments().size());
    var location =
        api(repository) + "/" + String.join("/", rest) + query(request, Optional.empty());
    return Reply.json(
            reads ? 301 : 307,
            Json.object()
                .put("message", reads ? "Moved Permanently" : "Temporary Redirect")
                .put("url", location)
                .put("documentation_url", "https://docs.github.com/rest"))
        .withHeader("Location", location);
  }

  /** Where the REST API has the repository. */
  String api(Repositories.Repository repository) {
    return state.front() + MOVED + repository.id;
  }

  /** The parameters of the request, with another page if one is named. */
  private static String query(Request request, Optional<Integer> page) {
    var parameters = new TreeMap<>(request.query());
    page.ifPresent(number -> parameters.put("page", number.toString()));
    var text =
        parameters.entrySet().stream()
            .map(e -> e.getKey() + "=" + URLEncoder.encode(e.getValue(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&"));
    return text.isEmpty() ? "" : "?" + text;
  }

  /** The page of a list of so many elements, with links to the others. */
  Reply paged(
      Reply reply, Request request, Paging page, int elements, Repositories.Repository repository) {
    var segments = request.segments();
    var path = segments.subList(segments.indexOf("actions"), segments.size());
    var links = new ArrayList<String>();
    var url = api(repository) + "/" + String.join("/", path);
    int last = page.pages(elements);
    if (page.number() > 1) {
      links.add(link(url + query(request, Optional.of(page.number() - 1)), "prev"));
    }
    if (page.number() < last) {
      links.add(link(url + query(request, Optional.of(page.number() + 1)), "next"));
      links.add(link(url + query(request, Optional.of(last)), "last"));
    }
    if (page.number() > 1) {
      links.add(link(url + query(request, Optional.of(1)), "first"));
    }
    return links.isEmpty()
        ? reply
        : reply.withHeader("Link", String.join(", ", List.copyOf(links)));
  }

  private static String link(String url, String relation) {
    return "<" + url + ">; rel=\"" + relation + "\"";
  }
}
