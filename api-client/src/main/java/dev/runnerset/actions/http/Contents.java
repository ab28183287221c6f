package dev.runnerset.actions.http;

import java.util.Optional;

/**
 * What answers hold that may be large: messages and lists. They are read as a stream, as soon as
 * all of the answer is there, so that nobody keeps a large text.
 */
final class Contents {
  /** One is wanted; of more, only that there are more. */
  private static final int ONE = 2;

  /** The list of offers, and the answer to at most 50 requests for them. */
  private static final int MOST_JOBS = 1_000;

  private Contents() {}

  /** Whether the answer to that call is a message or a list. */
  static boolean isRead(Endpoint endpoint) {
    return switch (endpoint) {
      case GET_MESSAGE,
          FIND_RUNNER_GROUP,
          FIND_SCALE_SET,
          FIND_RUNNER,
          LIST_RUNNERS,
          LIST_OFFERS,
          ACQUIRE_JOBS ->
          true;
      default -> false;
    };
  }

  /**
   * What the success of such a call holds: a {@link dev.runnerset.actions.PollResult.Message} or a
   * {@link Wire.Page}. Empty if the text is not of that form.
   */
  static Optional<?> read(Endpoint endpoint, String text) {
    return switch (endpoint) {
      case GET_MESSAGE -> Messages.read(text);
      case FIND_RUNNER_GROUP -> page(text, Wire.Group.class, ONE);
      case FIND_SCALE_SET -> page(text, Wire.ScaleSet.class, ONE);
      case FIND_RUNNER -> page(text, Wire.Runner.class, ONE);
      case ACQUIRE_JOBS -> page(text, Long.class, MOST_JOBS);
      case LIST_OFFERS ->
          Json.readPage(text, Wire.PageNames.OF_SERVICE, Messages::offer, MOST_JOBS);
      case LIST_RUNNERS ->
          Json.readPage(
              text,
              Wire.PageNames.OF_RUNNERS,
              parser -> Json.value(parser, Wire.Listed.class),
              GitHubApi.PAGE);
      default -> throw new IllegalArgumentException(endpoint.label());
    };
  }

  private static <T extends Object> Optional<Wire.Page<T>> page(
      String text, Class<T> type, int most) {
    return Json.readPage(text, Wire.PageNames.OF_SERVICE, parser -> Json.value(parser, type), most);
  }
}
