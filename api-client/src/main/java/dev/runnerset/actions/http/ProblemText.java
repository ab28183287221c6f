package dev.runnerset.actions.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the body of a refusal says, in each of the shapes of protocol 2.4. */
record ProblemText(String typeName, String message) {
  static ProblemText of(Answer answer) {
    var raw = new ProblemText("", rawText(answer));
    if (answer.contentType().toLowerCase(Locale.ROOT).contains("text/plain")) {
      return raw; // never looked into (protocol 2.5)
    }
    return Json.read(answer.body(), Wire.Problem.class).flatMap(ProblemText::ofJson).orElse(raw);
  }

  /** A success of the wrong status may hold a token, so its body is not quoted. */
  private static String rawText(Answer answer) {
    return answer.status() < 400 ? "an unexpected status" : answer.body();
  }

  private static Optional<ProblemText> ofJson(Wire.Problem problem) {
    var typeName = Wire.text(problem.typeName());
    if (typeName.isEmpty()) {
      var nested = nested(text(problem.details()));
      if (nested.isPresent()) {
        return nested;
      }
    }
    var message = Wire.text(problem.message());
    if (typeName.isEmpty() && message.isEmpty()) {
      return Optional.empty(); // the whole body says more
    }
    return Optional.of(new ProblemText(typeName, message));
  }

  /**
   * The exception that the broker quotes, as JSON or as JSON escaped once more (protocol 2.4 b).
   */
  private static Optional<ProblemText> nested(String details) {
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
        .filter(inner -> !Wire.text(inner.typeName()).isEmpty())
        .map(inner -> new ProblemText(Wire.text(inner.typeName()), Wire.text(inner.message())));
  }

  private static String text(@Nullable JsonNode node) {
    return node == null ? "" : node.asText();
  }
}
