package dev.runnerset.deployment.node;

import io.fabric8.kubernetes.api.model.BindingBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node whose containers are processes of this machine. It binds the pods that it is given, as a
 * scheduler does, and runs them as a kubelet and a container runtime do: from the file system of
 * their image, under their user, with their variables, volumes, memory limit and probes, each pod
 * in a network of its own. Linux, as root. What it does not do stands in docs/develop/test-node.md.
 * Thread-safe.
 */
public final class ProcessNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessNode.class);
  private static final String HOST = "127.0.0.1";
  private static final long CLOSE_SECONDS = 30;

  private final Options options;
  private final KubernetesClient client;
  private final NodeRegistration registration;
  private final SharedIndexInformer<Pod> pods;
  private final Map<String, Play> playsByUid = new ConcurrentHashMap<>();
  private final List<Happening> happenings = new CopyOnWriteArrayList<>();
  private final AtomicInteger addresses = new AtomicInteger();

  private record Play(PodRun run, Thread thread) {}

  /**
   * What the node is.
   *
   * @param admin access with all rights
   * @param pods a label selector: the pods it plays, of all namespaces
   * @param images by the name in the pod
   * @param folder where the pods have their files
   * @param doors ports of 127.0.0.1 that the pods reach beside the API server's
   */
  public record Options(
      Config admin,
      String name,
      String pods,
      Function<String, Optional<ContainerImage>> images,
      Path folder,
      List<Integer> doors,
      Clock clock) {}

  private ProcessNode(Options options) {
    this.options = options;
    client =
        new KubernetesClientBuilder()
            .withConfig(new ConfigBuilder(options.admin()).withUserAgent("process-node").build())
            .build();
    registration = new NodeRegistration(client, options.name(), HOST, options.clock());
    pods = client.pods().inAnyNamespace().withLabelSelector(options.pods()).runnableInformer(0);
    pods.addEventHandler(new Watcher());
    pods.exceptionHandler((started, failure) -> true);
    pods.run();
  }

  /** Registers the node and begins to play pods. */
  public static ProcessNode start(Options options) {
    return new ProcessNode(options);
  }

  /** What container.sh needs, tried at an empty folder. */
  private static final String TRIAL =
      """
      set -e
      cd "$1"
      mkdir lower upper work root
      mount -t overlay overlay -o lowerdir=lower,upperdir=upper,workdir=work root
      mkdir root/proc root/dev
      mount -t proc proc root/proc
      mount -t tmpfs tmpfs root/dev
      echo trial >/proc/sys/kernel/hostname
      """;

  /** Why no container can be started here; empty if it can. */
  public static Optional<String> unavailableReason() {
    try {
      var folder = Files.createTempDirectory("runnerset-node");
      var words = List.of("unshare", "--net", "--mount", "--pid", "--uts", "--ipc", "--fork");
      var command = new ArrayList<>(words);
      command.addAll(List.of("sh", "-c", TRIAL, "try", folder.toString()));
      var tried = new ProcessBuilder(command).redirectErrorStream(true).start();
      var said = new String(tried.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return tried.waitFor() == 0
          ? Optional.empty()
          : Optional.of("containers need root with CAP_SYS_ADMIN on Linux: " + said.strip());
    } catch (IOException e) {
      return Optional.of("containers need unshare of util-linux: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("interrupted");
    }
  }

  private final class Watcher implements ResourceEventHandler<Pod> {
    @Override
    public void onAdd(Pod pod) {
      look(pod);
    }

    @Override
    public void onUpdate(Pod before, Pod pod) {
      look(pod);
    }

    @Override
    public void onDelete(Pod pod, boolean unknown) {
      tell(pod, Happening.Kind.GONE, "");
      var play = playsByUid.get(pod.getMetadata().getUid());
      if (play != null) {
        play.run().vanish();
      }
    }
  }

  private void look(Pod pod) {
    var meta = pod.getMetadata();
    var play = playsByUid.get(meta.getUid());
    if (meta.getDeletionTimestamp() != null) {
      if (play != null) {
        play.run().terminate(Duration.ofSeconds(meta.getDeletionGracePeriodSeconds()));
      }
    } else if (play == null && pod.getSpec().getNodeName() == null) {
      playsByUid.put(meta.getUid(), begin(pod));
    }
  }

  private Play begin(Pod pod) {
    int number = addresses.incrementAndGet();
    var place =
        new ContainerEnvironment.Place(
            options.name(), HOST, "10.244.%d.%d".formatted(number / 250, number % 250 + 1), port());
    var run = new PodRun(pod, place, new Side(pod));
    var thread =
        Thread.ofVirtual()
            .name(pod.getMetadata().getName())
            .start(() -> {
              if (bind(pod)) {
                run.run();
              }
            });
    return new Play(run, thread);
  }

  private int port() {
    return URI.create(client.getConfiguration().getMasterUrl()).getPort();
  }

  private boolean bind(Pod pod) {
    var meta = pod.getMetadata();
    var binding =
        new BindingBuilder()
            .withNewMetadata()
            .withName(meta.getName())
            .withNamespace(meta.getNamespace())
            .withUid(meta.getUid())
            .endMetadata()
            .withNewTarget()
            .withApiVersion("v1")
            .withKind("Node")
            .withName(options.name())
            .endTarget()
            .build();
    try {
      client.bindings().inNamespace(meta.getNamespace()).resource(binding).create();
      tell(pod, Happening.Kind.BOUND, "");
      return true;
    } catch (KubernetesClientException e) {
      LOG.atInfo().addKeyValue("pod", meta.getName()).log("not bound: {}", e.getMessage());
      return false;
    }
  }

  private final class Side implements PodRun.Node {
    private final Pod pod;
    private final Path folder;

    Side(Pod pod) {
      this.pod = pod;
      folder = options.folder().resolve(pod.getMetadata().getUid());
      try {
        Files.createDirectories(folder);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public KubernetesClient client() {
      return client;
    }

    @Override
    public Clock clock() {
      return options.clock();
    }

    @Override
    public Path folder() {
      return folder;
    }

    @Override
    public Path log() {
      return logOf(pod.getMetadata().getName());
    }

    @Override
    public List<Integer> doors() {
      var all = new ArrayList<>(options.doors());
      all.add(port());
      return all;
    }

    @Override
    public Optional<ContainerImage> image(String name) {
      return options.images().apply(name);
    }

    @Override
    public void tell(Happening.Kind kind, String detail) {
      ProcessNode.this.tell(pod, kind, detail);
    }
  }

  private void tell(Pod pod, Happening.Kind kind, String detail) {
    var meta = pod.getMetadata();
    var happening =
        new Happening(options.clock().instant(), meta.getNamespace(), meta.getName(), kind, detail);
    LOG.atInfo().log("{}", happening);
    happenings.add(happening);
  }

  /** Everything that happened, oldest first. */
  public List<Happening> happenings() {
    return List.copyOf(happenings);
  }

  /** The file with everything that the containers of this pod printed. */
  public Path logOf(String pod) {
    return options.folder().resolve(pod + ".log");
  }

  /** Process 1 of the pod's container, as this machine numbers it; empty if it does not run. */
  public Optional<Long> processOf(Pod pod) {
    var play = playsByUid.get(pod.getMetadata().getUid());
    var process = play == null ? null : play.run().process();
    try {
      return process == null ? Optional.empty() : process.pid();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Sends the pod's container a signal: {@code STOP} lets it hang, {@code KILL} crash.
   *
   * @throws IllegalStateException if it does not run
   */
  public void signal(Pod pod, String name) {
    var play = playsByUid.get(pod.getMetadata().getUid());
    var process = play == null ? null : play.run().process();
    if (process == null) {
      throw new IllegalStateException("no container of " + pod.getMetadata().getName() + " runs");
    }
    try {
      process.signal(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends all containers at once, and deletes the Node. */
  @Override
  public void close() {
    pods.stop();
    playsByUid.values().forEach(play -> play.run().vanish());
    try {
      for (var play : playsByUid.values()) {
        if (!play.thread().join(Duration.ofSeconds(CLOSE_SECONDS))) {
          LOG.atError().log("a pod does not end");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    registration.close();
    client.close();
  }
}
