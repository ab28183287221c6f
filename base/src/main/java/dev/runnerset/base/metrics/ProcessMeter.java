package dev.runnerset.base.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.runnerset.base.ProductVersion;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.Quantiles;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.SummarySnapshot.SummaryDataPointSnapshot;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What is measured of the process itself, read at each scrape. The names are those of the official
 * client, so that its dashboards work; its own collectors would bring five libraries more
 * (docs/adr/0112).
 */
public enum ProcessMeter implements Metric {
  BUILD(
      Kind.GAUGE,
      "runnerset_build_info",
      "1, with the version of the program",
      () -> List.of(gauge(1, "version", ProductVersion.text())),
      new Label("version")),
  MEMORY_USED(
      Kind.GAUGE,
      "jvm_memory_used_bytes",
      "Memory of the JVM that is used, by area: heap or nonheap",
      () -> memory(MemoryUsage::getUsed),
      new Label("area", "heap", "nonheap")),
  MEMORY_COMMITTED(
      Kind.GAUGE,
      "jvm_memory_committed_bytes",
      "Memory that the JVM has from the system, by area: heap or nonheap",
      () -> memory(MemoryUsage::getCommitted),
      new Label("area", "heap", "nonheap")),
  MEMORY_MAX(
      Kind.GAUGE,
      "jvm_memory_max_bytes",
      "The limit of the memory, by area: heap or nonheap; -1 for none",
      () -> memory(MemoryUsage::getMax),
      new Label("area", "heap", "nonheap")),
  COLLECTIONS(
      Kind.SUMMARY,
      "jvm_gc_collection_seconds",
      "Collections of garbage, their count and their seconds, by collector",
      () ->
          ManagementFactory.getGarbageCollectorMXBeans().stream()
              .map(collector ->
                  new SummaryDataPointSnapshot(
                      Math.max(0, collector.getCollectionCount()),
                      Math.max(0, collector.getCollectionTime()) / 1e3,
                      Quantiles.EMPTY,
                      Labels.of("gc", collector.getName()),
                      Exemplars.EMPTY,
                      0))
              .toList(),
      new Label("gc")),
  THREADS(
      Kind.GAUGE,
      "jvm_threads_current",
      "Threads of the JVM, without virtual ones",
      () -> List.of(gauge(ManagementFactory.getThreadMXBean().getThreadCount()))),
  CPU(
      Kind.COUNTER,
      "process_cpu_seconds_total",
      "Processor time of the process in seconds",
      () ->
          unix(system ->
              new CounterDataPointSnapshot(
                  system.getProcessCpuTime() / 1e9, Labels.EMPTY, null, 0))),
  RESIDENT(
      Kind.GAUGE,
      "process_resident_memory_bytes",
      "Resident memory of the process; absent where the system is not Linux",
      () -> residentKib().map(kib -> gauge(kib * 1024)).toList()),
  OPEN_FILES(
      Kind.GAUGE,
      "process_open_fds",
      "Open file descriptors, connections among them",
      () -> unix(system -> gauge(system.getOpenFileDescriptorCount()))),
  MAX_FILES(
      Kind.GAUGE,
      "process_max_fds",
      "The most file descriptors that the process may open",
      () -> unix(system -> gauge(system.getMaxFileDescriptorCount()))),
  STARTED(
      Kind.GAUGE,
      "process_start_time_seconds",
      "Unix time when the process started",
      () -> List.of(gauge(ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3)));

  /** Reads the values, one for each series. */
  @FunctionalInterface
  private interface Points {
    List<?> read();
  }

  private final Definition definition;
  private final Points points;

  ProcessMeter(Kind kind, String name, String help, Points points, Label... labels) {
    definition = new Definition(true, kind, name, help, List.of(labels));
    this.points = points;
  }

  @Override
  public Definition definition() {
    return definition;
  }

  /** Those series of a program, and the series of its process as they are now; reads a file. */
  public static MetricSnapshots with(MetricSnapshots series) {
    return new MetricSnapshots(
        Stream.concat(series.stream(), Stream.of(values()).map(ProcessMeter::snapshot)).toList());
  }

  private MetricSnapshot snapshot() {
    var metadata = definition.metadata();
    var read = points.read();
    return switch (definition.kind()) {
      case COUNTER -> new CounterSnapshot(metadata, all(CounterDataPointSnapshot.class, read));
      case SUMMARY -> new SummarySnapshot(metadata, all(SummaryDataPointSnapshot.class, read));
      default -> new GaugeSnapshot(metadata, all(GaugeDataPointSnapshot.class, read));
    };
  }

  private static <T> List<T> all(Class<T> type, List<?> points) {
    return points.stream().map(type::cast).toList();
  }

  private static GaugeDataPointSnapshot gauge(double value, String... labels) {
    return new GaugeDataPointSnapshot(value, Labels.of(labels), null);
  }

  private static List<GaugeDataPointSnapshot> memory(Function<MemoryUsage, Long> part) {
    var memory = ManagementFactory.getMemoryMXBean();
    return List.of(
        gauge(part.apply(memory.getHeapMemoryUsage()), "area", "heap"),
        gauge(part.apply(memory.getNonHeapMemoryUsage()), "area", "nonheap"));
  }

  private static <T> List<T> unix(Function<UnixOperatingSystemMXBean, T> read) {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? List.of(read.apply(system))
        : List.of();
  }

  private static Stream<Double> residentKib() {
    try (var lines = Files.lines(Path.of("/proc/self/status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .map(line -> Double.valueOf(line.replaceAll("\\D", "")))
          .toList()
          .stream();
    } catch (IOException e) {
      return Stream.empty(); // no Linux
    }
  }
}
