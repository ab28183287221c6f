package dev.runnerset.simulator.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runnerset.testsupport.GoProgram;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The official client and its listener, written by strangers, take the simulated service for the
 * real one (protocol 7.7). Each line that the program prints is a test.
 */
final class OfficialClientIT {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  @TempDir Path folder;

  @TestFactory
  Stream<DynamicTest> broker() throws Exception {
    return judged(Flavour.BROKER, 90);
  }

  @TestFactory
  Stream<DynamicTest> legacy() throws Exception {
    return judged(Flavour.LEGACY, 100);
  }

  private Stream<DynamicTest> judged(Flavour flavour, int atLeast) throws Exception {
    var client = new GoProgram("simulator", "officialclient");
    client.unavailableReason().ifPresent(Assumptions::abort);
    var certificate =
        new HeldCertificate.Builder().rsa2048().addSubjectAlternativeName("127.0.0.1").build();
    var trusted = Files.writeString(folder.resolve("tls.pem"), certificate.certificatePem());
    var key = Files.writeString(folder.resolve("key.pem"), certificate.privateKeyPkcs8Pem());
    var encoded =
        Base64.getMimeEncoder().encodeToString(certificate.keyPair().getPublic().getEncoded());
    var ofApp =
        Files.writeString(
            folder.resolve("app.pem"),
            "-----BEGIN PUBLIC KEY-----\n" + encoded + "\n-----END PUBLIC KEY-----\n");
    var options =
        Options.accepting("pat")
            .withFlavour(flavour)
            .withApp(new App("app-1", 7, Pem.publicKey(ofApp)))
            .withOwners(Set.of("acme"))
            .withGroups(Set.of("big"))
            .withTimings(Timings.defaults().withMessagePoll(Duration.ofMillis(500)));
    var shortLived =
        options
            .withTls(Pem.serverContext(trusted, key))
            .withTimings(
                options.timings().withTokens(Duration.ofSeconds(30), Duration.ofSeconds(2)));
    try (var service = ActionsServiceServer.start(options, Clock.systemUTC());
        var other = ActionsServiceServer.start(shortLived, Clock.systemUTC())) {
      var lines =
          client.run(
              List.of(
                  "-url=" + service.url(),
                  "-short=" + other.url(),
                  "-ca=" + trusted,
                  "-token=pat",
                  "-app-key=" + key,
                  "-legacy=" + (flavour == Flavour.LEGACY)));
      var tests = new ArrayList<DynamicTest>();
      for (var line : lines) {
        var check = MAPPER.readTree(line);
        tests.add(DynamicTest.dynamicTest(check.get("name").asText(), () -> assertOk(check)));
      }
      assertThat(tests).as("checks").hasSizeGreaterThanOrEqualTo(atLeast);
      return tests.stream();
    }
  }

  private static void assertOk(JsonNode check) {
    assertThat(check.get("ok").asBoolean()).as(check.get("detail").asText()).isTrue();
  }
}
