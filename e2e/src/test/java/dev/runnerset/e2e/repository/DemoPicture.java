package dev.runnerset.e2e.repository;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** The picture of the README: how a run of the demo went, drawn from its JSON. */
final class DemoPicture {
  private static final int LEFT = 52;
  private static final int RIGHT = 748;

  /** Pixels from a job or runner to the next. */
  private static final double JOB = 1.0;

  private static final double RUNNER = 5.0;
  private static final int JOBS_BASE = 106;
  private static final int RUNNERS_BASE = 226;

  /** An entry of {@code timeline}. */
  private record Moment(long ms, long waiting, long idle, long busy) {
    static Moment of(JsonNode array) {
      return new Moment(
          array.path(0).asLong(),
          array.path(1).asLong(),
          array.path(4).asLong(),
          array.path(5).asLong());
    }
  }

  private final JsonNode run;
  private final List<Moment> moments = new ArrayList<>();
  private final long begin;
  private final long end;

  private DemoPicture(JsonNode run) {
    this.run = run;
    for (var array : run.path("timeline")) {
      moments.add(Moment.of(array));
    }
    // what comes before the first job is the start of the programs
    begin = moments.stream().filter(m -> m.waiting() > 0).findFirst().orElseThrow().ms() - 1000;
    end = moments.getLast().ms() + 500;
  }

  /** The picture as SVG: the same text for the same run. */
  static String of(JsonNode run) {
    return new DemoPicture(run).svg();
  }

  private String svg() {
    return """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 760 300" font-family="system-ui, sans-serif" font-size="13">
    <style>
    .card{fill:#fff;stroke:#d0d7de}.text{fill:#1f2328}.dim{fill:#59636e}.line{stroke:#d0d7de}
    .waiting{fill:#d9822b}.busy{fill:#2f6fdb}.idle{fill:#2da44e}
    @media(prefers-color-scheme:dark){.card{fill:#0d1117;stroke:#3d444d}.text{fill:#f0f6fc}.dim{fill:#9198a1}.line{stroke:#3d444d}}
    </style>
    <rect class="card" x=".5" y=".5" width="759" height="299" rx="8"/>
    <text class="text" x="16" y="26" font-size="15" font-weight="600">./runnerset demo: a burst of 60 jobs, then a scale-down beside 10 running jobs</text>
    <rect class="waiting" x="600" y="53" width="11" height="11"/><text class="dim" x="616" y="63">jobs that wait</text>
    <rect class="busy" x="600" y="133" width="11" height="11"/><text class="dim" x="616" y="143">busy runners</text>
    <rect class="idle" x="600" y="151" width="11" height="11"/><text class="dim" x="616" y="161">idle runners</text>
    %s%s%s%s<text class="text" x="16" y="284">%s</text>
    </svg>
    """
        .formatted(
            area("waiting", JOBS_BASE, JOB, m -> 0, Moment::waiting),
            area("busy", RUNNERS_BASE, RUNNER, m -> 0, Moment::busy),
            area("idle", RUNNERS_BASE, RUNNER, Moment::busy, m -> m.busy() + m.idle()),
            axes(),
            figures());
  }

  /** An area of steps between two numbers of each moment. */
  private String area(
      String kind, int base, double scale, ToLongFunction<Moment> from, ToLongFunction<Moment> to) {
    var path = new StringBuilder();
    var back = new StringBuilder();
    for (int i = 0; i < moments.size(); i++) {
      var moment = moments.get(i);
      if (moment.ms() < begin) {
        continue;
      }
      double x = x(moment.ms());
      double next = x(i + 1 < moments.size() ? moments.get(i + 1).ms() : end);
      double top = base - scale * to.applyAsLong(moment);
      double bottom = base - scale * from.applyAsLong(moment);
      path.append(number(path.isEmpty() ? "M%.1f %.1f" : "L%.1f %.1f", x, top));
      path.append(number("H%.1f", next));
      back.insert(0, number("L%.1f %.1fH%.1f", next, bottom, x));
    }
    return "<path class=\"%s\" d=\"%s%sZ\"/>%n".formatted(kind, path, back);
  }

  private String axes() {
    var axes = new StringBuilder();
    for (int base : new int[] {JOBS_BASE, RUNNERS_BASE}) {
      axes.append("<path class=\"line\" d=\"M%d %dH%d\"/>\n".formatted(LEFT, base, RIGHT));
    }
    axes.append(label(JOBS_BASE - 60 * JOB, "60")).append(label(RUNNERS_BASE - 20 * RUNNER, "20"));
    for (long second = 0; begin + second * 1000 <= end; second += 5) {
      axes.append(
              number(
                  "<text class=\"dim\" x=\"%.1f\" y=\"244\" text-anchor=\"middle\">",
                  x(begin + second * 1000)))
          .append(second)
          .append(" s</text>\n");
    }
    return axes.toString();
  }

  private static String label(double y, String text) {
    return number("<text class=\"dim\" x=\"46\" y=\"%.0f\" text-anchor=\"end\">", y + 4)
        + text
        + "</text>\n";
  }

  private String figures() {
    var jobs = run.path("jobs");
    var runners = run.path("runners");
    return "%d jobs, %d lost   ·   %d runners, one for each job and the %d idle ones   ·   running jobs ended by the scale-down: %d"
        .formatted(
            jobs.path("submitted").asInt(),
            jobs.path("lost").asInt(),
            runners.path("created").asInt(),
            runners.path("removedIdle").asInt(),
            runners.path("removedBusy").asInt());
  }

  private double x(long ms) {
    return LEFT + (double) (RIGHT - LEFT) * (ms - begin) / (end - begin);
  }

  private static String number(String format, Object... numbers) {
    return String.format(Locale.ROOT, format, numbers);
  }
}
