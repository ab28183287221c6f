package dev.runnerset.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.controller.config.FeatureGate;
import dev.runnerset.controller.main.ControllerMain;
import dev.runnerset.crds.Crds;
import dev.runnerset.e2e.RepositoryFiles;
import dev.runnerset.listener.main.ListenerCommand;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionSpec;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What helm makes of {@code charts/runnerset}, without a cluster. */
final class SystemChartIT {
  private static final Path CHART = RepositoryFiles.chart("runnerset");
  static final Path VALUES = RepositoryFiles.ROOT.resolve("e2e/src/test/resources/system");

  @TempDir private static Path home;

  static List<String> valuesFiles() throws IOException {
    try (Stream<Path> files = Files.list(VALUES)) {
      return files
          .map(f -> f.getFileName().toString())
          .filter(name -> name.endsWith(".values.yaml"))
          .map(name -> name.replace(".values.yaml", ""))
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("valuesFiles")
  void helmFindsNothingToComplainAbout(String name) {
    var out = Helm.offline(home).run("lint", "--strict", CHART.toString(), values(name)).orFail();
    assertThat(out.out()).contains("1 chart(s) linted, 0 chart(s) failed");
  }

  /** With {@code -Drunnerset.write=true} the files are written. */
  @ParameterizedTest
  @MethodSource("valuesFiles")
  void theChartMakesWhatWasReviewed(String name) {
    var call =
        new String[] {
          "template", "runnerset", CHART.toString(), "--namespace=runnerset-system", values(name)
        };
    Written.is(VALUES.resolve(name + ".golden.yaml"), Helm.offline(home).run(call).orFail().out());
  }

  @Test
  void theKindsAreThoseOfTheCodeAndStayWhenTheReleaseGoes() {
    var kinds = Helm.offline(home).template(CHART, "--show-only=templates/crds.yaml");
    assertThat(kinds)
        .allSatisfy(crd ->
            assertThat(crd.getMetadata().getAnnotations())
                .containsEntry("helm.sh/resource-policy", "keep"));
    assertThat(specs(kinds))
        .isEqualTo(
            specs(Crds.documents().stream().flatMap(d -> Helm.objects(d).stream()).toList()));
    assertThat(
            Helm.offline(home)
                .template(CHART, "--show-only=templates/crds.yaml", "--set=crds.keep=false"))
        .allSatisfy(crd -> assertThat(crd.getMetadata().getAnnotations()).isNullOrEmpty());
  }

  /** By default Kubernetes adds ours to its own; off by one value, and never with one namespace. */
  @ParameterizedTest
  @ValueSource(
      strings = {"rbac.aggregateRoles=false", "flags.watchSingleNamespace=ci", "replicaCount=2"})
  void theRolesForPeopleAreMadeUnlessOneSaysNo(String value) {
    var labels =
        Helm.offline(home).template(CHART, "--set=" + value).stream()
            .filter(object -> object.getKind().equals("ClusterRole"))
            .flatMap(role -> role.getMetadata().getLabels().keySet().stream())
            .filter(label -> label.startsWith("rbac.authorization.k8s.io/aggregate-to-"))
            .toList();
    assertThat(labels).hasSize(value.startsWith("replica") ? 5 : 0);
  }

  @Test
  void noClusterRoleThatIsBoundEverywhereHasSecretsOrMakesPods() {
    var objects = Helm.offline(home).run("template", CHART.toString()).orFail().out();
    var bound =
        of(objects, ClusterRoleBinding.class)
            .map(binding -> binding.getRoleRef().getName())
            .toList();
    assertThat(bound).containsExactly("runnerset-controller");
    var rules =
        of(objects, ClusterRole.class)
            .filter(role -> bound.contains(role.getMetadata().getName()))
            .flatMap(role -> role.getRules().stream())
            .toList();
    assertThat(rules)
        .flatExtracting(PolicyRule::getResources)
        .doesNotContain("secrets", "pods/log");
    assertThat(rules)
        .filteredOn(rule -> rule.getResources().contains("pods"))
        .flatExtracting(PolicyRule::getVerbs)
        .containsExactly("list", "watch");
  }

  /** However it is granted, it is the same: no choice has a verb more than another. */
  @Test
  void theControllerMayTheSameInANamespaceOfSetsWhateverTheChoice() {
    var everywhere = inNamespaceOfSets("rbac.allNamespaces=true");
    assertThat(everywhere).hasSizeGreaterThan(30);
    assertThat(inNamespaceOfSets("rbac.setNamespaces={a}")).isEqualTo(everywhere);
    var inOne = inNamespaceOfSets("flags.watchSingleNamespace=a");
    assertThat(everywhere).containsAll(inOne);
    // nodes are in no namespace, and the lease of another controller is in its own
    var elsewhere = everywhere.stream().filter(pair -> !inOne.contains(pair));
    assertThat(elsewhere).containsExactlyInAnyOrder("list nodes", "watch nodes", "get leases");
  }

  private static Set<String> inNamespaceOfSets(String choice) {
    var objects =
        Helm.offline(home).run("template", CHART.toString(), "--set=" + choice).orFail().out();
    return Stream.concat(
            of(objects, ClusterRole.class)
                .filter(role -> !isForPeople(role))
                // bound in the namespace of the listener alone
                .filter(role -> !role.getMetadata().getName().equals("runnerset-listener-objects"))
                .flatMap(role -> role.getRules().stream()),
            of(objects, Role.class)
                .filter(role -> "a".equals(role.getMetadata().getNamespace()))
                .flatMap(role -> role.getRules().stream()))
        .flatMap(rule ->
            rule.getResources().stream()
                .flatMap(resource -> rule.getVerbs().stream().map(verb -> verb + " " + resource)))
        .filter(word -> !word.contains("admissionpolic")) // in no namespace
        .collect(Collectors.toSet());
  }

  private static boolean isForPeople(ClusterRole role) {
    return role.getMetadata().getLabels().keySet().stream()
        .anyMatch(label -> label.startsWith("rbac.authorization.k8s.io/aggregate-to-"));
  }

  private static <T> Stream<T> of(String yaml, Class<T> kind) {
    return Stream.of(yaml.split("(?m)^---$"))
        .filter(text -> text.contains("\nkind: " + kind.getSimpleName() + "\n"))
        .map(text -> Serialization.unmarshal(text, kind));
  }

  private static Map<String, CustomResourceDefinitionSpec> specs(
      List<GenericKubernetesResource> kinds) {
    return kinds.stream()
        .map(kind ->
            Serialization.unmarshal(Serialization.asJson(kind), CustomResourceDefinition.class))
        .collect(
            Collectors.toMap(
                kind -> kind.getMetadata().getName(), CustomResourceDefinition::getSpec));
  }

  /** A flag that the programs do not know would keep every pod from starting. */
  @ParameterizedTest
  @MethodSource("valuesFiles")
  void theProgramsTakeTheFlagsOfTheirPods(String name) {
    var objects = Helm.offline(home).template(CHART, values(name));
    var controller = new CommandLine(new ControllerMain());
    assertThat(controller.parseArgs(flags(objects, "runnerset-controller")).matchedArgs())
        .hasSizeGreaterThan(10);
    var listener = new ListenerCommand().line();
    assertThat(listener.parseArgs(flags(objects, "runnerset-listener")).matchedArgs())
        .hasSizeGreaterThan(5);
  }

  private static String[] flags(List<GenericKubernetesResource> objects, String deployment) {
    var found =
        objects.stream()
            .filter(o -> o.getKind().equals("Deployment"))
            .filter(o -> o.getMetadata().getName().equals(deployment))
            .findFirst()
            .orElseThrow();
    List<Map<String, Object>> containers = found.get("spec", "template", "spec", "containers");
    return ((List<?>) Objects.requireNonNull(containers.getFirst().get("args")))
        .stream().map(String::valueOf).toArray(String[]::new);
  }

  record Refusal(String set, String says) {}

  static Stream<Refusal> refusals() {
    return Stream.of(
        new Refusal("replicas=3", "additional properties 'replicas' not allowed"),
        new Refusal("listener.flags.log=debug", "additional properties 'log' not allowed"),
        new Refusal("flags.leaseDuration=soon", "is 'soon': write a time as 90s, 5m or 1h30m"),
        new Refusal("replicaCount=two", "want integer"),
        new Refusal(
            "allowedHosts={a.corp,https://ghes.corp}",
            "allowedHosts is 'https://ghes.corp': it names no host: write github.example.com"),
        new Refusal(
            "nodes.leavingTaints={a b}", "nodes.leavingTaints has 'a b': write the key of a taint"),
        new Refusal("nodes.leavingTaints={a,}", "nodes.leavingTaints has ''"),
        new Refusal(
            "nodes.leavingTaints={kubernetes.azure.com/*}",
            "but kubernetes.azure.com/scalesetpriority does not announce the end of a node"),
        new Refusal("nodes.leavingTaints={*}", "does not announce the end of a node"),
        new Refusal("extraArgs[0]=--node-taints=false", "--node-taints has a value of its own"),
        new Refusal("allowedHosts={a.corp:99430}", "'a.corp:99430': write a port of 1 to 65535"),
        new Refusal(
            "image.repository=runnerset/controller:0.1.0",
            "write it without a tag or a digest, and the tag in image.tag"),
        new Refusal("listener.image.repository=a@sha256:b", "the digest in listener.image.digest"),
        new Refusal("image.tag=a:b", "image.tag is 'a:b': write the tag alone"),
        new Refusal("image.digest=abc", "image.digest is 'abc': write sha256:"),
        new Refusal("namespaceOverride=My_Team", "'My_Team': write 1 to 63 characters"),
        new Refusal("rbac.setNamespaces={ok,No_}", "rbac.setNamespaces is 'No_'"),
        new Refusal("podLabels.a=b c", "the label a of podLabels is 'b c'"),
        new Refusal("metrics.podMonitor.interval=often", "write a time as 30s"),
        new Refusal(
            "flags.featureGates.RunnerMaximumGcAge=true",
            "there is no feature gate RunnerMaximumGcAge; there is RunnerMaximumGCAge"),
        new Refusal(
            "extraArgs[0]=--log-level=debug",
            "extraArgs: the program has no flag --log-level; there are --identity, --kubeconfig"),
        new Refusal(
            "listener.extraArgs[0]=-v",
            "listener.extraArgs: the program has no flag -v; there are"),
        new Refusal("networkPolicy.enabled=true", "additional properties 'enabled' not allowed"),
        new Refusal("extraArgs[0]=--allowed-hosts=a", "--allowed-hosts has a value of its own"),
        new Refusal("labels.helm\\.sh/chart=x", "invalid propertyName 'helm.sh/chart'"),
        new Refusal("image.registry=https://r.example", "write a registry without https://"),
        new Refusal("proxy.https=http://user:password@proxy:80", "write a URL without user"),
        new Refusal("serviceAccount.name=default", "name an account of its own"),
        new Refusal(
            "listener.serviceAccount.create=false",
            "set listener.serviceAccount.name to the account that exists"),
        new Refusal("flags.leaseDuration=8s", "flags.leaseDuration must be longer than"),
        new Refusal("listener.flags.retryPeriod=7s", "that longer than listener.flags.retryPeriod"),
        new Refusal(
            "listener.flags.usageRepositories={o/r,my-org}",
            "listener.flags.usageRepositories is 'my-org': it names no repository: write"),
        new Refusal("listener.flags.grace=21s", "must be at least 31, 10 more than"),
        new Refusal(
            "flags.runnerMaximumGCAge=1h", "set flags.featureGates.RunnerMaximumGCAge to true"),
        new Refusal("extraArgs[0]=--namespace=team-a", "--namespace has a value of its own"),
        new Refusal("env[0].name=POD_NAME", "POD_NAME is set by this chart"),
        new Refusal("env[0].name=HTTPS_PROXY,proxy.https=http://proxy:80", "use one of them"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void whatCannotWorkIsRefusedWithWhatToChange(Refusal row) {
    var result =
        Helm.offline(home).run("template", "runnerset", CHART.toString(), "--set=" + row.set());
    assertThat(result.exit()).isNotZero();
    assertThat(result.err()).contains(row.says()).doesNotContain("pattern", "[a-z");
  }

  @Test
  void bothDashboardsAreThereForGrafana() {
    assertThat(Helm.offline(home).template(CHART, "--set=dashboard.enabled=true"))
        .filteredOn(object -> object.getMetadata().getName().startsWith("runnerset-dashboard"))
        .extracting(object -> String.valueOf(object.getAdditionalProperties().get("data")))
        .satisfiesExactly(
            data -> assertThat(data).contains("runnerset.json", "Sets not ready"),
            data -> assertThat(data).contains("runnerset-usage.json", "Idle share"));
  }

  @Test
  void theListOfRepositoriesIsAFlagOfTheListener() {
    var wanted = "--set=listener.flags.usageRepositories={my-org/app,other/*}";
    assertThat(Helm.offline(home).template(CHART, wanted).toString())
        .contains("--usage-repositories=my-org/app,other/*");
    assertThat(Helm.offline(home).template(CHART).toString()).doesNotContain("--usage");
  }

  /** P-D: as in a file where the lines below a key are commented out. */
  @Test
  void aKeyWithoutAValueIsAsIfItWereAbsent() throws IOException {
    var none =
        Set.of("podSecurityContext", "securityContext", "resources", "labels", "annotations");
    var made = Helm.offline(home).run("template", CHART.toString()).orFail().out();
    for (var text : ValuesWithoutValues.of(CHART.resolve("values.yaml"), none)) {
      var file = Files.writeString(Files.createTempFile(home, "empty", ".values.yaml"), text);
      var call = new String[] {"template", CHART.toString(), "--values=" + file};
      assertThat(Helm.offline(home).run(call).orFail().out()).as(text).isEqualTo(made);
    }
  }

  /** What the chart refuses in extraArgs, and what it offers instead, are all flags there are. */
  @Test
  void theChartKnowsTheFlagsAndTheGatesOfThePrograms() throws IOException {
    var checks = Files.readString(CHART.resolve("templates/_checks.tpl"));
    var known =
        checks
            .lines()
            .filter(line -> line.startsWith("{{- $own := ") || line.startsWith("{{- $known := "))
            .flatMap(line -> Pattern.compile("\"(--[a-z-]+)\"").matcher(line).results())
            .map(found -> found.group(1))
            .collect(Collectors.toSet());
    var flags =
        Stream.of(new CommandLine(new ControllerMain()), new ListenerCommand().line())
            .flatMap(line -> line.getCommandSpec().optionsMap().keySet().stream())
            .filter(name -> name.startsWith("--"))
            .filter(name -> !Set.of("--help", "--version").contains(name))
            .collect(Collectors.toSet());
    assertThat(known).isEqualTo(flags);
    for (var gate : FeatureGate.values()) {
      assertThat(checks).contains('"' + gate.word() + '"');
    }
  }

  @Test
  void twentyOneSecondsOfGraceFitALongerEnd() {
    assertThat(
            Helm.offline(home)
                .template(
                    CHART,
                    "--set=listener.flags.grace=21s",
                    "--set=listener.terminationGracePeriodSeconds=31"))
        .isNotEmpty();
  }

  private static String values(String name) {
    return "--values=" + VALUES.resolve(name + ".values.yaml");
  }
}
