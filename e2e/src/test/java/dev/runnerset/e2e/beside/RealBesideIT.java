package dev.runnerset.e2e.beside;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.ConfigUrl;
import dev.runnerset.actions.CreateScaleSetResult;
import dev.runnerset.actions.Credentials;
import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.NewScaleSet;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.RunnerGroupId;
import dev.runnerset.actions.RunnerId;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.http.AllowedHosts;
import dev.runnerset.actions.http.ServiceSettings;
import dev.runnerset.actions.http.SharedConnections;
import dev.runnerset.actions.http.UserAgent;
import dev.runnerset.demo.cluster.RealCluster;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.Play;
import dev.runnerset.e2e.RepositoryFiles;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.testcluster.Audit;
import dev.runnerset.testcluster.AuditEntry;
import dev.runnerset.testcluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Beside actions-runner-controller on a real control plane: docs/start/beside-arc.md, command by
 * command. Its objects are there, and its session at the service; its programs are played by this
 * test.
 */
@Tag("nightly")
final class RealBesideIT {
  private static final Duration SOON = Duration.ofSeconds(60);

  /** A controller that would make runners has made them by then. */
  private static final Duration LOOKED_AT = Duration.ofSeconds(3);

  private static final List<String> OURS =
      List.of(
          "system:serviceaccount:runnerset-system:", "system:serviceaccount:runnerset-listener:");

  private RealCluster cluster;
  private World world;
  private ActionsService theirs;
  private ScaleSetId id;
  private RunnerId runner;
  private MessageSession session;
  private PageCommands page;
  private Audit audit;
  private List<GenericKubernetesResource> objects;
  private Map<String, String> before;

  @BeforeEach
  void theyAreThere(@TempDir Path folder) throws Exception {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
    cluster = Play.realCluster(folder);
    audit = cluster.server().auditFromNow();
    world = Play.world(cluster, folder);
    world.start();
    var work = Files.createDirectories(folder.resolve("work"));
    page =
        new PageCommands(
            RepositoryFiles.ROOT.resolve("docs/start/beside-arc.md"), work, cluster.server());
    theyRegister(Clock.systemUTC());
    Files.writeString(work.resolve("crds.yaml"), ArcObjects.crds());
    page.shell("kubectl apply -f crds.yaml");
    page.shell("kubectl wait --for=condition=Established --timeout=30s -f crds.yaml");
    var yaml = ArcObjects.objects(world.configUrl("my-org"), id.value());
    objects = ArcObjects.parse(yaml);
    Files.writeString(work.resolve("arc.yaml"), yaml);
    page.shell("kubectl apply -f arc.yaml");
    before = ArcObjects.picture(world.kube(), objects);
  }

  private void theyRegister(Clock clock) {
    theirs =
        new SharedConnections()
            .connect(
                ServiceSettings.of(
                        ConfigUrl.parse(world.configUrl("my-org")),
                        new Credentials.Token(World.TOKEN),
                        UserAgent.of("1", "their-controller"),
                        clock)
                    .withAllowedHosts(AllowedHosts.of("127.0.0.1", "localhost")));
    var wanted = new NewScaleSet("linux", RunnerGroupId.DEFAULT, List.of("linux"));
    id = ((CreateScaleSetResult.Created) theirs.createScaleSet(wanted)).scaleSet().id();
    session = ((OpenSessionResult.Opened) theirs.openSession(id, "theirs")).session();
    var jit = theirs.generateJitConfig(id, "linux-x7k2p-runner-abcde", "");
    runner = ((JitConfigResult.Registered) jit).runner().id();
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable part :
        Stream.<AutoCloseable>of(theirs == null ? null : theirs::close, world, cluster).toList()) {
      if (part != null) {
        part.close();
      }
    }
  }

  @Test
  void aSetIsTriedSwitchedAndGivenBack() {
    noNameMeansTwoKinds();
    friday();
    theSameNameWaits();
    var queued = monday();
    theWayBack(queued);
    assertThat(page.left())
        .as("commands that nobody carried out: those of the values need Helm")
        .hasSize(3);
    assertThat(touched()).isEmpty();
  }

  private void friday() {
    page.skip("helm install runnerset"); // both programs run already
    page.run("kubectl get autoscalingrunnersets.actions.github.com linux");
    page.run("./runnerset migrate --beside -next linux-arc.yaml");
    page.run("kubectl apply -n arc-runners -f deploy/set-namespace.yaml");
    page.run("kubectl apply -f linux-next.yaml");
    page.run("kubectl wait ars/linux-next");
    world.service().submit(JobRequest.of(2, "linux-next", Duration.ofSeconds(1)));
    world.awaitJobsDone(SOON);
    theirsIsUntouched();
  }

  private void theSameNameWaits() {
    page.shell("./runnerset migrate linux-arc.yaml | grep -v '^runnerset' | kubectl apply -f -");
    page.shell(
        "kubectl wait ars/linux -n arc-runners --timeout=60s"
            + " --for=jsonpath='{.status.conditions[?(@.type==\"Registered\")].reason}'=AdoptionRequired");
    theNotesOfTheChartMeanOurs();
    theirsIsUntouched();
  }

  /** With a set of theirs of the same name beside it, what helm prints after an install. */
  private void theNotesOfTheChartMeanOurs() {
    var commands =
        RepositoryFiles.read("charts/runnerset-set/templates/NOTES.txt")
            .lines()
            .map(line -> line.replaceFirst("^The runners: ", "").strip())
            .filter(line -> line.startsWith("kubectl "))
            .map(line ->
                line.replace("{{ $name }}", "linux").replace("{{ $namespace }}", "arc-runners"))
            .toList();
    assertThat(commands).hasSize(4).last().asString().startsWith("kubectl delete ");
    for (var command : commands) {
      var printed = page.shell(command);
      assertThat(printed).as(command).doesNotContain("actions.github.com");
    }
    assertThat(page.shell("kubectl get ars linux -n arc-runners --ignore-not-found -o name"))
        .isEmpty();
  }

  /** What was queued before the switch is done after it. */
  private int monday() {
    page.run("./runnerset migrate --adopt linux-arc.yaml");
    page.run("kubectl apply -f linux.yaml");
    page.run("kubectl wait ars/linux -n arc-runners --for=condition=Registered");
    page.shell(
        "kubectl wait ars/linux -n arc-runners --timeout=60s"
            + " --for=jsonpath='{.status.conditions[?(@.type==\"ListenerReady\")].reason}'=SessionConflict");
    world.service().submit(JobRequest.of(3, "linux", Duration.ofSeconds(1)));
    world.pass(LOOKED_AT);
    assertThat(page.shell("kubectl get er -n arc-runners -l runnerset.dev/set=linux -o name"))
        .doesNotContain("ephemeralrunner");
    theirsIsUntouched();

    page.run("kubectl scale deployment arc-gha-rs-controller");
    page.run("kubectl wait pod -n arc-systems");
    page.run("kubectl delete autoscalingrunnersets.actions.github.com linux");
    page.run("kubectl annotate autoscalingrunnersets.actions.github.com linux");
    page.run("kubectl scale deployment arc-gha-rs-controller");
    theyLetGo();
    page.run("kubectl wait ars/linux -n arc-runners --for=condition=ListenerReady");
    world.awaitJobsDone(SOON);
    assertThat(scaleSet("linux")).isEqualTo(id.value());
    page.skip("helm uninstall linux"); // it was not made by Helm here
    page.run("kubectl delete autoscalingrunnersets.runnerset.dev linux-next");
    assertThat(scaleSetNames()).containsExactly("linux");
    assertThat(picture()).as("what is left of them").isEqualTo(withoutSet(before));
    return world.service().jobCounts().completed();
  }

  private void theWayBack(int done) {
    assertThat(done).isEqualTo(5);
    page.run("kubectl delete autoscalingrunnersets.runnerset.dev linux -n arc-runners");
    assertThat(scaleSet("linux")).as("an adopted scale set is left").isEqualTo(id.value());
    page.run("kubectl create -f linux-arc.yaml");
    session = ((OpenSessionResult.Opened) theirs.openSession(id, "theirs")).session();
    assertThat(page.run("kubectl get ars --all-namespaces")).contains("No resources found");
    page.run("kubectl delete -n arc-runners -f deploy/set-namespace.yaml");
    page.skip("helm uninstall runnerset"); // it was not installed by Helm here
    assertThat(picture()).isEqualTo(withoutSet(before));
    assertThat(world.kube().resource(ArcObjects.set(objects)).get()).isNotNull();
    assertThat(world.service().violations()).isEmpty();
  }

  /** As the source of their controller has it: listener, runners, no scale set, finalizer. */
  private void theyLetGo() {
    var set = world.kube().resource(ArcObjects.set(objects));
    assertThat(set.get().getMetadata().getAnnotations()).doesNotContainKey("runner-scale-set-id");
    assertThat(set.get().getMetadata().getDeletionTimestamp()).isNotNull();
    session.close();
    var _ = theirs.removeRunner(runner);
    set.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
  }

  private void theirsIsUntouched() {
    assertThat(ArcObjects.picture(world.kube(), objects)).isEqualTo(before);
    assertThat(world.service().scaleSets())
        .filteredOn(set -> set.name().equals("linux"))
        .singleElement()
        .satisfies(set -> {
          assertThat(set.id()).isEqualTo(id.value());
          assertThat(set.labels()).containsExactly("linux");
          assertThat(set.sessionId()).isEqualTo(session.id().value());
        });
    for (var object : objects) {
      var meta = world.kube().resource(object).get().getMetadata();
      var keys = new ArrayList<String>();
      Stream.of(meta.getLabels(), meta.getAnnotations())
          .filter(map -> map != null)
          .forEach(map -> keys.addAll(map.keySet()));
      keys.addAll(meta.getFinalizers());
      assertThat(keys).as(ArcObjects.name(object)).noneMatch(key -> key.contains("runnerset.dev"));
    }
  }

  /** Kinds, plurals and short names of both groups on one server, and no webhook of ours. */
  private void noNameMeansTwoKinds() {
    var crds = world.kube().apiextensions().v1().customResourceDefinitions().list().getItems();
    assertThat(crds).hasSize(8);
    var names = new HashSet<String>();
    for (var crd : crds) {
      assertThat(crd.getStatus().getConditions())
          .filteredOn(c -> c.getType().equals("NamesAccepted"))
          .as(crd.getMetadata().getName())
          .allMatch(c -> c.getStatus().equals("True"));
      for (var name : crd.getSpec().getNames().getShortNames()) {
        assertThat(names.add(name)).as("the short name %s is given once", name).isTrue();
      }
    }
    assertThat(names).containsExactlyInAnyOrder("ars", "ers", "er", "asl");
    var plural = page.shell("kubectl get autoscalingrunnersets -n arc-runners -o name");
    assertThat(plural.lines().map(line -> line.replaceFirst("/.*", "")).distinct())
        .as("the plural alone shows one group")
        .hasSize(1);
    assertThat(page.shell("kubectl get ars -n arc-runners -o name 2>&1")).doesNotContain("github");
    var webhooks = world.kube().admissionRegistration().v1();
    assertThat(webhooks.validatingWebhookConfigurations().list().getItems()).isEmpty();
    assertThat(webhooks.mutatingWebhookConfigurations().list().getItems()).isEmpty();
  }

  /** Requests of both programs that concern their group, or write one of their objects. */
  private List<String> touched() {
    var entries = audit.next().stream().filter(RealBesideIT::isOfOurs).toList();
    assertThat(entries.stream().filter(AuditEntry::isWrite))
        .as("writes of ours")
        .hasSizeGreaterThan(50);
    var their =
        objects.stream()
            .map(o ->
                o.getMetadata().getNamespace()
                    + "/"
                    + o.getKind()
                    + "/"
                    + o.getMetadata().getName())
            .map(String::toLowerCase)
            .collect(Collectors.toSet());
    return entries.stream()
        .filter(entry ->
            entry.apiGroup().equals(ArcObjects.GROUP)
                || entry.uri().contains(ArcObjects.GROUP)
                || (entry.isWrite()
                    && !entry.apiGroup().equals("runnerset.dev")
                    && their.contains(
                        entry.namespace()
                            + "/"
                            + entry.resource().replaceFirst("s$", "")
                            + "/"
                            + entry.name())))
        .map(AuditEntry::toString)
        .toList();
  }

  private static boolean isOfOurs(AuditEntry entry) {
    return OURS.stream().anyMatch(entry.user()::startsWith);
  }

  private Map<String, String> picture() {
    return ArcObjects.picture(
        world.kube(), objects.stream().filter(o -> o != ArcObjects.set(objects)).toList());
  }

  private Map<String, String> withoutSet(Map<String, String> picture) {
    return picture.entrySet().stream()
        .filter(e -> !e.getKey().equals(ArcObjects.name(ArcObjects.set(objects))))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private long scaleSet(String name) {
    return world.service().scaleSets().stream()
        .filter(set -> set.name().equals(name))
        .findFirst()
        .orElseThrow()
        .id();
  }

  private List<String> scaleSetNames() {
    return world.service().scaleSets().stream().map(set -> set.name()).toList();
  }
}
