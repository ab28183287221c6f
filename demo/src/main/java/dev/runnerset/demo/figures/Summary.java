package dev.runnerset.demo.figures;

import java.io.PrintStream;
import java.util.Locale;

/** The figures and checks for people. */
public final class Summary {
  private Summary() {}

  /** Prints the figures, then what they prove. */
  public static void print(Figures.Report report, PrintStream out) {
    print(report.figures(), out);
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
        report.figures().elapsedMs() / 1000.0);
  }

  /** Prints the figures alone. */
  public static void print(Figures f, PrintStream out) {
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
