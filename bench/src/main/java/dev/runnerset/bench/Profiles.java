package dev.runnerset.bench;

import dev.runnerset.demo.world.World;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Recordings of ours and profiles of kube-apiserver, where they are asked for.
 *
 * @param jfr the folder for recordings of both programs
 * @param apiServer the folder for profiles, which {@code go tool pprof} reads
 */
record Profiles(Optional<Path> jfr, Optional<Path> apiServer) {
  static final Profiles NONE = new Profiles(Optional.empty(), Optional.empty());
  private static final String RECORD = "-XX:StartFlightRecording=settings=profile";
  private static final Duration MORE = Duration.ofSeconds(30);

  /** Lets both programs, which are not started yet, record what they do. */
  void record(World world) {
    jfr.ifPresent(folder -> {
      world.controller().with(RECORD);
      world.listener().with(RECORD);
    });
  }

  /** Writes what both recorded so far; a listener that is stopped writes nothing. */
  void dump(String name) throws IOException {
    if (jfr.isEmpty()) {
      return;
    }
    for (var program : List.of(Processes.CONTROLLER, Processes.LISTENER)) {
      var file = jfr.get().resolve(name + "-" + program + ".jfr");
      var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
      var pid = String.valueOf(Processes.pids().get(program));
      var dump = new ProcessBuilder(jcmd, pid, "JFR.dump", "filename=" + file);
      if (dump.redirectErrorStream(true).start().onExit().join().exitValue() != 0) {
        throw new IOException("no recording of the " + program + " for " + file);
      }
    }
  }

  /** Profiles kube-apiserver from now on, for that long; does not wait for the end. */
  void sample(KubernetesClient kube, String name, Duration time) {
    apiServer.ifPresent(folder -> {
      var url = kube.getMasterUrl() + "debug/pprof/profile?seconds=" + time.toSeconds();
      var http = kube.getHttpClient();
      var request =
          http.newHttpRequestBuilder()
              .uri(url)
              .timeout(time.plus(MORE).toSeconds(), TimeUnit.SECONDS)
              .build();
      var _ =
          http.sendAsync(request, byte[].class)
              .whenComplete((answer, failure) -> {
                if (failure != null || !answer.isSuccessful()) {
                  System.err.println(
                      "no profile of kube-apiserver: "
                          + (failure == null ? answer.code() : failure));
                  return;
                }
                try {
                  Files.write(folder.resolve(name + "-kube-apiserver.pprof"), answer.body());
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    });
  }
}
