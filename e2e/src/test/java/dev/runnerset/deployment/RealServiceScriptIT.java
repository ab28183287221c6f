package dev.runnerset.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.runnerset.deployment.node.ProcessNode;
import dev.runnerset.e2e.RepositoryFiles;
import dev.runnerset.e2e.Shell;
import dev.runnerset.simulator.service.FaultPlan;
import dev.runnerset.simulator.service.HttpFault;
import dev.runnerset.simulator.service.RunView;
import dev.runnerset.simulator.service.Timings;
import dev.runnerset.simulator.service.Violation;
import dev.runnerset.testcluster.HelmProgram;
import dev.runnerset.testcluster.TestCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script that is run against the real service ({@code .ci/real-service}), against the simulated
 * one, with the programs of this build on a real control plane. Both runs have one cluster: the
 * script begins in none that has a left-over of the other.
 */
@Tag("nightly")
final class RealServiceScriptIT {
  private static final String REPOSITORY = "my-org/app";

  /**
   * The service fails the job of a dead runner after that: later than the set reports it (RN18).
   */
  private static final Duration LOCK = Duration.ofSeconds(75);

  private static final Duration LIMIT = Duration.ofMinutes(15);

  @TempDir private static Path folder;
  private static Deployed world;

  @BeforeAll
  static void start() {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
    HelmProgram.unavailableReason().ifPresent(Assumptions::abort);
    ProcessNode.unavailableReason().ifPresent(Assumptions::abort);
    world =
        new Deployed(
            folder,
            new ProgramImages(folder.resolve("images"))::named,
            Timings.defaults().withRunLease(LOCK));
    world.service().runs().workflow(REPOSITORY, "real-service-jobs.yml");
    world.shell().find(HelmProgram.path());
    world.shell().set("REAL_SERVICE_TOKEN", Deployed.TOKEN);
    world.shell().limit(LIMIT);
  }

  @AfterAll
  static void end() {
    if (world != null) {
      world.close();
    }
  }

  @AfterEach
  void mend() {
    world.service().faults(FaultPlan.NONE);
  }

  private static Shell.Result run(Path out, String more) {
    return world
        .shell()
        .run(
            "%s here --url %s --api %s/api/v3 --repository %s --allowed-host 127.0.0.1 --out %s --every 1 --short-job 1 --long-job 60 %s"
                .formatted(
                    RepositoryFiles.ROOT.resolve(".ci/real-service"),
                    world.configUrl("my-org"),
                    world.configUrl("").replaceFirst("/$", ""),
                    REPOSITORY,
                    out,
                    more));
  }

  private static JsonNode report(Path out) throws IOException {
    return new ObjectMapper().readTree(out.resolve("report.json").toFile());
  }

  private static List<String> steps(JsonNode report) {
    return report.get("run").findValuesAsText("name");
  }

  @Test
  void allFiveStepsPass() throws IOException {
    var out = folder.resolve("passed");
    var ended = run(out, "");
    System.out.println(ended.text());
    assertThat(ended.exit()).as(ended.text() + world.story()).isZero();
    System.out.println(Files.readString(out.resolve("report.md")));
    var report = report(out);
    assertThat(report.get("passed").asBoolean()).isTrue();
    assertThat(steps(report))
        .containsExactly("install", "jobs", "scale-down", "lost-runner", "deletion");
    assertThat(report.at("/run/1/seen/runners").asInt()).isEqualTo(10);
    assertThat(report.at("/run/2/seen/idle_runners").asInt()).isEqualTo(2);
    assertThat(report.at("/run/3/seen/event_JobLost").asText()).contains("was lost with runner");
    assertThat(report.at("/run/3/seen/ended_as").asText()).isEqualTo("failure");
    assertThat(world.service().violations())
        .as("but for the job that was to be lost")
        .extracting(Violation::kind)
        .containsOnly(Violation.Kind.JOB_KILLED)
        .hasSize(1);
    assertNothingIsLeft(out);
  }

  @Test
  void aRunThatFailsNamesItsStepAndLeavesNothing() throws IOException {
    world.service().faults(FaultPlan.NONE.withHttp(HttpFault.answer("generatejitconfig", 403, -1)));
    var out = folder.resolve("failed");
    var ended = run(out, "--deadline jobs=30");
    System.out.println(ended.text());
    assertThat(ended.exit()).as(ended.text()).isEqualTo(1);
    var report = report(out);
    assertThat(steps(report)).containsExactly("install", "jobs");
    assertThat(report.at("/run/1/failure").asText())
        .startsWith("not within 30 s: 10 jobs succeed; 0 of 10 jobs have ended; Ready is False");
    assertThat(report.get("not_cleaned")).isEmpty();
    assertThat(Files.readString(out.resolve("report.md"))).contains("| 2 jobs | failed |");
    assertThat(Files.readString(out.resolve("objects.yaml")))
        .contains("kind: AutoScalingRunnerSet");
    assertThat(world.service().runs().all().getLast().latest().conclusion()).isEqualTo("cancelled");
    assertNothingIsLeft(out);
  }

  /** Of the run: at the service, in the cluster, and of its credentials in the report. */
  private static void assertNothingIsLeft(Path out) throws IOException {
    assertThat(world.service().runners()).isEmpty();
    assertThat(world.service().scaleSets()).isEmpty();
    assertThat(world.service().runs().all())
        .extracting(RunView::latest)
        .extracting(RunView.Attempt::status)
        .containsOnly("completed");
    var kube = world.kube();
    assertThat(kube.namespaces().list().getItems())
        .extracting(namespace -> namespace.getMetadata().getName())
        .noneMatch(name -> name.startsWith("real-"));
    assertThat(kube.apiextensions().v1().customResourceDefinitions().list().getItems())
        .noneMatch(crd -> crd.getSpec().getGroup().equals("runnerset.dev"));
    assertThat(kube.rbac().clusterRoles().list().getItems())
        .noneMatch(role -> role.getMetadata().getName().startsWith("runnerset"));
    try (var files = Files.list(out)) {
      assertThat(files.toList())
          .isNotEmpty()
          .allSatisfy(file ->
              assertThat(Files.readString(file))
                  .doesNotContain(Deployed.TOKEN)
                  .as("JSON in base64, as a JIT config is")
                  .doesNotContainPattern("\\bey[AIJ][\\w+/=-]{16,}"));
    }
  }
}
