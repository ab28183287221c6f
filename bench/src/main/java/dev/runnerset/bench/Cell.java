package dev.runnerset.bench;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** What is measured, by name. */
enum Cell {
  BURST_30("burst-30", Kind.BURST, 30, 95, "30 jobs of 5 s at once, what CI holds budgets against"),
  BURST_100("burst-100", Kind.BURST, 100, 95, "100 jobs of 5 s at once"),
  BURST_300("burst-300", Kind.BURST, 300, 145, "300 jobs of 5 s at once"),
  BURST_1000("burst-1000", Kind.BURST, 1_000, 325, "1,000 jobs of 5 s at once"),
  BESIDE_300("beside-300", Kind.BESIDE, 300, 160, "300 jobs at once, beside 10 of another set"),
  STEADY_5("steady-5", Kind.STEADY, 5, 165, "5 jobs of 5 s a second, for 45 s"),
  STEADY_10("steady-10", Kind.STEADY, 10, 165, "10 jobs of 5 s a second, for 45 s"),
  STEADY_15("steady-15", Kind.STEADY, 15, 175, "15 jobs of 5 s a second, for 45 s"),
  SCALE_DOWN("scale-down", Kind.SCALE_DOWN, 30, 50, "30 idle runners go, 20 busy ones stay"),
  IDLE("idle", Kind.IDLE, 20, 90, "a set with 20 idle runners, for 60 s"),
  SETS_300("sets-300", Kind.SETS, 300, 225, "300 sets, and a job of 5 s for each at once"),
  SETS_1000("sets-1000", Kind.IDLE_SETS, 1_000, 310, "1,000 sets without jobs, for 60 s"),
  JMH("jmh", Kind.JMH, 0, 120, "planners and JSON, by JMH; needs no control plane");

  static final Duration STEADY = Duration.ofSeconds(45);
  static final Duration REST = Duration.ofSeconds(60);
  static final List<Cell> USUAL = List.of(BURST_100, STEADY_5);

  /** What happens in it. */
  enum Kind {
    BURST,
    BESIDE,
    STEADY,
    SCALE_DOWN,
    IDLE,
    SETS,
    IDLE_SETS,
    JMH
  }

  private final String word;
  private final Kind kind;
  private final int size;
  private final int seconds;
  private final String what;

  Cell(String word, Kind kind, int size, int seconds, String what) {
    this.word = word;
    this.kind = kind;
    this.size = size;
    this.seconds = seconds;
    this.what = what;
  }

  /** Its name on the command line. */
  String word() {
    return word;
  }

  Kind kind() {
    return kind;
  }

  /** How many jobs, runners, sets, or jobs a second. */
  int size() {
    return size;
  }

  /** How many jobs there are in it. */
  int jobs() {
    return switch (kind) {
      case BURST, BESIDE, SETS -> size;
      case STEADY -> size * (int) STEADY.toSeconds();
      case SCALE_DOWN, IDLE, IDLE_SETS, JMH -> 0;
    };
  }

  /** Whether it ends with what it does, and not after some time. */
  boolean hasEnd() {
    return kind != Kind.IDLE && kind != Kind.IDLE_SETS;
  }

  /** Whether the bare client does it, too: for one set at a time. */
  boolean hasBound() {
    return jobs() > 0 && kind != Kind.BESIDE;
  }

  /** About how long one run of it takes on two cores, the bound included. */
  int seconds() {
    return seconds;
  }

  /** For how long kube-apiserver is profiled. */
  Duration time() {
    return Duration.ofSeconds(10 + Math.min(35, jobs() / 20));
  }

  String what() {
    return what;
  }

  /**
   * The cell of that name.
   *
   * @throws IllegalArgumentException if no cell has that name; the message lists all names
   */
  static Cell of(String word) {
    var words = Arrays.stream(values()).map(Cell::word).toList();
    if (!words.contains(word)) {
      throw new IllegalArgumentException(
          "--cell: there is no '%s'; there are %s".formatted(word, String.join(", ", words)));
    }
    return values()[words.indexOf(word)];
  }
}
