package dev.runnerset.cli.ui;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Which requests the page's server answers. The first URL has a token that works once and is
 * exchanged for a cookie; each other request needs that cookie. Other pages in the same browser,
 * names of other hosts that lead here, and other people on the machine get nothing. Thread-safe.
 */
public final class Gate {
  /** The path of the first URL; the token is what follows. */
  public static final String ENTRY = "/open/";

  /** The header of a POST request that no other page can set. */
  public static final String FORGERY_HEADER = "X-Runnerset-Forgery";

  private static final String AGAIN =
      "This address is not valid any more: start 'kubectl runnerset ui' again, and open the address"
          + " that it prints.";
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  private final int port;
  private final Keys keys;
  private final boolean isActing;
  private final AtomicBoolean isTokenUsed = new AtomicBoolean();

  /**
   * What a visitor must know; all are random.
   *
   * @param token in the first URL; works once
   * @param session in the cookie
   * @param forgery in a header of requests that change something
   */
  public record Keys(String token, String session, String forgery) {}

  /**
   * A request, as far as it matters here; a header that is missing is empty.
   *
   * @param site the header {@code Sec-Fetch-Site}
   */
  public record Request(
      String method,
      String path,
      String host,
      String origin,
      String cookies,
      String site,
      String forgery) {}

  /** What becomes of a request. */
  public sealed interface Answer {
    /** It is answered. */
    record Pass() implements Answer {}

    /** The visitor gets the cookie, and then the page. */
    record Enter(String cookie) implements Answer {}

    /** It is refused with that HTTP status, and one sentence. */
    record Refuse(int status, String sentence) implements Answer {}
  }

  /**
   * The gate of a server.
   *
   * @param isActing whether requests may change something
   */
  public Gate(int port, Keys keys, boolean isActing) {
    this.port = port;
    this.keys = keys;
    this.isActing = isActing;
  }

  /** The URL for the first visit; the first visitor sees the page, and nobody else. */
  public String entryUrl() {
    return "http://127.0.0.1:" + port + ENTRY + keys.token();
  }

  /** Decides about a request. */
  public Answer check(Request request) {
    return refusal(request).map(Answer.class::cast).orElseGet(() -> admit(request));
  }

  private Optional<Answer.Refuse> refusal(Request request) {
    if (!isOurs(request.host())) {
      return refuse(421, "This server answers to 127.0.0.1 and localhost only.");
    }
    if (!request.origin().isEmpty() && !isOurOrigin(request.origin())) {
      return refuse(403, "Another page may not ask this server.");
    }
    return switch (request.method()) {
      case "GET" -> Optional.empty();
      case "POST" -> refusalOfPost(request);
      default -> refuse(405, "This server knows GET and POST only.");
    };
  }

  private Optional<Answer.Refuse> refusalOfPost(Request request) {
    if (!isActing) {
      return refuse(
          405, "This page only shows: start it with --allow-actions to change something.");
    }
    return request.origin().isEmpty() || !same(request.forgery(), keys.forgery())
        ? refuse(403, "The request does not come from the page: load it again.")
        : Optional.empty();
  }

  private Answer admit(Request request) {
    boolean isKnown = hasCookie(request.cookies());
    if (request.path().startsWith(ENTRY)) {
      return isKnown || isTokenTakenBy(request)
          ? new Answer.Enter(cookie())
          : new Answer.Refuse(403, AGAIN);
    }
    if (!isKnown) {
      return new Answer.Refuse(403, AGAIN);
    }
    return request.site().isEmpty() || OWN_SITES.contains(request.site())
        ? new Answer.Pass()
        : new Answer.Refuse(403, "Another page may not ask this server.");
  }

  private boolean isTokenTakenBy(Request request) {
    return request.method().equals("GET")
        && same(request.path().substring(ENTRY.length()), keys.token())
        && isTokenUsed.compareAndSet(false, true);
  }

  /** Its name has the port, since browsers send the cookies of all ports of a host. */
  private String cookieName() {
    return "runnerset-ui-" + port;
  }

  private String cookie() {
    return cookieName() + "=" + keys.session() + "; Path=/; HttpOnly; SameSite=Strict";
  }

  private boolean hasCookie(String cookies) {
    var start = cookieName() + "=";
    return Arrays.stream(cookies.split(";"))
        .map(String::strip)
        .filter(each -> each.startsWith(start))
        .anyMatch(each -> same(each.substring(start.length()), keys.session()));
  }

  private boolean isOurs(String host) {
    return host.equals("127.0.0.1:" + port) || host.equals("localhost:" + port);
  }

  private boolean isOurOrigin(String origin) {
    return origin.startsWith("http://") && isOurs(origin.substring("http://".length()));
  }

  /** In a time that does not depend on where they differ. */
  private static boolean same(String given, String wanted) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), wanted.getBytes(StandardCharsets.UTF_8));
  }

  private static Optional<Answer.Refuse> refuse(int status, String sentence) {
    return Optional.of(new Answer.Refuse(status, sentence));
  }
}
