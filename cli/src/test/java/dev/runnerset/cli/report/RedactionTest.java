package dev.runnerset.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One row for each kind of secret: none is in a report, and each is on the list of what is out. */
final class RedactionTest {
  private static final String HIDDEN = "abcdefgh1JKLMNOP";

  private final List<String> notes = new ArrayList<>();
  private final Redaction redaction = new Redaction((path, kind) -> notes.add(path + ": " + kind));

  /** A text with {@link #HIDDEN} in it, and the kind that is noted. */
  record Row(String text, String kind) {}

  static List<Row> secretsInTexts() {
    return List.of(
        new Row("clone with ghp_" + HIDDEN, "token"),
        new Row("asked with ghs_" + HIDDEN, "token"),
        new Row("github_pat_" + HIDDEN + "_x", "token"),
        new Row("eyJhbGciOiJSUzI1NiJ9." + HIDDEN + ".c2ln", "json"),
        new Row("a JIT config eyJ" + HIDDEN + "ZSI6eyJhIjoxfX0", "json"),
        new Row("Authorization: Bearer " + HIDDEN, "header"),
        new Row("authorization: basic " + HIDDEN, "header"),
        new Row(
            "-----BEGIN RSA PRIVATE KEY-----\n" + HIDDEN + "\n-----END RSA PRIVATE KEY-----",
            "key"),
        new Row("-----BEGIN PRIVATE KEY-----\n" + HIDDEN + " and the log ends here", "key"),
        new Row("via http://me:" + HIDDEN + "@proxy:3128/", "user"),
        new Row(
            "digest " + "0123456789".repeat(4) + " of " + HIDDEN.replaceAll(".", "x"), "digits"),
        new Row("blob " + HIDDEN + "qrstuvwx2YZABCDEFGHIJKLMNOPQ==", "base64"),
        new Row("password=" + HIDDEN, "named"),
        new Row("\"token\": \"" + HIDDEN + "\"", "named"),
        new Row("gh\u001B[0mp_" + HIDDEN, "token"));
  }

  @ParameterizedTest
  @MethodSource("secretsInTexts")
  void whatLooksLikeASecretIsTakenOutOfTexts(Row row) {
    assertThat(redaction.text("log", row.text())).contains("***").doesNotContain(HIDDEN, "\u001B");
    assertThat(notes)
        .anyMatch(note -> note.equals("log: looks like a credential (" + row.kind() + ")"));
  }

  /** A field of an object, and what is noted. */
  record FieldRow(Map<String, Object> object, String note) {}

  static List<FieldRow> secretsInObjects() {
    return List.of(
        new FieldRow(
            Map.of("env", List.of(Map.of("name", "NPM_TOKEN", "value", HIDDEN))),
            "env[0].value: a value with the name NPM_TOKEN"),
        new FieldRow(
            Map.of("env", List.of(Map.of("name", "DB_PASSWORD", "value", HIDDEN))),
            "env[0].value: a value with the name DB_PASSWORD"),
        new FieldRow(Map.of("apiKey", HIDDEN), "apiKey: named like a secret"),
        new FieldRow(
            Map.of(
                "annotations",
                Map.of("kubectl.kubernetes.io/last-applied-configuration", "{" + HIDDEN + "}")),
            "annotations.kubectl.kubernetes.io/last-applied-configuration: may repeat credentials"),
        new FieldRow(
            Map.of("managedFields", List.of(HIDDEN)), "managedFields: may repeat credentials"),
        new FieldRow(
            Map.of("args", List.of("--token=" + HIDDEN)),
            "args[0]: looks like a credential (named)"),
        new FieldRow(
            Map.of("url", "https://me:" + HIDDEN + "@github.com/my-org"),
            "url: looks like a credential (user)"));
  }

  @ParameterizedTest
  @MethodSource("secretsInObjects")
  void whatIsNamedOrLooksLikeASecretIsTakenOutOfObjects(FieldRow row) {
    assertThat(String.valueOf(redaction.object("", row.object()))).doesNotContain(HIDDEN);
    assertThat(notes).contains(row.note());
  }

  @Test
  void whatIsNoSecretStays() {
    var object =
        Map.of(
            "githubConfigSecret",
            Map.of("name", "github"),
            "secretName",
            "github",
            "message",
            "SecretNotFound: The secret ci/github does not exist: create it with github_token",
            "env",
            List.of(Map.of("name", "DEBUG", "value", "true")),
            "image",
            "ghcr.io/actions/actions-runner@sha256:" + "0123456789abcdef".repeat(4));
    assertThat(redaction.object("", object)).isEqualTo(object);
    assertThat(notes).isEmpty();
  }
}
