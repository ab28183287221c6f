package dev.runnerset.actions.http;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.RunnerList;
import dev.runnerset.actions.RunnerVersion;
import dev.runnerset.actions.VersionDates;
import dev.runnerset.base.ShortText;
import java.util.ArrayList;
import java.util.Optional;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * Calls GitHub's REST API: it registers this connection (protocol 1.4), and lists runners (protocol
 * 3.15).
 */
record GitHubApi(ConfigUrl url, Exchanges exchanges, Requests requests) implements RegistrationApi {
  static final int PAGE = 100; // the largest that GitHub gives

  @Override
  public InstallationToken installationToken(long installationId, String appJwt) {
    var target = at(Endpoint.INSTALLATION_TOKEN.path(installationId));
    var answer = send(Endpoint.INSTALLATION_TOKEN, target, "Bearer " + appJwt).success();
    var read = Json.read(answer.body(), Wire.Installation.class).orElse(null);
    var token = usable(answer, read == null ? null : read.token());
    var permissions = read == null ? null : read.permissions();
    if (permissions != null) {
      exchanges.rights().ofApp(Wire.Scalar.text(permissions.actions()));
    }
    var expiry = read == null ? null : Wire.Scalar.time(read.expiresAt());
    return new InstallationToken(token, expiry);
  }

  @Override
  public String registrationToken(String bearer) {
    var target = below(url.scopePath(), Endpoint.REGISTRATION_TOKEN.path());
    return token(send(Endpoint.REGISTRATION_TOKEN, target, "Bearer " + bearer));
  }

  @Override
  public AdminConnection register(String registrationToken) {
    var request =
        requests.of(
            Endpoint.RUNNER_REGISTRATION,
            at(Endpoint.RUNNER_REGISTRATION.path()),
            "RemoteAuth " + registrationToken,
            new Wire.Register(url.uri().toString(), "register"));
    var answer = exchanges.send(Endpoint.RUNNER_REGISTRATION, request);
    var registration = answer.read(Wire.Registration.class);
    var base = ServiceUrls.parse(Fields.orEmpty(registration.url()));
    if (base == null) {
      throw answer.malformed("a registration without the service's URL");
    }
    exchanges.requireAllowed(base, request);
    var token = Fields.orEmpty(registration.token());
    var expiry =
        AdminTokens.expiry(token)
            .orElseThrow(() -> answer.malformed("a registration without a JWT that expires"));
    return new AdminConnection(base.uri(), token, expiry); // the library quotes what a URI refuses
  }

  /** Lists the registered runners of the URL, from the first pages only (protocol 3.15). */
  RunnerList runners(String bearer, int mostPages) {
    var found = new ArrayList<RunnerList.Listed>();
    for (int number = 1; ; number++) {
      var target =
          below(url.scopePath(), Endpoint.LIST_RUNNERS.path())
              .newBuilder()
              .addQueryParameter("per_page", Integer.toString(PAGE))
              .addQueryParameter("page", Integer.toString(number))
              .build();
      var answer = send(Endpoint.LIST_RUNNERS, target, "Bearer " + bearer);
      var page = answer.page(Wire.Listed.class);
      var runners = page.value();
      if (runners == null) {
        throw answer.malformed("an answer without a list of runners");
      }
      for (var each : runners) {
        // who does not say so may be busy
        var busy = each.busy() == null || each.busy();
        var name = ShortText.of(Fields.orEmpty(each.name()), Messages.LONGEST_TEXT);
        found.add(new RunnerList.Listed(new RunnerId(each.id()), name, busy));
      }
      if (runners.size() < PAGE || found.size() >= page.count() || number >= mostPages) {
        return new RunnerList(found, Math.max(page.count(), found.size()));
      }
    }
  }

  /** The version of one runner; empty if there is no such runner or version (protocol 3.16). */
  Optional<RunnerVersion> version(String bearer, RunnerId id) {
    return about(Endpoint.LISTED_RUNNER, bearer, id)
        .map(answer -> answer.read(Wire.ListedRunner.class).version())
        .flatMap(version -> RunnerVersion.parse(version.asText()));
  }

  /** The dates of a version; empty if it was never released (protocol 3.16). */
  Optional<VersionDates> dates(String bearer, RunnerVersion version) {
    return about(Endpoint.VERSION_DATES, bearer, version)
        .map(answer -> answer.read(Wire.Dates.class).toDates());
  }

  private Optional<Answer> about(Endpoint endpoint, String bearer, Object what) {
    var target = below(url.scopePath(), endpoint.path(what));
    return send(endpoint, target, "Bearer " + bearer).unlessGone();
  }

  /**
   * One call of a user of the API.
   *
   * @param etag of the last answer, which is not sent again; null for any answer
   */
  Answer send(Endpoint endpoint, HttpUrl target, String bearer, @Nullable String etag) {
    var request = requests.of(endpoint, target, "Bearer " + bearer, null);
    return exchanges.send(
        endpoint,
        etag == null ? request : request.newBuilder().header("If-None-Match", etag).build());
  }

  private Answer send(Endpoint endpoint, HttpUrl target, String authorization) {
    return exchanges.send(endpoint, requests.of(endpoint, target, authorization, null));
  }

  private static String token(Answer answer) {
    answer.success();
    return usable(
        answer, Json.read(answer.body(), Wire.Token.class).map(Wire.Token::token).orElse(null));
  }

  private static String usable(Answer answer, @Nullable String token) {
    if (token == null || !AdminTokens.isUsable(token)) {
      throw answer.malformed("an answer without a token");
    }
    return token;
  }

  /** Where a call is made that is below no scope. */
  HttpUrl at(String path) {
    return below("", path);
  }

  private HttpUrl below(String scope, String path) {
    return HttpUrl.get(url.apiBase())
        .newBuilder()
        .addPathSegments(scope.isEmpty() ? path : scope.substring(1) + "/" + path)
        .build();
  }
}
