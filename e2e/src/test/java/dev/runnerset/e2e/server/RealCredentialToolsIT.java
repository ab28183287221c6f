package dev.runnerset.e2e.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.Play;
import dev.runnerset.e2e.RepositoryFiles;
import dev.runnerset.testcluster.TestCluster;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The secrets that tools make of the examples in docs/start/credentials.md, changed as these tools
 * change them, on a real API server. The tools themselves do not run here: their part is played.
 */
final class RealCredentialToolsIT {
  private static final Duration BAR = Duration.ofSeconds(30);
  private static final Pattern EXAMPLE =
      Pattern.compile("```yaml\n(apiVersion: \\S+\nkind: (\\w+)\n.*?)```", Pattern.DOTALL);

  @BeforeAll
  static void needsTheRealServer() {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
  }

  @Test
  void aSetFollowsTheSecretsThatToolsMake(@TempDir Path folder) throws IOException {
    try (var cluster = Play.realCluster(folder);
        var world = Play.world(cluster, folder)) {
      world.begin(0, 5);
      var there = world.kube().secrets().inNamespace(World.NAMESPACE).withName("github");
      var good = token(there.get());

      // External Secrets writes what the store has into the secret, in place
      there.delete();
      var external = example("ExternalSecret");
      make(world, external, template(external, "revoked"));
      awaitSaid(world, "Registered=False Unauthorized");
      there.edit(
          before -> new SecretBuilder(before).withStringData(template(external, good)).build());
      runsAJob(world);

      // Sealed Secrets owns the secret: a SealedSecret that is recreated recreates the secret
      there.delete();
      awaitSaid(world, "Registered=False SecretNotFound");
      var sealed = example("SealedSecret");
      make(world, sealed, unsealed(sealed, good));
      runsAJob(world);
      world.deleteSet();
    }
  }

  private static String token(Secret secret) {
    return new String(
        Base64.getDecoder().decode(secret.getData().get("github_token")), StandardCharsets.UTF_8);
  }

  private static void runsAJob(World world) {
    awaitSaid(world, "Ready=True");
    world.submit(1, Duration.ofSeconds(1));
    world.awaitJobsDone(Duration.ofSeconds(60));
  }

  private static void awaitSaid(World world, String words) {
    world.await(words, BAR, () -> world.readyMessage().contains(words), world::readyMessage);
  }

  /** A resource of a tool, as the page has it. */
  private static JsonNode example(String kind) throws IOException {
    var page = Files.readString(RepositoryFiles.ROOT.resolve("docs/start/credentials.md"));
    return EXAMPLE
        .matcher(page)
        .results()
        .filter(found -> found.group(2).equals(kind))
        .map(found -> Serialization.unmarshal(found.group(1), JsonNode.class))
        .findFirst()
        .orElseThrow();
  }

  /** Each key of the template, with what stands in the store in the place of its expression. */
  private static Map<String, String> template(JsonNode external, String token) {
    var data = new HashMap<String, String>();
    external
        .at("/spec/target/template/data")
        .properties()
        .forEach(entry ->
            data.put(entry.getKey(), entry.getValue().asText().replace("{{ .token }}", token)));
    assertThat(data).as("keys of the template").containsOnlyKeys("github_token");
    return data;
  }

  /** Each sealed key, with what was sealed. */
  private static Map<String, String> unsealed(JsonNode sealed, String token) {
    var data = new HashMap<String, String>();
    sealed.at("/spec/encryptedData").properties().forEach(entry -> data.put(entry.getKey(), token));
    assertThat(data).as("sealed keys").containsOnlyKeys("github_token");
    return data;
  }

  /**
   * The secret as a tool makes it, of the name and type of the example; without its owner, since
   * the garbage collector deletes what belongs to a resource that is not there.
   */
  private static void make(World world, JsonNode tool, Map<String, String> data) {
    var template =
        tool.at("/spec/target/template").isMissingNode()
            ? tool.at("/spec/template")
            : tool.at("/spec/target/template");
    var name = tool.at("/spec/target/name").asText(tool.at("/metadata/name").asText());
    var secret =
        new SecretBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(World.NAMESPACE)
            .endMetadata()
            .withType(template.path("type").asText())
            .withStringData(data)
            .build();
    var _ = world.kube().resource(secret).create();
  }
}
