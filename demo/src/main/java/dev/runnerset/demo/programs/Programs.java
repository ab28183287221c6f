package dev.runnerset.demo.programs;

import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.main.ControllerMain;
import dev.runnerset.listener.main.ListenerMain;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How a rehearsal starts the two programs: as the launcher would, but with more memory, since some
 * rehearsals are larger than what the chart's limits are for.
 */
public final class Programs {
  private Programs() {}

  public static Program controller(
      Path kubeconfig, Path log, ProgramProbe probe, List<String> flags) {
    return controller(ControllerMain.class, List.of(), kubeconfig, log, probe, flags);
  }

  /** The controller, whose schedules follow the days of that file. */
  public static Program controllerInDays(
      Path days, Path kubeconfig, Path log, ProgramProbe probe, List<String> flags) {
    var first = List.of(days.toString());
    return controller(VirtualDays.class, first, kubeconfig, log, probe, flags);
  }

  private static Program controller(
      Class<?> main,
      List<String> first,
      Path kubeconfig,
      Path log,
      ProgramProbe probe,
      List<String> more) {
    var flags = new ArrayList<>(first);
    flags.addAll(List.of("--kubeconfig", kubeconfig.toString(), Program.ALLOWED_HOSTS));
    flags.addAll(more);
    return new Program("controller", jvm("controller", "1536m"), main.getName(), flags, probe, log);
  }

  public static Program listener(Path kubeconfig, Path log, List<String> lease) {
    var flags =
        new ArrayList<>(
            List.of(
                Program.ALLOWED_HOSTS,
                "--kubeconfig",
                kubeconfig.toString(),
                "--namespace",
                ControllerSettings.LISTENER_NAMESPACE));
    flags.addAll(lease);
    return new Program(
        "listener",
        jvm("listener", "1280m"),
        ListenerMain.class.getName(),
        flags,
        ProgramProbe.onFreePort(), // several run on this machine
        log);
  }

  /** A module's tests run in the folder of the module. */
  private static List<String> jvm(String program, String limit) {
    var home = Path.of(System.getProperty("runnerset.home", ".."));
    return List.of("@" + home.resolve(program).resolve("jvm.options"), "-XX:MaxRAM=" + limit);
  }
}
