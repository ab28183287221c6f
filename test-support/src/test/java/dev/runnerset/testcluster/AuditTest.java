package dev.runnerset.testcluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditTest {
  @TempDir Path folder;

  @Test
  void readsAllFieldsOfAnAnsweredRequest() throws IOException {
    append(event("ResponseComplete", "patch", "me/1", 200) + "\n");
    assertThat(audit().next())
        .singleElement()
        .satisfies(e -> {
          assertThat(e.userAgent()).isEqualTo("me/1");
          assertThat(e.user()).isEqualTo("system:serviceaccount:ns:sa");
          assertThat(e.verb()).isEqualTo("patch");
          assertThat(e.apiGroup()).isEqualTo("runnerset.dev");
          assertThat(e.resource()).isEqualTo("ephemeralrunners");
          assertThat(e.subresource()).isEqualTo("status");
          assertThat(e.namespace()).isEqualTo("ns");
          assertThat(e.name()).isEqualTo("r");
          assertThat(e.code()).isEqualTo(200);
          assertThat(e.took()).hasMillis(250);
        });
  }

  @Test
  void aHalfWrittenLineWaitsForItsEnd() throws IOException {
    String event = event("ResponseComplete", "get", "me", 200);
    Audit audit = audit();
    assertThat(audit.next()).as("no file yet").isEmpty();
    append(event + "\n" + event.substring(0, 40));
    assertThat(audit.next()).hasSize(1);
    assertThat(audit.next()).isEmpty();
    append(event.substring(40) + "\n");
    assertThat(audit.next()).hasSize(1);
  }

  @Test
  void otherStagesAndOlderEntriesAreLeftOut() throws IOException {
    append(event("ResponseComplete", "get", "old", 200) + "\n");
    Audit audit = Audit.fromNow(folder.resolve("audit.log"));
    append(event("ResponseStarted", "watch", "me", 200) + "\n");
    append(event("ResponseComplete", "watch", "me", 200) + "\n");
    assertThat(audit.next()).extracting(AuditEntry::userAgent).containsExactly("me");
  }

  @Test
  void countsAcceptedWritesOnly() throws IOException {
    for (String verb :
        new String[] {"create", "update", "patch", "delete", "deletecollection", "get", "list"}) {
      append(event("ResponseComplete", verb, "a", 201) + "\n");
    }
    append(event("ResponseComplete", "create", "a", 409) + "\n");
    append(event("ResponseComplete", "create", "b", 201) + "\n");
    assertThat(audit().countWrites(AuditEntry::userAgent)).isEqualTo(Map.of("a", 5L, "b", 1L));
  }

  private Audit audit() {
    return Audit.fromStart(folder.resolve("audit.log"));
  }

  private void append(String text) throws IOException {
    Files.writeString(
        folder.resolve("audit.log"), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static String event(String stage, String verb, String userAgent, int code) {
    return """
    {"stage":"%s","verb":"%s","userAgent":"%s","user":{"username":"system:serviceaccount:ns:sa"},\
    "objectRef":{"resource":"ephemeralrunners","namespace":"ns","name":"r",\
    "apiGroup":"runnerset.dev","apiVersion":"v1alpha1","subresource":"status"},\
    "requestURI":"/apis","responseStatus":{"metadata":{},"code":%d},\
    "requestReceivedTimestamp":"2026-11-20T12:00:00.000000Z",\
    "stageTimestamp":"2026-11-20T12:00:00.250000Z"}\
    """
        .formatted(stage, verb, userAgent, code);
  }
}
