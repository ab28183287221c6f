package dev.runnerset.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What the processes of a sitting have used so far, as {@code /proc} tells it. */
final class Processes {
  /** This process: the simulated service, the simulated node, and the bench itself. */
  static final String SIMULATORS = "simulators";

  static final String CONTROLLER = "controller";
  static final String LISTENER = "listener";
  static final String BOUND = "bound";
  static final String API_SERVER = "kube-apiserver";

  private static final Map<String, String> NAME_BY_MAIN =
      Map.of(
          "dev.runnerset.controller.main.ControllerMain",
          CONTROLLER,
          "dev.runnerset.listener.main.ListenerMain",
          LISTENER,
          Bound.class.getName(),
          BOUND);
  private static final List<String> SERVERS =
      List.of(API_SERVER, "etcd", "kube-controller-manager");

  /** A tick of the kernel's clock, in milliseconds. */
  private static final int TICK = 10;

  private static final int KIB = 1024;

  /**
   * One process.
   *
   * @param cpuMs processor time since its start, in milliseconds
   * @param rssMib memory that is resident now, in MiB
   * @param mostMib the most since {@link #forgetMost}, in MiB
   */
  record Use(long cpuMs, double rssMib, double mostMib) {}

  private Processes() {}

  /** The use of each process that runs, by name. A process that ends meanwhile is left out. */
  static Map<String, Use> now() {
    var useByName = new TreeMap<String, Use>();
    pids().forEach((name, pid) -> read(pid).ifPresent(use -> useByName.put(name, use)));
    return useByName;
  }

  /** The most memory of each is counted from now on; from its start where the kernel cannot. */
  static void forgetMost() {
    for (long pid : pids().values()) {
      try {
        Files.writeString(file(pid, "clear_refs"), "5");
      } catch (IOException _) {
        // the process has ended, or the kernel has no such file
      }
    }
  }

  /** The ids of all that run, by their names. */
  static Map<String, Long> pids() {
    var pids = new TreeMap<>(Map.of(SIMULATORS, ProcessHandle.current().pid()));
    ProcessHandle.current()
        .descendants()
        .map(ProcessHandle::pid)
        .forEach(pid -> name(pid).ifPresent(name -> pids.put(name, pid)));
    return pids;
  }

  private static Optional<String> name(long pid) {
    try {
      return name(Arrays.asList(Files.readString(file(pid, "cmdline")).split("\0")));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The name of the process that this command started; empty for any other program. */
  static Optional<String> name(List<String> command) {
    var program = command.getFirst().substring(command.getFirst().lastIndexOf('/') + 1);
    return program.equals("java")
        ? command.stream().filter(NAME_BY_MAIN::containsKey).map(NAME_BY_MAIN::get).findFirst()
        : SERVERS.stream().filter(program::equals).findFirst();
  }

  private static Optional<Use> read(long pid) {
    try {
      return Optional.of(
          use(Files.readString(file(pid, "stat")), Files.readAllLines(file(pid, "status"))));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** From the texts of {@code stat} and {@code status}. */
  static Use use(String stat, List<String> status) {
    // the name in brackets may have blanks
    var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    long ticks = Long.parseLong(fields[11]) + Long.parseLong(fields[12]);
    return new Use(ticks * TICK, mib(status, "VmRSS:"), mib(status, "VmHWM:"));
  }

  private static double mib(List<String> status, String field) {
    return status.stream()
        .filter(line -> line.startsWith(field))
        .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) / KIB)
        .findFirst()
        .orElse(0);
  }

  private static Path file(long pid, String name) {
    return Path.of("/proc", Long.toString(pid), name);
  }
}
