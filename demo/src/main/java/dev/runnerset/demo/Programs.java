package dev.runnerset.demo;

import dev.runnerset.controller.main.ControllerMain;
import dev.runnerset.controller.manifests.Manifests;
import dev.runnerset.listener.main.ListenerMain;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How a rehearsal starts the two programs: as the launcher would. */
final class Programs {
  private static final List<String> CONTROLLER_JVM = List.of("-XX:+UseSerialGC", "-Xmx512m");
  private static final List<String> LISTENER_JVM = List.of("-XX:+UseSerialGC", "-Xmx256m");

  private Programs() {}

  static Program controller(Path kubeconfig, Path folder, AotCache cache, List<String> more) {
    var flags =
        new ArrayList<>(
            List.of(
                "--kubeconfig", kubeconfig.toString(),
                "--lease-duration", "3s",
                "--renew-deadline", "2s",
                "--retry-period", "500ms"));
    flags.addAll(more);
    return new Program(
        "controller",
        jvm(CONTROLLER_JVM, cache.jvmOptions("controller")),
        ControllerMain.class.getName(),
        flags,
        folder.resolve("controller.log"));
  }

  static Program listener(Path kubeconfig, Path folder, AotCache cache) {
    return new Program(
        "listener",
        jvm(LISTENER_JVM, cache.jvmOptions("listener")),
        ListenerMain.class.getName(),
        List.of(
            "--kubeconfig", kubeconfig.toString(),
            "--namespace", Manifests.Names.defaults().listenerNamespace(),
            "--lease-duration", "3s",
            "--renew-deadline", "2s",
            "--retry-period", "500ms"),
        folder.resolve("listener.log"));
  }

  private static List<String> jvm(List<String> options, List<String> more) {
    var all = new ArrayList<>(options);
    all.addAll(more);
    return all;
  }
}
