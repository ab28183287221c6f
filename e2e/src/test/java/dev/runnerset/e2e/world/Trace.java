package dev.runnerset.e2e.world;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/** What happened, for people; written only when a seed is played again since it failed. */
final class Trace {
  private static final int LINES = 90;

  private final Timeline time;
  private final boolean on;
  private final Deque<String> lines = new ArrayDeque<>();
  private int dropped;

  Trace(Timeline time, boolean on) {
    this.time = time;
    this.on = on;
  }

  boolean isOn() {
    return on;
  }

  void say(String who, String what) {
    if (on) {
      lines.add(String.format(Locale.ROOT, "%9.3f  %-10s  %s", time.now() / 1000.0, who, what));
      if (lines.size() > LINES) {
        var _ = lines.removeFirst();
        dropped++;
      }
    }
  }

  @Override
  public String toString() {
    var head = dropped == 0 ? "" : "(" + dropped + " lines before these)\n";
    return "  seconds  who         what\n" + head + String.join("\n", lines);
  }
}
