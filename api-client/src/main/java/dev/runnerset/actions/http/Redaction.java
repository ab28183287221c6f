package dev.runnerset.actions.http;

import dev.runnerset.base.ShortText;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;
import okhttp3.Request;
import org.jspecify.annotations.Nullable;

/** Takes what is secret out of texts that people will read. */
final class Redaction {
  /** Longest text in an error, with the words of a library. */
  private static final int LONGEST = 500;

  /** Longest text of an answer. */
  private static final int LONGEST_QUOTE = 200;

  private static final String HIDDEN = "[hidden]";

  /** JWTs, GitHub's tokens, and whatever follows the name of an authorisation scheme. */
  private static final Pattern SECRETS =
      Pattern.compile(
          "eyJ[A-Za-z0-9_-]{5,}(\\.[A-Za-z0-9_-]*){0,2}"
              + "|gh[a-z]_[A-Za-z0-9]{10,}|github_pat_[A-Za-z0-9_]{10,}"
              + "|(?<=\\b(?i:bearer|remoteauth|basic) )\\S+");

  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\s]+");

  private Redaction() {}

  /** Method and URL without query, as {@code GET https://host/path}. */
  static String request(Request request) {
    return request.method() + " " + url(request.url());
  }

  private static HttpUrl url(HttpUrl url) {
    return url.newBuilder().username("").password("").query(null).fragment(null).build();
  }

  /** One line of at most 500 characters, without what the request was authorised with. */
  static String text(@Nullable String foreign, Request request) {
    return text(foreign, token(request), LONGEST);
  }

  /** One line of at most 200 characters, without the secret; an empty secret hides nothing. */
  static String text(@Nullable String foreign, String secret) {
    return text(foreign, secret, LONGEST_QUOTE);
  }

  private static String text(@Nullable String foreign, String secret, int longest) {
    if (foreign == null) {
      return "";
    }
    var known = secret.isEmpty() ? foreign : foreign.replace(secret, HIDDEN);
    var line = CONTROL.matcher(SECRETS.matcher(known).replaceAll(HIDDEN)).replaceAll(" ").strip();
    return ShortText.of(line, longest);
  }

  /** What stands behind the scheme of the Authorization header. */
  static String token(Request request) {
    var header = request.header("Authorization");
    return header == null ? "" : header.substring(header.indexOf(' ') + 1);
  }
}
