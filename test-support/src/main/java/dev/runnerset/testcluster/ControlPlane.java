package dev.runnerset.testcluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The running programs with their folder. Started and stopped by one thread at a time. */
final class ControlPlane {
  private static final String ADMIN_BINDING =
      """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: test-cluster-admin}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
      subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: admin}]
      """;
  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final Duration STOP_GRACE = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(50);

  private final Workspace workspace;
  private final Ports ports;
  private final CertificateAuthority authority;
  private final Kubeconfig kubeconfig;
  private final CommandLines commands;
  private final Deque<ServerProcess> running = new ArrayDeque<>();
  private @Nullable KubernetesClient admin;
  private @Nullable ServerProcess apiServer;
  private @Nullable ServerProcess etcd;
  private boolean controllers;

  private ControlPlane(Programs programs, Workspace workspace, Ports ports) {
    this.workspace = workspace;
    this.ports = ports;
    authority = new CertificateAuthority();
    kubeconfig = new Kubeconfig(ports.apiServerUrl(), authority.certificate());
    commands = new CommandLines(programs, workspace, ports);
  }

  /** Returns when everything answers; leaves nothing behind when it fails. */
  static ControlPlane start(Programs programs, TestCluster.Options options) throws IOException {
    ControlPlane plane = new ControlPlane(programs, Workspace.create(), Ports.free());
    try {
      plane.start(options);
      return plane;
    } catch (IOException | RuntimeException e) {
      plane.stop();
      throw e;
    }
  }

  private void start(TestCluster.Options options) throws IOException {
    workspace.fill(authority, kubeconfig);
    controllers = options.controllers();
    etcd = launch("etcd", commands.etcd());
    startApiServer();
    String bootstrap = kubeconfig.withToken("bootstrap", "default", Workspace.BOOTSTRAP_TOKEN);
    try (KubernetesClient master = Clients.of(bootstrap, "test-cluster-bootstrap")) {
      master.resource(ADMIN_BINDING).forceConflicts().serverSideApply();
    }
    String text = Files.readString(workspace.adminKubeconfig());
    admin = Clients.of(text, "test-cluster-admin");
    options.yaml().forEach(this::apply);
    if (options.controllers()) {
      launch("kube-controller-manager", commands.controllers());
      await("service account of the namespace default", this::hasDefaultServiceAccount);
    }
  }

  KubernetesClient admin() {
    return Objects.requireNonNull(admin);
  }

  ServerProcess apiServer() {
    return Objects.requireNonNull(apiServer);
  }

  ServerProcess etcd() {
    return Objects.requireNonNull(etcd);
  }

  /** Ends kube-apiserver as a crash does; everything that it stored is in etcd. */
  void killApiServer() {
    apiServer().kill();
    running.remove(apiServer());
  }

  /** Starts it, or starts it again with the ports and files that it had, until it answers. */
  void startApiServer() throws IOException {
    apiServer = launch("kube-apiserver", commands.apiServer(controllers));
    try (ReadyProbe probe = new ReadyProbe(ports.apiServerUrl(), authority.certificate())) {
      await("kube-apiserver ready", probe::isReady);
    }
  }

  /** Starts kube-scheduler beside the others. */
  void startScheduler(Path program) throws IOException {
    launch("kube-scheduler", commands.scheduler(program));
  }

  Workspace workspace() {
    return workspace;
  }

  Kubeconfig kubeconfig() {
    return kubeconfig;
  }

  /** A new credential of the administrator. */
  Credential newAdmin(KeyForm form) {
    return authority.client("admin", form);
  }

  /** The newest first: kube-apiserver takes its time to end when etcd is gone before it. */
  void stop() {
    Optional.ofNullable(admin).ifPresent(KubernetesClient::close);
    running.forEach(process -> process.stop(STOP_GRACE));
    workspace.delete();
  }

  private ServerProcess launch(String name, List<String> command) throws IOException {
    ServerProcess process = ServerProcess.start(name, command, workspace);
    running.push(process);
    return process;
  }

  private void apply(String yaml) {
    ByteArrayInputStream in = new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8));
    for (HasMetadata item : admin().load(in).items()) {
      admin().resource(item).forceConflicts().serverSideApply();
      if (item.getKind().equals("CustomResourceDefinition")) {
        await("CRD " + item.getMetadata().getName() + " served", () -> isEstablished(item));
      }
    }
  }

  private boolean isEstablished(HasMetadata crd) {
    var name = crd.getMetadata().getName();
    var stored = admin().apiextensions().v1().customResourceDefinitions().withName(name).get();
    // a new one has a status before it has conditions
    var conditions = stored.getStatus() == null ? null : stored.getStatus().getConditions();
    return conditions != null
        && conditions.stream()
            .anyMatch(c -> c.getType().equals("Established") && c.getStatus().equals("True"));
  }

  private boolean hasDefaultServiceAccount() {
    return admin().serviceAccounts().inNamespace("default").withName("default").get() != null;
  }

  private void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + START_LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      running.forEach(ServerProcess::requireAlive);
      if (System.nanoTime() - deadline > 0) {
        throw new ClusterStartException(
            "no %s within %s:%n%s".formatted(what, START_LIMIT, running.getFirst().logTail()));
      }
      try {
        TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ClusterStartException("interrupted while waiting for " + what, e);
      }
    }
  }
}
