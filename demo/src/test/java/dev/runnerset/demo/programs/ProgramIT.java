package dev.runnerset.demo.programs;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program ends with the rehearsal that started it. */
final class ProgramIT {
  /** Starts a program, tells of it, and waits. */
  static final class Rehearsal {
    public static void main(String[] args) throws InterruptedException {
      var main = Forever.class.getName();
      var probe = ProgramProbe.onFreePort();
      new Program("forever", List.of(), main, List.of(), probe, Path.of(args[0])).start();
      System.out.println("started");
      Forever.main(args);
    }
  }

  /** Ends by a signal alone. */
  static final class Forever {
    public static void main(String[] args) throws InterruptedException {
      new CountDownLatch(1).await();
    }
  }

  @Test
  void aProgramDoesNotOutliveARehearsalThatIsKilled(@TempDir Path folder) throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var classPath = System.getProperty("java.class.path");
    var log = folder.resolve("log").toString();
    var rehearsal =
        new ProcessBuilder(java, "-cp", classPath, Rehearsal.class.getName(), log).start();
    assertThat(rehearsal.inputReader().readLine()).isEqualTo("started");
    var program = rehearsal.children().findFirst().orElseThrow();
    try {
      rehearsal.destroy();
      assertThat(program.onExit().get(30, SECONDS).isAlive()).isFalse();
    } finally {
      program.destroyForcibly();
    }
  }
}
