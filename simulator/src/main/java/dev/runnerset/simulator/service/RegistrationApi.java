package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The public REST API: registration tokens, the admin connection, the runner list (protocol 1.4).
 */
final class RegistrationApi {
  private static final Duration REGISTRATION_TOKEN = Duration.ofHours(1);
  private static final Duration INSTALLATION_TOKEN = Duration.ofHours(1);

  /** GitHub takes no JWT that lives longer (protocol 1.5). */
  private static final Duration APP_JWT = Duration.ofMinutes(10);

  private final ServiceState state;
  private final RestAccess access;
  private final RunnerRegistry runners;
  private final Tokens<Scope> registration;
  private final Tokens<Scope> admin;

  RegistrationApi(
      ServiceState state, RestAccess access, RunnerRegistry runners, Tokens<Scope> admin) {
    this.state = state;
    this.access = access;
    this.runners = runners;
    this.registration = new Tokens<>(state.ids);
    this.admin = admin;
  }

  /** The installation token of a GitHub App. */
  Reply installationToken(Request request) {
    var jwt = request.credential("Bearer").orElse("");
    var claims = Jwt.claims(jwt);
    var wanted = Numbers.parseLong(request.segments().get(4)).orElse(0L);
    var app =
        state.options.apps().stream()
            .filter(a -> a.issuer().equals(claims.path("iss").asText()))
            .findFirst();
    if (app.isEmpty() || !Jwt.isSigned(jwt, app.get().key())) {
      return Reply.rest(401, "A JSON web token could not be decoded");
    }
    return state.enter(now -> {
      var ends = Instant.ofEpochSecond(claims.path("exp").asLong());
      if (!ends.isAfter(now) || ends.isAfter(now.plus(APP_JWT))) {
        return Reply.rest(401, "'Expiration time' claim ('exp') must be within 10 minutes");
      }
      if (app.get().installation() != wanted) {
        return Reply.rest(404, "Not Found");
      }
      return access.issue(app.get(), now, now.plus(INSTALLATION_TOKEN));
    });
  }

  /** The registration token; these have a rate limit of their own. */
  Reply registrationToken(Request request) {
    var scope = scope(request);
    return access.uncounted(
        request,
        scope,
        (caller, now) -> {
          var expires = now.plus(REGISTRATION_TOKEN);
          return Reply.json(
              201,
              Json.object()
                  .put("token", registration.issue(scope, now, expires))
                  .put("expires_at", expires.toString()));
        });
  }

  /** The runner registration. */
  Reply adminConnection(Request request) {
    var wanted = Scope.ofConfigUrl(Json.field(request.json(), "url").asText());
    return state.enter(now -> {
      var scope = request.credential("RemoteAuth").flatMap(t -> registration.find(t, now));
      if (scope.isEmpty()) {
        return Reply.rest(401, "Bad credentials");
      }
      if (wanted.isEmpty() || !wanted.get().equals(scope.get())) {
        return Reply.rest(404, "Not Found");
      }
      var expires = now.plus(state.options.timings().adminToken());
      return Reply.json(
          200,
          Json.object()
              .put("url", state.flavour().base(state.front()))
              .put("token", admin.issue(scope.get(), now, expires))
              .put("token_schema", "OAuthAccessToken")
              .put("use_v2_flow", true));
    });
  }

  /** The runners of an organisation, repository or enterprise, by id, in pages. */
  Reply list(Request request) {
    var scope = scope(request);
    var name = request.parameter("name");
    return access.with(
        request,
        scope,
        (caller, now) -> {
          var all =
              runners.all().stream()
                  .filter(r -> r.set.scope.equals(scope))
                  .filter(r -> name.isEmpty() || name.get().equalsIgnoreCase(r.name))
                  .sorted(Comparator.comparingInt(r -> r.id))
                  .toList();
          var node = Json.object().put("total_count", all.size());
          var array = node.putArray("runners");
          Paging.of(request).of(all).forEach(r -> array.add(listed(r)));
          return Reply.json(200, node);
        });
  }

  /** One runner of the list, by its id (protocol 3.16). */
  Reply listedRunner(Request request) {
    var scope = scope(request);
    int id = Numbers.parse(request.segments().getLast()).orElse(-1);
    return access.with(
        request,
        scope,
        (caller, now) ->
            runners
                .byId(scope, id)
                .map(runner -> Reply.json(200, listed(runner)))
                .orElseGet(() -> Reply.rest(404, "Not Found")));
  }

  /** Ends a registration of any client if its runner has no job (protocol 3.19). */
  Reply deleteListedRunner(Request request) {
    var scope = scope(request);
    int id = Numbers.parse(request.segments().getLast()).orElse(-1);
    return access.with(
        request,
        scope,
        (caller, now) ->
            caller.mayRemoveRunners(scope)
                ? runners
                    .byId(scope, id)
                    .map(this::deleted)
                    .orElseGet(() -> Reply.rest(404, "Not Found"))
                : Reply.rest(403, RestAccess.NOT_GRANTED));
  }

  private Reply deleted(Runner runner) {
    if (runner.isBusy()) {
      return Reply.rest(422, "Bad request - Runner \"" + runner.name + "\" is still running a job");
    }
    runners.remove(runner);
    return Reply.empty(204);
  }

  /** Until when a version of the runner is served (protocol 3.16); GHES has no such call. */
  Reply deprecation(Request request) {
    var version = request.segments().getLast();
    return access.with(
        request,
        scope(request),
        (caller, now) ->
            state
                .versions
                .of(version)
                .filter(dates -> state.flavour() == Flavour.BROKER)
                .map(dates ->
                    Reply.json(
                        200,
                        Json.object()
                            .put("runner_version", version)
                            .put("runtime_deprecates_at", text(dates.jobs()))
                            .put("registration_deprecates_at", text(dates.registration()))))
                .orElseGet(() -> Reply.rest(404, "Not Found")));
  }

  private static @Nullable String text(@Nullable Instant time) {
    return time == null ? null : time.toString();
  }

  private static ObjectNode listed(Runner runner) {
    var node =
        Json.object()
            .put("id", runner.id)
            .put("name", runner.name)
            .put("os", "linux")
            .put("status", runner.isOnline() ? "online" : "offline")
            .put("busy", runner.isBusy())
            .put("version", runner.version)
            .put("ephemeral", true)
            .put("runner_group_id", runner.set.groupId);
    var labels = node.putArray("labels");
    runner.set.labelList().forEach(l -> labels.addObject().put("name", l).put("type", "custom"));
    return node;
  }

  /**
   * {@code /api/v3/orgs/{org}/...}, {@code .../repos/{owner}/{repo}/...}, {@code
   * .../enterprises/{e}/...}.
   */
  private static Scope scope(Request request) {
    var s = request.segments();
    return new Scope(
        switch (s.get(2)) {
          case "repos" -> s.get(3) + "/" + s.get(4);
          case "enterprises" -> "enterprises/" + s.get(3);
          default -> s.get(3);
        });
  }
}
