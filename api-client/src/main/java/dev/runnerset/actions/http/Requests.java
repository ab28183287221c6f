package dev.runnerset.actions.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.Request;
import okhttp3.RequestBody;
import org.jspecify.annotations.Nullable;

/** Requests with the headers of protocol 2.2. */
final class Requests {
  private static final String JSON = "application/json";

  private final String userAgent;

  Requests(UserAgent userAgent) {
    this.userAgent = userAgent.header();
  }

  /** A call with the admin token. */
  Request admin(String method, HttpUrl url, String token, @Nullable JsonNode body) {
    return common(url, "Bearer " + token)
        .header("Content-Type", JSON)
        .method(method, bytes(method, body))
        .build();
  }

  /** A call of the REST API (protocol 1.4). */
  Request rest(HttpUrl url, String authorization, String contentType, @Nullable JsonNode body) {
    return common(url, authorization)
        .header("Content-Type", contentType)
        .method("POST", bytes("POST", body))
        .build();
  }

  /** A reading of the REST API (protocol 3.15). */
  Request restGet(HttpUrl url, String bearer) {
    return common(url, "Bearer " + bearer).header("Accept", "application/vnd.github+json").build();
  }

  /** A long poll. */
  Request poll(HttpUrl url, String token, int capacity) {
    return common(url, "Bearer " + token)
        .header("Accept", JSON + "; api-version=" + ServiceUrls.API_VERSION)
        .header("X-ScaleSetMaxCapacity", Integer.toString(capacity))
        .build();
  }

  /** The acknowledgement of a message. */
  Request deleteMessage(HttpUrl url, String token) {
    return common(url, "Bearer " + token)
        .header("Content-Type", JSON)
        .method("DELETE", null)
        .build();
  }

  private Request.Builder common(HttpUrl url, String authorization) {
    return new Request.Builder()
        .url(url)
        .headers(
            new Headers.Builder()
                .add("User-Agent", userAgent)
                .add("Authorization", authorization)
                .build());
  }

  /** Without a media type of its own: the exact media type is in our header. */
  private static @Nullable RequestBody bytes(String method, @Nullable JsonNode body) {
    if (body != null) {
      return RequestBody.create(Json.text(body).getBytes(StandardCharsets.UTF_8));
    }
    return method.equals("POST") || method.equals("PATCH") ? RequestBody.create(new byte[0]) : null;
  }
}
