package dev.runnerset.actions.http;

import java.nio.charset.StandardCharsets;
import okhttp3.HttpUrl;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.jspecify.annotations.Nullable;

/** Requests with the headers of protocol 2.2. */
final class Requests {
  private final String userAgent;

  Requests(UserAgent userAgent) {
    this.userAgent = userAgent.header();
  }

  /**
   * A request of that endpoint.
   *
   * @param authorization the scheme and what is secret
   */
  Request of(Endpoint endpoint, HttpUrl url, String authorization, @Nullable Object body) {
    var builder =
        new Request.Builder()
            .url(url)
            .header("User-Agent", userAgent)
            .header("Authorization", authorization)
            .method(endpoint.method, bytes(endpoint, body));
    return (switch (endpoint) {
          case GET_MESSAGE ->
              builder.header("Accept", "application/json; api-version=" + ServiceUrls.API_VERSION);
          case LIST_RUNNERS, LISTED_RUNNER, RUN, RUN_JOBS, RERUN_FAILED_JOBS, RERUN_JOB ->
              builder.header("Accept", "application/vnd.github+json");
          case VERSION_DATES -> // the first version of the API that has it
              builder
                  .header("Accept", "application/vnd.github+json")
                  .header("X-GitHub-Api-Version", "2026-03-10");
          case INSTALLATION_TOKEN -> builder.header("Content-Type", "application/vnd.github+json");
          case REGISTRATION_TOKEN ->
              builder.header("Content-Type", "application/vnd.github.v3+json");
          default -> builder.header("Content-Type", "application/json");
        })
        .build();
  }

  /** Without a media type of its own: the exact media type is in our header. */
  private static @Nullable RequestBody bytes(Endpoint endpoint, @Nullable Object body) {
    if (body != null) {
      return RequestBody.create(Json.text(body).getBytes(StandardCharsets.UTF_8));
    }
    var needed = endpoint.method.equals("POST") || endpoint.method.equals("PATCH");
    return needed ? RequestBody.create(new byte[0]) : null;
  }
}
