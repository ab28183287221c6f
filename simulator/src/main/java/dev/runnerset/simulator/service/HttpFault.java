package dev.runnerset.simulator.service;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Answers that go wrong at one endpoint.
 *
 * @param endpoint a name of {@link Endpoint}, or {@code *}
 * @param status what is answered instead
 * @param times how many requests are hit; -1 for all
 * @param share share of requests hit, 0 to 1
 * @param body what the answer carries
 * @param typeName of {@link Body#EXCEPTION} and {@link Body#NESTED}
 * @param retryAfter the Retry-After header; null for none
 * @param afterEffect the request is carried out first, then its reply is lost
 * @param dropped the connection is closed instead of an answer
 * @param bytes how long a hostile body is, before it is packed
 */
@WithWithers
public record HttpFault(
    String endpoint,
    int status,
    int times,
    double share,
    Body body,
    String typeName,
    @Nullable Duration retryAfter,
    boolean afterEffect,
    boolean dropped,
    int bytes)
    implements HttpFaultBuilder.With {

  private static final String SECONDARY =
      "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
  private static final String SAML =
      "Resource protected by organization SAML enforcement. You must grant your token access to this"
          + " organization.";
  private static final String ADDRESS =
      "Although you appear to have the correct authorization credentials, the organization has an IP"
          + " allow list enabled, and your IP address is not permitted to access this resource.";
  private static final int HOSTILE_BYTES = 4 << 20;

  /** Shapes of error bodies (protocol 2.4). */
  public enum Body {
    EMPTY,
    TEXT,
    MESSAGE,
    EXCEPTION,
    NESTED,
    NO_CONTENT_TYPE,
    /** JSON of a gateway before the service, which knows neither its types nor its things. */
    GATEWAY,
    /**
     * Of the REST API: the primary rate limit, which is over after {@code retryAfter}, or an hour.
     */
    PRIMARY_LIMIT,
    /** Of the REST API: the secondary rate limit, with {@code Retry-After}, or a minute. */
    SECONDARY_LIMIT,
    /** Of the REST API: a refusal of this user that is no rate limit. */
    SAML,
    /** The same, of this address. */
    IP_ALLOW_LIST,
    /** No JSON at all, though the header says so. */
    GARBAGE,
    /** A body that begins and never ends. */
    ENDLESS,
    /** Hostile: a message or a list of as many empty objects as its bytes hold. */
    FLOOD,
    /** Hostile: lists in lists. */
    DEEP,
    /** Hostile: one text. */
    LONG_TEXT,
    /** Hostile: one number. */
    LONG_NUMBER,
    /** Hostile: as {@link #FLOOD}, packed by gzip. */
    BOMB,
    /** None: the connection stands until the client gives up, or other faults come. */
    NEVER
  }

  public HttpFault {
    if (share < 0 || share > 1) {
      throw new IllegalArgumentException("share " + share + " is not in 0..1");
    }
    if (!dropped && (status < 200 || status > 599)) {
      throw new IllegalArgumentException("status " + status + " is not in 200..599");
    }
    if (!endpoint.equals("*") && !Endpoint.exists(endpoint)) {
      throw new IllegalArgumentException("no endpoint is called " + endpoint);
    }
  }

  /** The next {@code times} requests are refused without effect. */
  public static HttpFault answer(String endpoint, int status, int times) {
    return new HttpFault(
        endpoint, status, times, 1, Body.MESSAGE, "", null, false, false, HOSTILE_BYTES);
  }

  /** The next {@code times} requests take effect, but the connection closes without an answer. */
  public static HttpFault lostReply(String endpoint, int times) {
    return new HttpFault(endpoint, 0, times, 1, Body.EMPTY, "", null, true, true, HOSTILE_BYTES);
  }

  /** All requests succeed, with a body that is meant to fill the memory of its reader. */
  public static HttpFault hostile(String endpoint, Body body, int bytes) {
    return answer(endpoint, 200, -1).withBody(body).withBytes(bytes);
  }

  /** All requests are refused by a gateway before the service, in JSON of its own. */
  public static HttpFault gateway(String endpoint, int status) {
    return answer(endpoint, status, -1).withBody(Body.GATEWAY);
  }

  /** No request is answered; each one stands until the client gives up, or other faults come. */
  public static HttpFault hang(String endpoint) {
    return answer(endpoint, 504, -1).withBody(Body.NEVER);
  }

  public HttpFault withException(String value) {
    return withBody(Body.EXCEPTION).withTypeName(value);
  }

  HttpFault once() {
    return times < 0 ? this : withTimes(times - 1);
  }

  /** What is answered; {@code now} counts for the end of a rate limit. */
  Reply reply(Instant now) {
    if (dropped) {
      return Reply.DROPPED;
    }
    var text = "fault " + status;
    var reply =
        switch (body) {
          case EMPTY, NEVER -> Reply.empty(status);
          case GATEWAY -> gatewayReply();
          case PRIMARY_LIMIT -> RestLimit.planned(status, now.plus(orElse(Duration.ofHours(1))));
          case SECONDARY_LIMIT ->
              Reply.rest(status, SECONDARY)
                  .withHeader("Retry-After", seconds(orElse(Duration.ofMinutes(1))));
          case SAML -> Reply.rest(status, SAML).withHeader("X-GitHub-SSO", "required");
          case IP_ALLOW_LIST -> Reply.rest(status, ADDRESS);
          case GARBAGE -> Reply.garbage(status);
          case ENDLESS -> Reply.endless(status);
          case FLOOD, DEEP, LONG_TEXT, LONG_NUMBER, BOMB -> HostileBody.reply(status, body, bytes);
          case TEXT -> Reply.text(status, text);
          case MESSAGE -> Reply.rest(status, text);
          case EXCEPTION -> Reply.fault(status, typeName, text);
          case NESTED -> nested(text);
          case NO_CONTENT_TYPE -> Reply.fault(status, typeName, text).withoutContentType();
        };
    return retryAfter == null || body == Body.PRIMARY_LIMIT
        ? reply
        : reply.withHeader("Retry-After", seconds(retryAfter));
  }

  private Duration orElse(Duration usual) {
    return retryAfter == null ? usual : retryAfter;
  }

  private static String seconds(Duration time) {
    return Long.toString(time.toSeconds());
  }

  private Reply gatewayReply() {
    var error = Json.object().put("code", status).put("message", "no healthy upstream");
    return Reply.json(status, Json.object().set("error", error));
  }

  private Reply nested(String text) {
    var inner = Json.object().put("message", text).put("typeName", typeName);
    return Reply.json(
        status,
        Json.object()
            .put("error", "Bad Request")
            .put("details", "failed: \"" + Json.text(inner).replace("\"", "\\\"") + "\""));
  }
}
