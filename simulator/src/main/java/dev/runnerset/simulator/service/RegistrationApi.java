package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The public REST API: registration tokens, the admin connection, the runner list (protocol 1.4).
 */
final class RegistrationApi {
  private static final Duration REGISTRATION_TOKEN = Duration.ofHours(1);
  private static final Duration INSTALLATION_TOKEN = Duration.ofHours(1);

  /** GitHub takes no JWT that lives longer (protocol 1.5). */
  private static final Duration APP_JWT = Duration.ofMinutes(10);

  private static final int MAX_PAGE = 100;
  private final ServiceState state;
  private final RunnerRegistry runners;
  private final Tokens<App> installation;
  private final Tokens<Scope> registration;
  private final Tokens<Scope> admin;

  RegistrationApi(ServiceState state, RunnerRegistry runners, Tokens<Scope> admin) {
    this.state = state;
    this.runners = runners;
    this.installation = new Tokens<>(state.ids);
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
      var expires = now.plus(INSTALLATION_TOKEN);
      return Reply.json(
          201,
          Json.object()
              .put("token", installation.issue(app.get(), now, expires))
              .put("expires_at", expires.toString())
              .put("repository_selection", "all"));
    });
  }

  /** The registration token. */
  Reply registrationToken(Request request) {
    var scope = scope(request);
    return refusal(request, scope)
        .orElseGet(() ->
            state.enter(now -> {
              var expires = now.plus(REGISTRATION_TOKEN);
              return Reply.json(
                  201,
                  Json.object()
                      .put("token", registration.issue(scope, now, expires))
                      .put("expires_at", expires.toString()));
            }));
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
    return refusal(request, scope)
        .orElseGet(() -> {
          int size = Math.clamp(number(request, "per_page", 30), 1, MAX_PAGE);
          int page = Math.max(1, number(request, "page", 1));
          var name = request.parameter("name");
          return state.enter(now -> {
            var all =
                new ArrayList<>(
                    runners.all().stream()
                        .filter(r -> r.set.scope.equals(scope))
                        .filter(r -> name.isEmpty() || name.get().equalsIgnoreCase(r.name))
                        .sorted(Comparator.comparingInt(r -> r.id))
                        .toList());
            var node = Json.object().put("total_count", all.size());
            var array = node.putArray("runners");
            all.stream().skip((page - 1L) * size).limit(size).forEach(r -> array.add(listed(r)));
            return Reply.json(200, node);
          });
        });
  }

  /** One runner of the list, by its id (protocol 3.16). */
  Reply listedRunner(Request request) {
    var scope = scope(request);
    int id = Numbers.parse(request.segments().getLast()).orElse(-1);
    return refusal(request, scope)
        .orElseGet(() ->
            state.enter(now ->
                runners
                    .byId(scope, id)
                    .map(runner -> Reply.json(200, listed(runner)))
                    .orElseGet(() -> Reply.rest(404, "Not Found"))));
  }

  /** Until when a version of the runner is served (protocol 3.16); GHES has no such call. */
  Reply deprecation(Request request) {
    var scope = scope(request);
    var version = request.segments().getLast();
    return refusal(request, scope)
        .orElseGet(() ->
            state.enter(now ->
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
                    .orElseGet(() -> Reply.rest(404, "Not Found"))));
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

  private Optional<Reply> refusal(Request request, Scope scope) {
    var token = request.credential("Bearer").or(() -> request.credential("token"));
    var ofApp = token.filter(t -> state.enter(now -> installation.find(t, now).isPresent()));
    if (ofApp.isEmpty() && token.filter(state.options.tokens()::contains).isEmpty()) {
      return Optional.of(Reply.rest(401, "Bad credentials"));
    }
    if (ofApp.isPresent() && scope.isEnterprise()) {
      return Optional.of(Reply.rest(403, "Resource not accessible by integration"));
    }
    var owners = state.options.owners();
    return owners.isEmpty() || owners.stream().anyMatch(o -> o.equalsIgnoreCase(scope.owner()))
        ? Optional.empty()
        : Optional.of(Reply.rest(404, "Not Found"));
  }

  private static int number(Request request, String name, int otherwise) {
    return request.parameter(name).flatMap(Numbers::parse).orElse(otherwise);
  }
}
