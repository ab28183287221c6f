package dev.runnerset.cli.report;

import dev.runnerset.cli.cluster.Gap;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The files of a report, and what is not in them. Not for several threads. */
public final class Bundle {
  private static final String ROOT = "runnerset-report";
  private static final String HEAD =
      """
      What is not in this report.

      Secrets are never read. Look through the files before you send them to anybody: what a program
      logs under a name that nobody foresaw is not recognised.
      """;

  private final Map<String, String> textByPath = new LinkedHashMap<>();
  private final Map<String, Integer> countByNote = new TreeMap<>();
  private final Set<String> missing = new LinkedHashSet<>();

  /** Adds a text; what looks like a credential is taken out. */
  void text(String path, String text) {
    textByPath.put(path, redaction(path).text("", text));
  }

  /** Takes credentials out of the parts of that file. */
  Redaction redaction(String path) {
    return new Redaction((at, kind) ->
        countByNote.merge(
            path + (at.isEmpty() ? "" : ": " + at.replaceAll("\\[\\d+]", "[]")) + ": " + kind,
            1,
            Integer::sum));
  }

  /** Adds a text in which nothing is left to be taken out. */
  void clean(String path, String text) {
    textByPath.put(path, text);
  }

  /** Something could not be read. */
  void missing(Gap gap) {
    missing.add(gap.sentence());
  }

  /** The same in a sentence. */
  void missing(String sentence) {
    missing.add(sentence);
  }

  /** How many files it has. */
  public int files() {
    return textByPath.size() + 1;
  }

  /** How many things were taken out. */
  public int takenOut() {
    return countByNote.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** What could not be read, a sentence each. */
  public Set<String> missing() {
    return Set.copyOf(missing);
  }

  /** Writes it as tar in gzip, and closes the stream. */
  public void write(OutputStream out, Instant now) throws IOException {
    try (var tar = new TarGz(out, now)) {
      for (var file : textByPath.entrySet()) {
        add(tar, file.getKey(), file.getValue());
      }
      add(tar, "left-out.txt", leftOut());
    }
  }

  private static void add(TarGz tar, String path, String text) throws IOException {
    int at = path.lastIndexOf('/');
    var folder = at < 0 ? ROOT : ROOT + "/" + path.substring(0, at);
    tar.add(folder, path.substring(at + 1), text.getBytes(StandardCharsets.UTF_8));
  }

  private String leftOut() {
    var text = new StringBuilder(HEAD);
    text.append("\nTaken out:\n");
    countByNote.forEach((note, count) ->
        text.append("  ")
            .append(note)
            .append(count > 1 ? " (" + count + " times)" : "")
            .append('\n'));
    text.append(countByNote.isEmpty() ? "  nothing\n" : "");
    text.append("\nCould not be read:\n");
    missing.forEach(each -> text.append("  ").append(each).append('\n'));
    text.append(missing.isEmpty() ? "  nothing\n" : "");
    return text.toString();
  }
}
