package dev.runnerset.demo.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.runnerset.demo.scenario.DemoOptions;
import dev.runnerset.demo.scenario.Scenario;
import dev.runnerset.simulator.service.Flavour;
import dev.runnerset.testsupport.Chromium;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * 42.3: a newcomer watches 60 jobs, kills the listener, lets GitHub go down and drains a node, and
 * no job is lost. It makes the picture of README.
 */
final class ShowIT {
  private static final Path PICTURES = Path.of("target", "pictures");
  private static final Duration LENGTH = Duration.ofSeconds(150);

  @TempDir Path folder;

  @Test
  @Tag("nightly")
  void sixtyJobsOnThePageAndNoneIsLostWhateverIsPressed() throws Exception {
    var missing = Chromium.missing();
    assumeTrue(missing.isEmpty(), missing.orElse(""));
    var address = new CompletableFuture<String>();
    var options =
        new DemoOptions(
            Scenario.DEFAULT,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            false,
            Optional.empty(),
            Flavour.BROKER,
            Duration.ofSeconds(1),
            true);
    var show = new Show(options, folder, LENGTH, Show.page(address::complete));
    // not in the common pool: it has one thread where there are two processors, and clients need it
    var ended = CompletableFuture.supplyAsync(() -> run(show), Thread::startVirtualThread);
    ended.exceptionally(failure -> !address.completeExceptionally(failure));
    try (var browser = new Chromium(1200, 900, false)) {
      browser.open(address.join());
      browser.awaitText("Sets of runners");
      Chromium.await("busy runners", () -> count(browser, "running") > 5);
      browser.picture(PICTURES.resolve("demo-fleet.png"));
      browser.run("document.querySelector('.card h2 a').click()");
      Chromium.await(
          "jobs that are done", () -> count(browser, "done") > 8 && count(browser, "running") > 5);
      browser.picture(PICTURES.resolve("demo-set.png"));
      press(browser, "Kill the listener");
      browser.awaitText("The listener was killed");
      press(browser, "Drain this node");
      browser.awaitText("is cordoned");
      press(browser, "GitHub down");
      browser.awaitText("503");
      Chromium.await(
          "end of the drain",
          () ->
              (boolean)
                  browser.run(
                      "const b = [...document.querySelectorAll('button')].find(b => b.innerText === 'End the"
                          + " drain'); if (b) b.click(); return !!b"));
      long deadline = System.nanoTime() + LENGTH.toNanos();
      while (count(browser, "done") < 60 && System.nanoTime() < deadline) {
        Thread.sleep(500);
      }
      browser.picture(PICTURES.resolve("demo-end.png"));
      assertThat(count(browser, "done")).isEqualTo(60);
      assertThat(count(browser, "jobs lost")).isZero();
      assertThat(browser.log()).isEmpty();
    }
    assertThat(ended.join()).isTrue();
  }

  private static boolean run(Show show) {
    try {
      return show.run();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void press(Chromium browser, String label) {
    browser.run(
        "[...document.querySelectorAll('button')].find(b => b.innerText === '"
            + label
            + "').click()");
  }

  private static long count(Chromium browser, String label) {
    var found =
        browser.run(
            "const d = [...document.querySelectorAll('.counters div')].find(d =>"
                + " d.querySelector('dt').innerText === '"
                + label
                + "'); return d ? Number(d.querySelector('dd').innerText) : 0");
    return ((Number) found).longValue();
  }
}
