package dev.runnerset.actions.http;

import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.auth.AdminConnection;
import dev.runnerset.actions.auth.RegistrationApi;
import java.util.List;
import okhttp3.HttpUrl;
import okhttp3.Request;

/** The REST calls over HTTP (protocol 1.4). */
final class HttpRegistrationApi implements RegistrationApi {
  private final ConfigUrl url;
  private final Exchanges exchanges;
  private final Requests requests;

  HttpRegistrationApi(ConfigUrl url, Exchanges exchanges, Requests requests) {
    this.url = url;
    this.exchanges = exchanges;
    this.requests = requests;
  }

  @Override
  public String installationToken(long installationId, String appJwt) {
    var path = List.of("app", "installations", Long.toString(installationId), "access_tokens");
    var request =
        requests.rest(below(path), "Bearer " + appJwt, "application/vnd.github+json", null);
    return token(created(Endpoint.INSTALLATION_TOKEN, request));
  }

  @Override
  public String registrationToken(String bearer) {
    var path =
        switch (url.scope()) {
          case ConfigUrl.Scope.Enterprise(var slug) -> List.of("enterprises", slug);
          case ConfigUrl.Scope.Organization(var name) -> List.of("orgs", name);
          case ConfigUrl.Scope.Repository(var owner, var name) -> List.of("repos", owner, name);
        };
    var target =
        below(path).newBuilder().addPathSegments("actions/runners/registration-token").build();
    var request = requests.rest(target, "Bearer " + bearer, "application/vnd.github.v3+json", null);
    return token(created(Endpoint.REGISTRATION_TOKEN, request));
  }

  @Override
  public AdminConnection register(String registrationToken) {
    var body = Json.object().put("url", url.uri().toString()).put("runner_event", "register");
    var request =
        requests.rest(
            below(List.of("actions", "runner-registration")),
            "RemoteAuth " + registrationToken,
            "application/json",
            body);
    var answer = exchanges.send(Exchange.of(Endpoint.RUNNER_REGISTRATION, request));
    if (answer.status() < 200 || answer.status() > 299) {
      throw Failure.of(answer, registrationToken).exception();
    }
    var registration =
        Json.read(answer.body(), Wire.Registration.class)
            .orElseThrow(() -> answer.malformed("not a registration"));
    var base = HttpUrl.parse(Wire.text(registration.url()));
    if (base == null) {
      throw answer.malformed("a registration without the service's URL");
    }
    exchanges.requireAllowed(base, request);
    var token = Wire.text(registration.token());
    var expiry =
        AdminTokens.expiry(token)
            .orElseThrow(() -> answer.malformed("a registration without a JWT that expires"));
    return new AdminConnection(base.uri(), token, expiry); // the library quotes what a URI refuses
  }

  private Answer created(Endpoint endpoint, Request request) {
    var answer = exchanges.send(Exchange.of(endpoint, request));
    if (answer.status() != 201) {
      throw Failure.of(answer, Redaction.token(request)).exception();
    }
    return answer;
  }

  private static String token(Answer answer) {
    var token = Json.read(answer.body(), Wire.Token.class).map(Wire.Token::token).orElse("");
    if (!AdminTokens.isPrintable(token)) {
      throw answer.malformed("an answer without a token");
    }
    return token;
  }

  private HttpUrl below(List<String> segments) {
    var builder = HttpUrl.get(url.apiBase()).newBuilder();
    segments.forEach(builder::addPathSegment);
    return builder.build();
  }
}
