package dev.runnerset.cli.report;

import dev.runnerset.base.Pure;
import dev.runnerset.base.Scrubber;
import dev.runnerset.base.ShortText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Takes out of objects and texts what no issue may show. */
@Pure
public final class Redaction {
  private static final String GONE = "***";
  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
  private static final Pattern NAMED_LIKE_A_SECRET =
      Pattern.compile(
          "(?i).*(token|passw|pwd|secret|api[-_]?key|private[-_]?key|access[-_]?key|credential|auth|jit).*");

  /** Takes note of each thing that is taken out: where it was, and what kind of thing. */
  private final BiConsumer<String, String> note;

  /** Takes note of what it takes out: the path in the object or the text, and the kind. */
  public Redaction(BiConsumer<String, String> note) {
    this.note = note;
  }

  /** A text with its lines, without credentials and without what a terminal obeys. */
  public String text(String path, String text) {
    // twice: a secret may be cut by characters that are taken out
    var first = Scrubber.OF_NOTHING_KNOWN.clean(text);
    var second = Scrubber.OF_NOTHING_KNOWN.clean(ShortText.lines(first.text()));
    first.kinds().forEach(kind -> note.accept(path, "looks like a credential (" + kind + ")"));
    second.kinds().stream()
        .filter(kind -> !first.kinds().contains(kind))
        .forEach(kind -> note.accept(path, "looks like a credential (" + kind + ")"));
    return second.text();
  }

  /** An object as the API server sends it, of maps, lists and values, without credentials. */
  public @Nullable Object object(String path, @Nullable Object value) {
    return switch (value) {
      case Map<?, ?> fields -> fields(path, fields);
      case List<?> many -> many(path, many);
      case String text -> text(path, text);
      case null, default -> value;
    };
  }

  private Map<String, Object> fields(String path, Map<?, ?> fields) {
    var clean = new LinkedHashMap<String, Object>();
    fields.forEach((key, value) -> {
      var name = String.valueOf(key);
      var at = path.isEmpty() ? name : path + "." + name;
      if (name.equals("managedFields") || name.equals(LAST_APPLIED)) {
        note.accept(at, "may repeat credentials");
      } else if (isNamedLikeASecret(name, value)) {
        note.accept(at, "named like a secret");
        clean.put(name, GONE);
      } else {
        clean.put(name, object(at, value));
      }
    });
    var name = fields.get("name");
    if (name instanceof String of
        && fields.get("value") instanceof String
        && NAMED_LIKE_A_SECRET.matcher(of).matches()) {
      note.accept(path + ".value", "a value with the name " + text(path, of));
      clean.put("value", GONE);
    }
    return clean;
  }

  /** A text field; the fields of our kinds with such a name hold an object with a name. */
  private static boolean isNamedLikeASecret(String name, @Nullable Object value) {
    return value instanceof String
        && NAMED_LIKE_A_SECRET.matcher(name).matches()
        && !name.endsWith("Name")
        && !name.startsWith("automount");
  }

  private List<Object> many(String path, List<?> many) {
    var clean = new ArrayList<Object>();
    for (int i = 0; i < many.size(); i++) {
      clean.add(object(path + "[" + i + "]", many.get(i)));
    }
    return clean;
  }
}
