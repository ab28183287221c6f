package dev.runnerset.demo;

import dev.runnerset.controller.main.ControllerMain;
import dev.runnerset.controller.manifests.Manifests;
import dev.runnerset.listener.main.ListenerMain;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How a rehearsal starts the two programs: as the launcher would. */
final class Programs {
  // the first compiler alone: the second costs more than it gains in either (docs/adr/0013)
  private static final List<String> CONTROLLER_JVM =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m");
  private static final List<String> LISTENER_JVM =
      List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m");

  private Programs() {}

  static Program controller(Path kubeconfig, Path folder, List<String> lease, List<String> more) {
    return controller(ControllerMain.class, List.of(), kubeconfig, folder, and(lease, more));
  }

  /** The controller, whose schedules follow the days of that file. */
  static Program controllerInDays(
      Path days, Path kubeconfig, Path folder, List<String> lease, List<String> more) {
    var first = List.of(days.toString());
    return controller(VirtualDays.class, first, kubeconfig, folder, and(lease, more));
  }

  private static List<String> and(List<String> lease, List<String> more) {
    var flags = new ArrayList<>(lease);
    flags.addAll(more);
    return flags;
  }

  private static Program controller(
      Class<?> main, List<String> first, Path kubeconfig, Path folder, List<String> more) {
    var flags = new ArrayList<>(first);
    flags.addAll(List.of("--kubeconfig", kubeconfig.toString()));
    flags.addAll(more);
    return new Program(
        "controller", CONTROLLER_JVM, main.getName(), flags, folder.resolve("controller.log"));
  }

  static Program listener(Path kubeconfig, Path folder, List<String> lease) {
    var flags =
        new ArrayList<>(
            List.of(
                "--kubeconfig", kubeconfig.toString(),
                "--namespace", Manifests.Names.defaults().listenerNamespace(),
                "--health-port", "0")); // several run on this machine
    flags.addAll(lease);
    return new Program(
        "listener",
        LISTENER_JVM,
        ListenerMain.class.getName(),
        flags,
        folder.resolve("listener.log"));
  }
}
