package dev.runnerset.e2e.access;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.Labels;
import dev.runnerset.demo.cluster.Cluster;
import dev.runnerset.demo.cluster.RealCluster;
import dev.runnerset.demo.world.World;
import dev.runnerset.e2e.Play;
import dev.runnerset.e2e.RepositoryFiles;
import dev.runnerset.e2e.Shell;
import dev.runnerset.e2e.access.Discovery.Served;
import dev.runnerset.kube.KubeConnection;
import dev.runnerset.testcluster.TestCluster;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * What each identity may do on a real server, while both programs run and the controller has
 * granted the listener what it grants (WR5, WR9): every verb for every resource, asked with the
 * identity's own token, as the table in docs/reference/permissions.md has it. With {@code
 * -Drunnerset.write=true} this test writes that table. Of the listener every write is besides tried
 * by a real request.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class RealRbacIT {
  private static final String TRUSTED = "runnerset-listener";
  private static final String ANOTHER = "another";
  private static final Set<String> OF_SETS = Set.of("github", World.SET);
  private static final Map<String, String> METHOD_BY_VERB =
      Map.of(
          "create", "POST",
          "update", "PUT",
          "patch", "PATCH",
          "delete", "DELETE",
          "deletecollection", "DELETE");

  private RealCluster cluster;
  private Shell shell;
  private World world;
  private KubernetesClient admin;
  private KubernetesClient listener;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    TestCluster.unavailableReason().ifPresent(Assumptions::abort);
    cluster = Play.realCluster(folder);
    shell = new Shell(cluster.server(), folder);
    world = Play.world(cluster, folder);
    world.begin(0, 5); // the controller grants
    admin = new KubernetesClientBuilder().withConfig(cluster.admin()).build();
    listener = KubeConnection.connect(Optional.of(cluster.listenerKubeconfig()), "rbac-test");
  }

  @AfterAll
  void stop() {
    for (AutoCloseable part : new AutoCloseable[] {listener, admin, world, cluster}) {
      try {
        if (part != null) {
          part.close();
        }
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Where an identity is asked, and its words in the table. */
  private static Map<String, String> places(
      String sets, String other, String listener, String home) {
    var places = new LinkedHashMap<String, String>();
    places.put(sets, "a namespace of sets");
    places.put(other, "another namespace");
    places.put(listener, "the listener's namespace");
    places.put(home, "the controller's namespace");
    return places;
  }

  @Test
  void eachIdentityMayDoWhatTheTableSays(@TempDir Path folder) throws IOException {
    make("{apiVersion: v1, kind: Namespace, metadata: {name: alone}}");
    make(
        Cluster.identities(true)
            .replaceAll("\\bdemo\\b", "alone")
            .replace("runnerset-system", "alone-system")
            .replace("runnerset-listener", "alone-listener"));
    var served = Discovery.of(admin);
    var here = places("demo", "default", TRUSTED, "runnerset-system");
    var there = places("alone", "default", "alone-listener", "alone-system");
    var found = new LinkedHashMap<String, AccessWalk.Result>();
    var namesHere = named(Map.of("demo", OF_SETS, TRUSTED, Set.of("runnerset-listener-objects")));
    var namesThere = named(Map.of("alone", OF_SETS));
    var controller = cluster.controllerKubeconfig();
    var single = token(folder, "alone-system", "runnerset-controller");
    found.put("The controller", walk(controller, served, here, namesHere));
    found.put("The controller with `--namespace`", walk(single, served, there, namesThere));
    found.put(
        "The listener, with one set that names one secret",
        walk(cluster.listenerKubeconfig(), served, here, namesHere));
    found.put("A runner's pod", walk(token(folder, "demo", "default"), served, here, namesHere));
    var ours = served.stream().filter(each -> each.group().equals("runnerset.dev")).toList();
    for (var role : List.of("view", "edit", "admin")) {
      found.put(
          "A user with the role `" + role + "` in a namespace of sets, of our kinds",
          walk(user(folder, role), ours, here, namesHere));
    }
    var asked = found.values().stream().mapToInt(AccessWalk.Result::asked).sum();
    System.out.println("reviews: " + asked);
    assertThat(asked).as("reviews").isGreaterThan(15_000);
    var page = RepositoryFiles.ROOT.resolve("docs/reference/permissions.md");
    var before = Files.readString(page);
    var wanted = PermissionsTable.in(before, found);
    if (Boolean.getBoolean("runnerset.write")) {
      Files.writeString(page, wanted);
    }
    assertThat(page).content().isEqualTo(wanted);
  }

  /** The same names in a fixed order. */
  private static SortedMap<String, Set<String>> named(Map<String, Set<String>> names) {
    var sorted = new TreeMap<String, Set<String>>();
    names.forEach((namespace, each) -> sorted.put(namespace, new TreeSet<>(each)));
    return sorted;
  }

  private static AccessWalk.Result walk(
      Path kubeconfig,
      List<Served> served,
      Map<String, String> places,
      SortedMap<String, Set<String>> names) {
    var config = Config.fromKubeconfig(kubeconfig.toFile());
    var token = Optional.ofNullable(config.getAutoOAuthToken()).orElseGet(config::getOauthToken);
    try (var client = new KubernetesClientBuilder().withConfig(config).build()) {
      return new AccessWalk(client, token, served).walk(places, names);
    }
  }

  /** An account with that role of Kubernetes, to which the API server has added ours. */
  private Path user(Path folder, String role) throws IOException {
    make(
        """
        {apiVersion: v1, kind: ServiceAccount, metadata: {name: %1$s, namespace: demo}}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: %1$s, namespace: demo}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %1$s}
        subjects: [{kind: ServiceAccount, name: %1$s, namespace: demo}]
        """
            .formatted(role));
    var roles = admin.rbac().clusterRoles();
    world.await(
        role + " has rules of ours",
        Duration.ofSeconds(30),
        () -> roles.withName(role).get().toString().contains("autoscalingrunnersets"),
        () -> role);
    return token(folder, "demo", role);
  }

  private Path token(Path folder, String namespace, String account) throws IOException {
    var file = folder.resolve(namespace + "-" + account + ".kubeconfig");
    return Files.writeString(file, cluster.kubeconfigFor(namespace, account));
  }

  private void make(String yaml) {
    for (var object :
        admin.load(new ByteArrayInputStream(("---\n" + yaml).getBytes(UTF_8))).items()) {
      admin.resource(object).createOr(existing -> existing.update());
    }
  }

  /**
   * The set names the command that binds the role. Everything is deleted at once, the binding too:
   * without it the set could never go.
   */
  @Test
  void aNamespaceOfSetsCanBeDeletedAtOnce() throws Exception {
    makeSet("leaving");
    awaitMessage("leaving", "kubectl create rolebinding ");
    shell(command("leaving", "kubectl create rolebinding ", " (where "));
    awaitIdleRunnerAndHeldBinding("leaving");
    admin.namespaces().withName("leaving").delete();
    awaitGone("leaving", Duration.ofSeconds(90));
    assertThat(registrations("leaving")).as("registrations that are left").isZero();
  }

  /** As a chart of a set does that names another namespace in controllerServiceAccount. */
  @Test
  void aSetWhoseRoleIsBoundToAnotherAccountNamesBothAndCanBeDeleted() throws Exception {
    make("{apiVersion: v1, kind: Namespace, metadata: {name: misbound}}");
    make(
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata:
          name: misbound-manager
          namespace: misbound
          labels: {app.kubernetes.io/part-of: runnerset, app.kubernetes.io/component: manager}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: runnerset-manager}
        subjects: [{kind: ServiceAccount, name: runnerset-controller, namespace: elsewhere}]
        """);
    makeSet("misbound");
    awaitMessage("misbound", "names elsewhere/runnerset-controller");
    assertThat(message("misbound")).contains("this controller is runnerset-system/");
    admin.namespaces().withName("misbound").delete();
    awaitGone("misbound", Duration.ofSeconds(90));
  }

  /** The secret goes first there, and the next controller has read nothing of it (DL7). */
  @Test
  void aNamespaceThatIsDeletedWhileNoControllerRunsGoesByTheCommandOfItsSet() throws Exception {
    makeSet("deserted");
    world.admit("deserted");
    awaitIdleRunnerAndHeldBinding("deserted");
    world.controller().kill();
    admin.namespaces().withName("deserted").delete();
    var secret = admin.secrets().inNamespace("deserted").withName("github");
    world.await("no secret", Duration.ofSeconds(30), () -> secret.get() == null, () -> "");
    world.controller().start();
    awaitMessage("deserted", "The namespace is being deleted, and the credentials of the set");
    assertThat(message("deserted")).startsWith("The namespace is being deleted");
    awaitMessage("deserted", "1 runners run without a known job, and wait until they are forced");
    shell(command("deserted", "kubectl annotate ", "; "));
    awaitGone("deserted", Duration.ofSeconds(90));
  }

  /** A controller that ends before it holds the binding loses its rights with the namespace. */
  private void awaitIdleRunnerAndHeldBinding(String set) {
    world.await(
        "a runner is idle, and the binding is held",
        Duration.ofMinutes(2),
        () ->
            registrations(set) == 1
                && admin.rbac().roleBindings().inNamespace(set).list().getItems().stream()
                    .anyMatch(binding -> binding.hasFinalizer(Labels.MANAGER_FINALIZER)),
        () -> message(set));
  }

  private void makeSet(String name) {
    make("{apiVersion: v1, kind: Namespace, metadata: {name: %s}}".formatted(name));
    make(
        """
        {apiVersion: v1, kind: Secret, metadata: {name: github, namespace: %1$s}, stringData: {github_token: demo-token}}
        ---
        apiVersion: runnerset.dev/v1alpha1
        kind: AutoScalingRunnerSet
        metadata: {name: %1$s, namespace: %1$s}
        spec:
          githubConfigUrl: %2$s
          githubConfigSecret: {name: github}
          minRunners: 1
          maxRunners: 1
          template:
            spec:
              containers: [{name: runner, image: "ghcr.io/actions/actions-runner:2.338.1"}]
        """
            .formatted(name, world.set().getSpec().githubConfigUrl()));
  }

  private long registrations(String set) {
    return world.service().runners().stream()
        .filter(runner -> runner.name().startsWith(set + "-") && runner.state().equals("IDLE"))
        .count();
  }

  /** What the set in the namespace of its name says in Ready. */
  private String message(String name) {
    var set = admin.resources(AutoScalingRunnerSet.class).inNamespace(name).withName(name).get();
    return set == null || set.getStatus() == null
        ? ""
        : set.getStatus().conditions().stream()
            .filter(condition -> condition.getType().equals("Ready"))
            .map(Condition::getMessage)
            .findFirst()
            .orElse("");
  }

  private void awaitMessage(String name, String part) {
    world.await(
        "the set says " + part,
        Duration.ofSeconds(120),
        () -> message(name).contains(part),
        () -> message(name));
  }

  private void awaitGone(String namespace, Duration atMost) {
    world.await(
        "the namespace is gone",
        atMost,
        () -> admin.namespaces().withName(namespace).get() == null,
        () -> message(namespace) + admin.namespaces().withName(namespace).get());
  }

  private String command(String set, String begin, String end) {
    var message = message(set);
    int from = message.indexOf(begin);
    int to = message.indexOf(end, from);
    return message.substring(from, to < 0 ? message.length() : to);
  }

  private void shell(String command) {
    shell.run(command).done();
  }

  @Test
  void everyOtherWriteIsRefused() {
    var allowed = new TreeSet<String>();
    int tried = 0;
    for (var resource : Discovery.of(admin)) {
      for (var verb : resource.verbs()) {
        var method = METHOD_BY_VERB.get(verb);
        if (method == null) {
          continue; // no write
        }
        for (var namespace : namespaces(resource)) {
          tried++;
          if (isAllowed(method, path(resource, namespace, ANOTHER, verb))) {
            allowed.add(namespace + " " + verb + " " + resource.name());
          }
        }
      }
    }
    assertThat(tried).as("writes that were tried").isGreaterThan(300);
    assertThat(allowed)
        .containsExactlyInAnyOrder(
            // marks on runners, by any name: it cannot know them before
            "demo patch ephemeralrunners/status",
            // its own namespace
            TRUSTED + " patch autoscalinglisteners/status",
            TRUSTED + " create leases",
            TRUSTED + " update leases",
            TRUSTED + " patch leases",
            // of everybody that is logged in: questions about himself, nothing is stored
            "- create selfsubjectaccessreviews",
            "- create selfsubjectreviews",
            "- create selfsubjectrulesreviews");
  }

  @Test
  void theDemandOfItsSetMayBeWrittenAndOfNoOther() {
    assertThat(isAllowed("PATCH", ers("linux") + "/status")).isTrue();
    assertThat(isAllowed("PATCH", ers(ANOTHER) + "/status")).isFalse();
    assertThat(isAllowed("PATCH", ers("linux"))).as("its spec").isFalse();
    assertThat(isAllowed("PATCH", ers("linux") + "/scale")).as("its scale").isFalse();
    assertThat(isAllowed("GET", ers("linux"))).as("reading it").isFalse();
  }

  @Test
  void theSecretOfItsSetMayBeReadAndNoOther() {
    assertThat(isAllowed("GET", "/api/v1/namespaces/demo/secrets/github")).isTrue();
    assertThat(isAllowed("GET", "/api/v1/namespaces/demo/secrets/" + ANOTHER)).isFalse();
    assertThat(isAllowed("GET", "/api/v1/namespaces/demo/secrets")).as("all of them").isFalse();
    assertThat(isAllowed("GET", "/api/v1/namespaces/default/secrets/github")).isFalse();
  }

  private static String ers(String name) {
    return "/apis/runnerset.dev/v1alpha1/namespaces/demo/ephemeralrunnersets/" + name;
  }

  private static List<String> namespaces(Served resource) {
    return resource.namespaced() ? List.of("demo", TRUSTED, "default") : List.of("-");
  }

  private static String path(Served resource, String namespace, String name, String verb) {
    var parts = resource.name().split("/", 2);
    var path = resource.root() + (resource.namespaced() ? "/namespaces/" + namespace : "");
    path += "/" + parts[0];
    if (parts.length == 2) {
      return path + "/" + name + "/" + parts[1];
    }
    return verb.equals("create") || verb.equals("deletecollection") ? path : path + "/" + name;
  }

  /** Whether the server lets it through; what it says of the content then is another matter. */
  private boolean isAllowed(String method, String path) {
    try {
      listener.raw(path, method, method.equals("GET") ? null : Map.of());
      return true;
    } catch (KubernetesClientException e) {
      if (Set.of(0, 429, 503, 504).contains(e.getCode())) {
        throw e; // nobody decided about the request
      }
      return e.getCode() != 403;
    }
  }
}
