package dev.runnerset.testcluster;

import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A real control plane for tests: etcd, kube-apiserver (RBAC on, audited) and, unless switched off,
 * kube-controller-manager, on free ports of 127.0.0.1, all state in a temporary folder. There are
 * no nodes and no kubelet, and no scheduler until {@link #startScheduler}: pods stay Pending until
 * a test writes their status.
 *
 * <p>A start takes seconds and some 450 MB, so the tests of a JVM share one: {@link #shared}, each
 * in a namespace of its own. Where the programs are missing the tests are skipped with a reason:
 *
 * <pre>{@code
 * @BeforeAll
 * static void start() {
 *   TestCluster.unavailableReason().ifPresent(Assumptions::abort);
 *   cluster = TestCluster.shared(crds);
 * }
 * }</pre>
 *
 * <p>Safe for concurrent use. However this JVM ends, its processes end with it.
 */
public final class TestCluster implements AutoCloseable {
  private static final int START_TRIES = 3;
  private static final Duration TOKEN_LIFE = Duration.ofHours(24);

  private final ControlPlane plane;
  private final Programs programs;
  private final Thread atExit = new Thread(this::stopOnce, "test-cluster-stop");
  private final AtomicBoolean stopped = new AtomicBoolean();

  /**
   * What to start.
   *
   * @param yaml objects, one or more documents a text, applied in this order before
   *     kube-controller-manager starts. CRDs belong here: it learns of a later CRD only within 30
   *     s, and until then neither collects owned objects of the kind nor counts its pods for a
   *     disruption budget
   * @param controllers whether kube-controller-manager runs; without it nothing collects garbage,
   *     deletes the content of namespaces or makes service accounts {@code default}
   */
  public record Options(List<String> yaml, boolean controllers) {
    public Options {
      yaml = List.copyOf(yaml);
    }

    /** Controllers, and no objects. */
    public static Options defaults() {
      return new Options(List.of(), true);
    }

    /** With these objects instead. */
    public Options withYaml(List<String> texts) {
      return new Options(texts, controllers);
    }

    public Options withoutControllers() {
      return new Options(yaml, false);
    }
  }

  private TestCluster(ControlPlane plane, Programs programs) {
    this.plane = plane;
    this.programs = programs;
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /**
   * Why no cluster can be started here, empty if one can: no programs in {@code KUBE_API_TEST_DIR},
   * no Go to build them, or switched off by {@code RUNNERSET_TEST_CLUSTER=off}. Never builds.
   */
  public static Optional<String> unavailableReason() {
    ProgramSource source =
        switch (source(true)) {
          // Without Go the script is quick either way: it finds what was built before, or says no.
          case ProgramSource.Buildable(Path script) when !finder().isOnPath("go") ->
              BuildScript.run(script);
          case ProgramSource other -> other;
        };
    return source instanceof ProgramSource.Unavailable(String reason)
        ? Optional.of(reason)
        : Optional.empty();
  }

  /**
   * Starts a cluster and returns when it answers and its namespace {@code default} is usable. Takes
   * some seconds, and minutes when the programs have to be built first.
   *
   * @throws ClusterStartException with the end of a log, when a program or the build fails
   * @throws IllegalStateException when {@link #unavailableReason} says why
   */
  public static TestCluster start(Options options) {
    Programs programs = programs(options.controllers());
    for (int tries = 1; ; tries++) {
      try {
        return new TestCluster(ControlPlane.start(programs, options), programs);
      } catch (ClusterStartException e) {
        if (!e.isPortTaken() || tries == START_TRIES) {
          throw e;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /**
   * The cluster that all tests of this JVM share, with controllers, started by the first call and
   * stopped at the end of the JVM: do not close it. Later calls must name the same objects.
   */
  public static TestCluster shared(List<String> crdYaml) {
    return SharedCluster.with(crdYaml);
  }

  /** A kubeconfig of the administrator, certificates inside, RSA key in PKCS#8. */
  public String adminKubeconfig() {
    try {
      return Files.readString(adminKubeconfigFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The same with a new key in this form, for tests of kubeconfig readers. */
  public String adminKubeconfig(KeyForm form) {
    return plane.kubeconfig().withCertificate("admin", plane.newAdmin(form));
  }

  /** The file with {@link #adminKubeconfig()}; goes away with the cluster. */
  public Path adminKubeconfigFile() {
    return plane.workspace().adminKubeconfig();
  }

  /**
   * A kubeconfig with a fresh token (24 h) of this service account, which must exist, and its
   * namespace as default.
   */
  public String kubeconfigFor(String namespace, String serviceAccount) {
    TokenRequest request =
        new TokenRequestBuilder()
            .withNewSpec()
            .withExpirationSeconds(TOKEN_LIFE.toSeconds())
            .endSpec()
            .build();
    TokenRequest answer =
        adminClient()
            .serviceAccounts()
            .inNamespace(namespace)
            .withName(serviceAccount)
            .tokenRequest(request);
    return plane.kubeconfig().withToken(serviceAccount, namespace, answer.getStatus().getToken());
  }

  /** The cluster's own client, user agent {@code test-cluster-admin}. Do not close it. */
  public KubernetesClient adminClient() {
    return plane.admin();
  }

  /** A new client with this kubeconfig that the audit log tells from others. The caller closes. */
  public KubernetesClient client(String kubeconfig, String userAgent) {
    return Clients.of(kubeconfig, userAgent);
  }

  /** A reader of all requests since the cluster started. */
  public Audit audit() {
    return Audit.fromStart(plane.workspace().auditLog());
  }

  /** A reader of the requests that are answered from now on. */
  public Audit auditFromNow() {
    return Audit.fromNow(plane.workspace().auditLog());
  }

  /** The kubectl that came with the programs; empty if none did. */
  public Optional<Path> kubectl() {
    return programs.kubectl();
  }

  public int apiServerPid() {
    return Math.toIntExact(plane.apiServer().pid());
  }

  /** Processor time that kube-apiserver has used so far, to 10 ms. */
  public Duration apiServerCpuTime() {
    return plane.apiServer().cpuTime();
  }

  /**
   * Ends kube-apiserver as a crash does. Not for a {@link #shared} cluster: nothing answers until
   * {@link #startApiServerAgain}.
   */
  public void killApiServer() {
    plane.killApiServer();
  }

  /** Starts kube-apiserver at its former port and returns when it answers. */
  public void startApiServerAgain() {
    try {
      plane.startApiServer();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts kube-scheduler, which binds pods to the nodes that there are. Not for a {@link #shared}
   * cluster, whose tests bind pods themselves.
   *
   * @return false if none came with the programs
   */
  public boolean startScheduler() {
    var program = programs.scheduler();
    try {
      if (program.isPresent()) {
        plane.startScheduler(program.get());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return program.isPresent();
  }

  /** Lets etcd hang: kube-apiserver is there, and can neither write nor read again. */
  public void pauseEtcd() {
    plane.etcd().signal("STOP");
  }

  /** Lets etcd go on. */
  public void resumeEtcd() {
    plane.etcd().signal("CONT");
  }

  /** Ends the processes and deletes their folder; does nothing the second time. */
  @Override
  public void close() {
    if (stopOnce()) {
      try {
        Runtime.getRuntime().removeShutdownHook(atExit);
      } catch (IllegalStateException _) {
        // The JVM is ending already, and the hook will find nothing to do.
      }
    }
  }

  private boolean stopOnce() {
    boolean first = stopped.compareAndSet(false, true);
    if (first) {
      plane.stop();
    }
    return first;
  }

  private static Programs programs(boolean controllers) {
    ProgramSource source =
        switch (source(controllers)) {
          case ProgramSource.Buildable(Path script) -> BuildScript.run(script);
          case ProgramSource other -> other;
        };
    return switch (source) {
      case ProgramSource.Ready(Programs found) -> found;
      case ProgramSource.Unavailable(String reason) -> throw new IllegalStateException(reason);
      case ProgramSource.Buildable(Path script) -> throw new IllegalStateException("" + script);
    };
  }

  private static ProgramSource source(boolean controllers) {
    return finder().find(controllers);
  }

  static ProgramFinder finder() {
    return new ProgramFinder(System.getenv(), Path.of(""));
  }
}
