package dev.runnerset.actions.http;

import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the body of a refusal says, in each of the shapes of protocol 2.4. Only what has the form of
 * the service's errors is quoted: any host may have answered (CN6).
 *
 * @param type the service's exception type, or empty
 * @param quotedType the same if it may be quoted
 * @param message for people
 */
record ProblemText(String type, String quotedType, String message) {
  static final String NOT_QUOTED =
      "the answer is not quoted: it has not the form of an error of GitHub";

  /** Whether it has the form of an error of the service. */
  boolean isOfService() {
    return !type.isEmpty() || !(message.isEmpty() || message.equals(NOT_QUOTED));
  }

  static ProblemText of(Answer answer) {
    // a success of the wrong status may hold a token
    var raw =
        answer.status() < 400 ? "an unexpected status" : answer.body().isBlank() ? "" : NOT_QUOTED;
    if (answer.contentType().toLowerCase(Locale.ROOT).contains("text/plain")) {
      return new ProblemText("", "", raw); // never looked into (protocol 2.5)
    }
    return Json.read(answer.body(), Wire.Problem.class)
        .map(problem -> ofJson(problem, raw))
        .orElse(new ProblemText("", "", raw));
  }

  private static ProblemText ofJson(Wire.Problem outer, String raw) {
    var problem =
        Fields.orEmpty(outer.typeName()).isEmpty()
            ? nested(text(outer.details())).orElse(outer)
            : outer;
    var type = Fields.orEmpty(problem.typeName());
    var message = Fields.orEmpty(problem.message());
    if (!message.isEmpty() && (!type.isEmpty() || problem.documentationUrl() != null)) {
      return new ProblemText(type, type, message);
    }
    return Fault.of(type) == Fault.OTHER
        ? new ProblemText(type, "", raw)
        : new ProblemText(type, type, "");
  }

  /**
   * The exception that the broker quotes, as JSON or as JSON escaped once more (protocol 2.4 b).
   */
  private static Optional<Wire.Problem> nested(String details) {
    int begin = details.indexOf('{');
    int end = details.lastIndexOf('}');
    if (begin < 0 || end < begin) {
      return Optional.empty();
    }
    var quoted = details.substring(begin, end + 1);
    return Json.read(quoted, Wire.Problem.class)
        .or(() ->
            Json.read('"' + quoted + '"', String.class)
                .flatMap(text -> Json.read(text, Wire.Problem.class)))
        .filter(inner -> !Fields.orEmpty(inner.typeName()).isEmpty());
  }

  private static String text(Wire.@Nullable Scalar node) {
    return node == null ? "" : node.asText();
  }
}
