package dev.runnerset.actions.http;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * What answers hold that may be large: messages, lists and runs. They are read as a stream, as soon
 * as all of the answer is there, so that nobody keeps a large text.
 */
final class Contents {
  /** The list of offers, and the answer to at most 50 requests for them. */
  private static final int MOST_JOBS = 1_000;

  private static final Map<Endpoint, Function<String, Optional<?>>> READERS =
      Map.of(
          Endpoint.GET_MESSAGE, Messages::read,
          Endpoint.FIND_RUNNER_GROUP, first(Wire.Group.class),
          Endpoint.FIND_SCALE_SET, first(Wire.ScaleSet.class),
          Endpoint.FIND_RUNNER, first(Wire.Runner.class),
          Endpoint.ACQUIRE_JOBS, page(parser -> Json.value(parser, Long.class), MOST_JOBS),
          Endpoint.LIST_OFFERS, page(Messages::offer, MOST_JOBS),
          Endpoint.RUN, text -> Json.read(text, Wire.Run.class),
          Endpoint.RUN_JOBS,
              text ->
                  Json.readPage(
                      text,
                      Wire.PageNames.OF_JOBS,
                      parser -> Json.value(parser, Wire.Job.class),
                      WorkflowRuns.PAGE),
          Endpoint.LIST_RUNNERS,
              text ->
                  Json.readPage(
                      text,
                      Wire.PageNames.OF_RUNNERS,
                      parser -> Json.value(parser, Wire.Listed.class),
                      GitHubApi.PAGE));

  private Contents() {}

  /** Whether an answer of that status is a message, a list or a run. */
  static boolean isRead(Endpoint endpoint, int status) {
    return status == endpoint.success && READERS.containsKey(endpoint);
  }

  /**
   * What the success of such a call holds: a {@link dev.runnerset.actions.PollResult.Message}, a
   * {@link Wire.Page} or a {@link Wire.Run}. Empty if the text is not of that form.
   */
  static Optional<?> read(Endpoint endpoint, String text) {
    return Objects.requireNonNull(READERS.get(endpoint)).apply(text);
  }

  /** One is wanted; the count says whether there are more. */
  private static <T extends Object> Function<String, Optional<?>> first(Class<T> type) {
    return page(parser -> Json.value(parser, type), 1);
  }

  private static <T extends Object> Function<String, Optional<?>> page(
      Json.Reading<T> element, int most) {
    return text -> Json.readPage(text, Wire.PageNames.OF_SERVICE, element, most);
  }
}
