package dev.runnerset.actions.http;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/** The service's URLs, percent-encoded (protocol 2.1). */
final class ServiceUrls {
  static final String API_VERSION = "6.0-preview";

  /** In characters: those of the service have some 300, and a session keeps its own in parts. */
  private static final int LONGEST = 2_000;

  private ServiceUrls() {}

  /** A URL that the service names, or null if it is none that can be asked. */
  static @Nullable HttpUrl parse(String text) {
    return text.length() > LONGEST ? null : HttpUrl.parse(text);
  }

  /** An endpoint below the service base, whose own query stays; the API's version if not given. */
  static HttpUrl endpoint(HttpUrl base, String path, Map<String, String> query) {
    var all = new TreeMap<String, String>(query);
    if (base.queryParameter("api-version") == null) {
      all.putIfAbsent("api-version", API_VERSION);
    }
    return merged(base.newBuilder().addPathSegments(path).fragment(null).build(), all);
  }

  /** The message queue, from a message on (protocol 3.11). */
  static HttpUrl messages(HttpUrl queue, long lastMessageId) {
    return lastMessageId > 0
        ? merged(queue, Map.of("lastMessageId", Long.toString(lastMessageId)))
        : queue;
  }

  /** One message of the queue. */
  static HttpUrl message(HttpUrl queue, long messageId) {
    return queue.newBuilder().addPathSegment(Long.toString(messageId)).build();
  }

  /** The URL with the parameters put in, sorted by name; the given ones replace its own. */
  private static HttpUrl merged(HttpUrl url, Map<String, String> query) {
    var all = new TreeMap<String, List<@Nullable String>>();
    url.queryParameterNames().forEach(name -> all.put(name, url.queryParameterValues(name)));
    query.forEach((name, value) -> all.put(name, List.of(value)));
    var builder = url.newBuilder().query(null);
    all.forEach((name, values) -> values.forEach(value -> builder.addQueryParameter(name, value)));
    return builder.build();
  }
}
