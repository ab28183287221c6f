package dev.runnerset.demo;

import java.io.PrintStream;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The figures and checks for people. */
final class Summary {
  private static final int LONGEST = 90;

  private Summary() {}

  static void print(Figures.Report report, PrintStream out) {
    var f = report.figures();
    out.println();
    row(out, "scenario", f.place().scenario() + " on " + f.place().cluster());
    row(
        out,
        "jobs",
        "%d submitted, %d completed, %d lost"
            .formatted(f.jobs().submitted(), f.jobs().completed(), f.jobs().lost()));
    row(out, "queued to started", times(f.work().queuedToStartedMs()));
    row(out, "  of it: pod start", times(f.work().podStartMs()));
    row(out, "completed to pod gone", times(f.work().completedToRemovedMs()));
    row(
        out,
        "runners",
        "%d made (%.2f a job), %d idle removed, %d busy removed"
            .formatted(
                f.runners().created(),
                f.runners().perJob(),
                f.runners().removedIdle(),
                f.runners().removedBusy()));
    row(
        out,
        "service calls",
        "%.2f a runner; %d removal requests, %d of them useless"
            .formatted(
                f.service().callsPerRunner(),
                f.service().removeRequests(),
                f.service().uselessRemoveRequests()));
    var kubernetes = f.kubernetes();
    row(
        out,
        "Kubernetes writes",
        kubernetes == null
            ? "not counted: this server cannot be asked"
            : "%.2f a runner on its own objects, %.2f on the set's"
                .formatted(kubernetes.writesPerRunner(), kubernetes.setWritesPerRunner()));
    row(out, "processor time", f.cost().cpuMs().toString().replace("=", " ") + " ms");
    row(out, "violations", f.violations().isEmpty() ? "none" : "");
    f.violations().forEach(v -> out.println("    " + v));
    out.println();
    if (f.extra().findings() instanceof Findings.Chaos chaos) {
      rows(chaos, out);
    }
    for (var check : report.checks()) {
      out.printf(
          Locale.ROOT,
          "  %-4s %-40s expected %-10s actual %s%n",
          check.ok() ? "ok" : "FAIL",
          check.id(),
          check.expected(),
          check.actual());
    }
    out.printf(
        Locale.ROOT,
        "%n%s in %.1f s%n",
        report.ok() ? "every check holds" : "CHECKS FAILED",
        f.elapsedMs() / 1000.0);
  }

  private static void rows(Findings.Chaos chaos, PrintStream out) {
    out.printf("  seed %d; left out here: %s%n", chaos.seed(), chaos.leftOut());
    out.printf(
        Locale.ROOT,
        "  %-22s %6s %6s %6s %9s %9s %9s %6s %8s  %s%n",
        "fault",
        "held s",
        "told s",
        "well s",
        "numbers s",
        "waited s",
        "unread s",
        "jobs",
        "restarts",
        "what the sets said");
    for (var row : chaos.faults()) {
      var truth = row.truth();
      out.printf(
          Locale.ROOT,
          "  %-22s %6s %6s %6s %9.1f %9.1f %9.1f %6d %8d  %s%n",
          row.fault(),
          tenths(row.times().heldSeconds()),
          tenths(row.times().toldSeconds()),
          tenths(row.times().wellSeconds()),
          truth.oldestNumbersSeconds(),
          truth.longestWaitSeconds(),
          truth.unreadableSeconds(),
          row.jobsDone(),
          row.restarts(),
          truth.said().isEmpty() ? "nothing but that they are well" : shortened(truth.said()));
      truth.untrue().forEach(words -> out.println("      NOT TRUE: " + words));
    }
    out.println();
  }

  private static String tenths(@Nullable Double seconds) {
    return seconds == null ? "-" : String.format(Locale.ROOT, "%.1f", seconds);
  }

  private static String shortened(String said) {
    return said.length() <= LONGEST ? said : said.substring(0, LONGEST) + " ...";
  }

  private static void row(PrintStream out, String name, String value) {
    out.printf("  %-22s %s%n", name, value);
  }

  private static String times(Percentiles p) {
    return String.format(
        Locale.ROOT,
        "p50 %.2f s, p99 %.2f s, max %.2f s (%d)",
        p.p50() / 1000.0,
        p.p99() / 1000.0,
        p.max() / 1000.0,
        p.count());
  }
}
