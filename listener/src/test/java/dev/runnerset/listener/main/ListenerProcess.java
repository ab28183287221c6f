package dev.runnerset.listener.main;

import dev.runnerset.simulator.kube.KubeApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The listener as a process of its own, with the class path of the tests. */
final class ListenerProcess {
  private ListenerProcess() {}

  /**
   * Starts it with the options of the image. Its output goes to the file {@code log} of the folder.
   *
   * @param heap as Java takes it, as {@code 128m}
   */
  static Process start(Path folder, KubeApiServer kube, String heap) throws IOException {
    var kubeconfig = Files.writeString(folder.resolve("kubeconfig"), kube.kubeconfig());
    var options =
        List.of(
            "-Xmx" + heap,
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+ExitOnOutOfMemoryError");
    return command(
            options,
            "--kubeconfig",
            kubeconfig.toString(),
            "--namespace=trusted",
            "--identity=p1",
            "--allowed-hosts=127.0.0.1",
            "--health-port=0")
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("log").toFile())
        .start();
  }

  /** Its command; the caller decides where the output goes. */
  static ProcessBuilder command(List<String> options, String... arguments) {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("-Dlogback.configurationFile=logback.xml"); // the tests' own is on this path too
    command.add(ListenerMain.class.getName());
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command);
  }
}
