package dev.runnerset.simulator.service;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Who calls the public REST API, what he may do there and how often (protocol 1.4, 3.18). */
final class RestAccess {
  static final String NOT_GRANTED = "Resource not accessible by integration";

  /**
   * What an installation token is good for.
   *
   * @param permissions {@code read} or {@code write}, by name
   * @param repositories names in lower case; empty for all of the owner
   */
  record Grant(App app, Map<String, String> permissions, Set<String> repositories) {
    Grant {
      permissions = Map.copyOf(permissions);
      repositories = Set.copyOf(repositories);
    }
  }

  /**
   * One caller.
   *
   * @param grant of an app; null for a user's token
   * @param scopes of a user's token
   */
  record Caller(String name, @Nullable Grant grant, Set<String> scopes) {
    boolean sees(Repositories.Repository repository) {
      return grant == null
          ? scopes.contains("repo")
          : grant.repositories().isEmpty()
              || grant.repositories().stream().anyMatch(repository::isNamed);
    }

    boolean mayReadActions() {
      return grant == null || grant.permissions().containsKey("actions");
    }

    boolean mayWriteActions() {
      return grant == null || "write".equals(grant.permissions().get("actions"));
    }

    boolean mayRemoveRunners(Scope scope) {
      return grant == null
          ? scopes.contains(scope.isRepository() ? "repo" : "admin:org")
          : "write"
              .equals(
                  grant
                      .permissions()
                      .get(
                          scope.isRepository()
                              ? "administration"
                              : "organization_self_hosted_runners"));
    }
  }

  /** What is done for a caller who may call, under the lock. */
  interface Body {
    Reply reply(Caller caller, Instant now);
  }

  private final ServiceState state;
  private final Tokens<Grant> installation;
  private final RestLimit limit = new RestLimit();

  /** What the pages of the product ask for; an app has no rights on runs by default. */
  private Map<String, String> permissions =
      Map.of(
          "administration",
          "write",
          "metadata",
          "read",
          "organization_self_hosted_runners",
          "write");

  private Set<String> repositories = Set.of();
  private Set<String> scopes = Set.of("admin:org", "repo");

  RestAccess(ServiceState state) {
    this.state = state;
    this.installation = new Tokens<>(state.ids);
  }

  /** For installation tokens that are issued from now on. */
  void permissions(Map<String, String> value) {
    permissions = Map.copyOf(value);
  }

  /** For installation tokens that are issued from now on; empty for all of the owner. */
  void repositories(Set<String> names) {
    repositories = Set.copyOf(names);
  }

  /** Of the users' tokens, at once. */
  void scopes(Set<String> value) {
    scopes = Set.copyOf(value);
  }

  /** The answer that carries a new installation token. */
  Reply issue(App app, Instant now, Instant expires) {
    var grant = new Grant(app, permissions, repositories);
    var node =
        Json.object()
            .put("token", installation.issue(grant, now, expires))
            .put("expires_at", expires.toString())
            .put("repository_selection", repositories.isEmpty() ? "all" : "selected");
    return Reply.json(201, node.set("permissions", Json.tree(grant.permissions())));
  }

  /** An answer that the primary rate limit does not count. */
  Reply uncounted(Request request, Scope scope, Body body) {
    return state.enter(now ->
        caller(request, now)
            .map(caller -> signed(caller, permitted(caller, scope, body, now)))
            .orElseGet(() -> Reply.rest(401, "Bad credentials")));
  }

  /** An answer that the primary rate limit counts. */
  Reply with(Request request, Scope scope, Body body) {
    return state.enter(now ->
        caller(request, now)
            .map(caller -> {
              int perHour = state.faults.plan().restPerHour();
              var reply =
                  limit.answer(
                      caller.name(), perHour, now, () -> permitted(caller, scope, body, now));
              return signed(caller, reply);
            })
            .orElseGet(() -> Reply.rest(401, "Bad credentials")));
  }

  private Optional<Caller> caller(Request request, Instant now) {
    var token = request.credential("Bearer").or(() -> request.credential("token"));
    var grant = token.flatMap(t -> installation.find(t, now));
    return grant
        .map(g -> new Caller("app " + g.app().issuer(), g, Set.of()))
        .or(() ->
            token
                .filter(state.options.tokens()::contains)
                .map(user -> new Caller("token", null, scopes)));
  }

  private Reply permitted(Caller caller, Scope scope, Body body, Instant now) {
    if (caller.grant() != null && scope.isEnterprise()) {
      return Reply.rest(403, NOT_GRANTED);
    }
    var owners = state.options.owners();
    return owners.isEmpty() || owners.stream().anyMatch(o -> o.equalsIgnoreCase(scope.owner()))
        ? body.reply(caller, now)
        : Reply.rest(404, "Not Found");
  }

  private static Reply signed(Caller caller, Reply reply) {
    return caller.grant() == null
        ? reply.withHeader("X-OAuth-Scopes", String.join(", ", new TreeSet<>(caller.scopes())))
        : reply;
  }
}
