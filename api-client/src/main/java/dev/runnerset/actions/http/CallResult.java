package dev.runnerset.actions.http;

import dev.runnerset.actions.ServiceException;
import java.util.Optional;

/**
 * An answer, and the token it must not repeat.
 *
 * @param secret what the request was authorised with
 */
record CallResult(Answer answer, String secret) {
  boolean is(int status) {
    return answer.status() == status;
  }

  /** The body as JSON of that form. */
  <T extends Object> T read(Class<T> type) {
    return Json.read(answer.body(), type)
        .orElseThrow(() -> malformed("an answer without the " + name(type)));
  }

  /** The one element, or empty when the count is 0 (protocol 3.1, protocol 3.2, protocol 3.9). */
  <T extends Object> Optional<T> atMostOne(Class<T> type) {
    var page =
        Json.readPage(answer.body(), type)
            .orElseThrow(() -> malformed("an answer without a list of " + name(type)));
    if (page.count() == 0) {
      return Optional.empty();
    }
    var elements = page.value();
    if (page.count() != 1
        || elements == null
        || elements.isEmpty()
        || elements.getFirst() == null) {
      throw malformed("not one " + name(type) + " but a count of " + page.count());
    }
    return Optional.of(elements.getFirst());
  }

  Failure failure() {
    return Failure.of(answer, secret);
  }

  /** Itself if the status is that one. */
  CallResult expect(int status) {
    if (!is(status)) {
      throw failure().exception();
    }
    return this;
  }

  /**
   * Whether the service itself says so, by the name of its exception: a status alone may be that of
   * a gateway before it, which knows nothing of the thing that was asked for.
   */
  boolean says(Fault fault) {
    return failure().fault() == fault;
  }

  ServiceException malformed(String message) {
    return answer.malformed(message);
  }

  private static String name(Class<?> type) {
    return type.getSimpleName();
  }

  @Override
  public String toString() {
    return answer.toString();
  }
}
