package dev.runnerset.demo.figures;

import dev.runnerset.demo.cluster.WriteCounts;
import dev.runnerset.demo.world.World;
import dev.runnerset.simulator.node.PodTimings;
import dev.runnerset.simulator.service.Control;
import dev.runnerset.simulator.service.JobView;
import dev.runnerset.simulator.service.Violation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads the figures off the servers' own counters. */
public final class Measure {
  /** Calls that are made for a runner; sessions, polls and tokens are a set's standing cost. */
  private static final Set<String> FOR_A_RUNNER =
      Set.of("generatejitconfig", "getRunner", "findRunner", "removeRunner", "listRunners");

  private Measure() {}

  /** Calls of the product at the service, long polls left out. */
  public static long serviceCalls(Map<String, Long> counters) {
    return counters.entrySet().stream()
        .filter(e -> e.getKey().indexOf('.') < 0 && !e.getKey().equals("getMessage"))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** When each pod of the simulated nodes came and went. */
  public static Map<String, PodTimings> podByName(World world) {
    var podByName = new HashMap<String, PodTimings>();
    world.node().timings().forEach(t -> podByName.put(t.name(), t));
    return podByName;
  }

  /** Whether the pod of the job's runner went before the job had ended. */
  public static boolean isKilled(JobView job, @Nullable PodTimings pod) {
    return pod != null
        && pod.gone() != null
        && (job.completed() == null || pod.gone().isBefore(job.completed()));
  }

  /** The figures of a scenario that has ended and left nothing. */
  public static Figures of(String scenario, World world, Found found, Duration elapsed) {
    var service = world.service();
    var podByName = podByName(world);
    var violations = new ArrayList<>(service.violations());
    violations.addAll(service.leaks(Duration.ZERO));
    return new Figures(
        new Figures.Place(scenario, world.cluster().description()),
        work(service, podByName),
        cost(world, violations),
        found.values(),
        violations.stream().map(Violation::toString).toList(),
        elapsed.toMillis());
  }

  private static Figures.Work work(Control service, Map<String, PodTimings> podByName) {
    var jobs = service.jobCounts();
    return new Figures.Work(
        new Figures.Jobs(jobs.submitted(), jobs.completed(), jobs.lost()),
        Percentiles.of(
            service.jobs().stream()
                .flatMap(j -> between(j.queued(), j.started()).stream())
                .toList()),
        Percentiles.of(
            service.jobs().stream()
                .flatMap(j -> between(j.completed(), gone(j, podByName)).stream())
                .toList()),
        Percentiles.of(
            podByName.values().stream()
                .flatMap(p -> between(p.created(), p.running()).stream())
                .toList()));
  }

  private static Figures.Cost cost(World world, List<Violation> violations) {
    var service = world.service();
    var calls = ours(service.counters());
    var counts = world.cluster().counts();
    int jobs = service.jobCounts().submitted();
    long useless = service.counters().getOrDefault("removeRunner.useless", 0L);
    long removals = calls.getOrDefault("removeRunner", 0L);
    long created =
        counts.map(WriteCounts::runnersCreated).orElse(calls.getOrDefault("generatejitconfig", 0L));
    return new Figures.Cost(
        new Figures.Runners(
            created,
            service.counters().getOrDefault("removeRunner.removed", 0L),
            kind(violations, Violation.Kind.JOB_KILLED),
            jobs == 0 ? 0 : (double) created / jobs),
        new Figures.Service(
            calls,
            created == 0 ? 0 : (double) callsForRunners(calls) / created,
            removals,
            useless,
            kind(violations, Violation.Kind.USELESS_REMOVE),
            kind(violations, Violation.Kind.JIT_USED_TWICE),
            kind(violations, Violation.Kind.REGISTRATION_LEAKED)),
        counts.map(c -> kubernetes(c, created)).orElse(null),
        cpuMs(world));
  }

  private static Map<String, Long> cpuMs(World world) {
    var cpu = new LinkedHashMap<String, Long>();
    cpu.put("controller", world.controller().cpuMillis());
    cpu.put("listener", world.listener().cpuMillis());
    world.cluster().cpuMillis().ifPresent(ms -> cpu.put("kube-apiserver", ms));
    return cpu;
  }

  private static Figures.Kubernetes kubernetes(WriteCounts counts, long created) {
    double runners = Math.max(1, created);
    return new Figures.Kubernetes(
        counts.byWriter(),
        counts.onRunners() / runners,
        counts.onSets() / runners,
        counts.breakdown());
  }

  /** Calls that are made for runners; what is counted for sets is left out. */
  public static long callsForRunners(Map<String, Long> calls) {
    return FOR_A_RUNNER.stream().mapToLong(c -> calls.getOrDefault(c, 0L)).sum();
  }

  /** The counters of calls that the product makes: the runners' own carry a dot. */
  private static Map<String, Long> ours(Map<String, Long> counters) {
    var ours = new TreeMap<String, Long>();
    counters.forEach((name, n) -> {
      if (name.indexOf('.') < 0 && n > 0) {
        ours.put(name, n);
      }
    });
    return new LinkedHashMap<>(ours);
  }

  private static @Nullable Instant gone(JobView job, Map<String, PodTimings> podByName) {
    var pod = podByName.get(job.runnerName());
    return pod == null ? null : pod.gone();
  }

  private static List<Duration> between(@Nullable Instant from, @Nullable Instant to) {
    return from == null || to == null ? List.of() : List.of(Duration.between(from, to));
  }

  private static long kind(List<Violation> violations, Violation.Kind kind) {
    return violations.stream().filter(v -> v.kind() == kind).count();
  }
}
