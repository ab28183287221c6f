package dev.runnerset.listener.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.crds.EphemeralRunnerSet;
import dev.runnerset.kube.KubeConnection;
import dev.runnerset.simulator.kube.KubeApiServer;
import dev.runnerset.simulator.service.ActionsServiceServer;
import dev.runnerset.simulator.service.JobRequest;
import dev.runnerset.simulator.service.Options;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * 1,000 sessions that poll over TLS in one listener process with the heap of the image: what it
 * needs while idle, and how soon it notices 1,000 messages that come at once. Prints the figures.
 */
@Tag("nightly")
final class ManySessionsIT {
  private static final int SETS = Integer.getInteger("runnerset.sessions", 1000);
  private static final Clock CLOCK = Clock.systemUTC();
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration IDLE = Duration.ofSeconds(60);

  @TempDir Path folder;

  private final HeldCertificate authority =
      new HeldCertificate.Builder().certificateAuthority(0).build();
  private final HeldCertificate certificate =
      new HeldCertificate.Builder()
          .signedBy(authority)
          .addSubjectAlternativeName("127.0.0.1")
          .addSubjectAlternativeName("localhost")
          .build();

  @Test
  void aThousandSessionsAreHeldAndHeardByOneProcess() throws Exception {
    try (var kube = KubeApiServer.start(0, CLOCK);
        var service = service();
        var asController = Servers.asController(service, authority.certificate());
        var client = client(kube)) {
      prepare(kube, client, service, asController);
      var process =
          ListenerProcess.start(folder, kube, System.getProperty("runnerset.heap", "128m"));
      try {
        var began = CLOCK.instant();
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(polling(service)).isEqualTo(SETS));
        print("1,000 sessions poll after", seconds(began, CLOCK.instant()));
        idle(process, service);
        notice(process, service, client);
      } finally {
        process.destroy();
        process.waitFor();
        Files.readAllLines(folder.resolve("log")).stream().limit(20).forEach(System.out::println);
      }
    }
  }

  private void idle(Process process, ActionsServiceServer service) throws Exception {
    var before = cpu(process);
    var pollsBefore = service.control().counters().getOrDefault("getMessage", 0L);
    Thread.sleep(IDLE); // what passes is what is measured
    print("processor time while idle, ms a second", cpu(process).minus(before).toMillis() / 60.0);
    var polls = service.control().counters().getOrDefault("getMessage", 0L) - pollsBefore;
    print("polls a second while idle", polls / 60.0);
    print("RSS while idle, MB", rss(process));
  }

  private void notice(Process process, ActionsServiceServer service, KubernetesClient client)
      throws IOException {
    var before = cpu(process);
    var at = CLOCK.instant();
    for (int i = 0; i < SETS; i++) {
      service.control().submit(JobRequest.of(1, "s" + i, Duration.ofSeconds(1)));
    }
    var sent = CLOCK.instant();
    await().atMost(PATIENCE).until(() -> seen(client).size() == SETS);
    var written = CLOCK.instant();
    var times =
        seen(client).stream()
            .map(seen -> Duration.between(sent, seen).toMillis())
            .sorted()
            .toList();
    print("1,000 messages were sent within, s", seconds(at, sent));
    print("noticed after the last one, p50 s", Math.max(0, times.get(SETS / 2)) / 1000.0);
    print("noticed after the last one, the latest, s", Math.max(0, times.getLast()) / 1000.0);
    print("all demands written after, s", seconds(sent, written));
    print("processor time for them, ms a message", cpu(process).minus(before).toMillis() / 1000.0);
    print("RSS after, MB", rss(process));
    assertThat(times.getLast()).isLessThan(60_000);
  }

  /** When each set's one job was heard of, as its demand says. */
  private static List<Instant> seen(KubernetesClient client) {
    return client.resources(EphemeralRunnerSet.class).inNamespace("team").list().getItems().stream()
        .map(set -> set.statusOrNone().demand())
        .filter(demand -> demand != null && Objects.equals(demand.assigned(), 1))
        .map(demand -> Objects.requireNonNull(demand.observedAt()))
        .toList();
  }

  private static long polling(ActionsServiceServer service) {
    return service.control().scaleSets().stream().filter(s -> s.capacity() != null).count();
  }

  private ActionsServiceServer service() {
    var handshake =
        new HandshakeCertificates.Builder()
            .heldCertificate(certificate, authority.certificate())
            .build();
    return ActionsServiceServer.start(
        Options.accepting(Servers.TOKEN).withTls(handshake.sslContext()), CLOCK);
  }

  private KubernetesClient client(KubeApiServer kube) throws IOException {
    return KubeConnection.connect(Optional.of(kubeconfig(kube)), "test");
  }

  private Path kubeconfig(KubeApiServer kube) throws IOException {
    return Files.writeString(folder.resolve("kubeconfig"), kube.kubeconfig());
  }

  private void prepare(
      KubeApiServer kube,
      KubernetesClient client,
      ActionsServiceServer service,
      ActionsService asController) {
    Servers.prepare(kube);
    kube.apply(
        "{apiVersion: v1, kind: ConfigMap, metadata: {name: ca, namespace: team}, data: {ca.crt: \"%s\"}}"
            .formatted(authority.certificatePem().replace("\n", "\\n")));
    var tls = "githubServerTLS: {certificateFrom: {configMapKeyRef: {name: ca, key: ca.crt}}}";
    IntStream.range(0, SETS)
        .forEach(i -> Servers.makeSet(kube, client, service, asController, "s" + i, tls));
  }

  private static Duration cpu(Process process) {
    return process.info().totalCpuDuration().orElseThrow();
  }

  private static double rss(Process process) throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
            .sum()
        / 1024.0;
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toMillis() / 1000.0;
  }

  private static void print(String what, double value) {
    System.out.printf(Locale.ROOT, "figure: %s: %.1f%n", what, value);
  }
}
