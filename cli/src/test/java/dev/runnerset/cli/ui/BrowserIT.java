package dev.runnerset.cli.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.runnerset.cli.Fleet;
import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.Selection;
import dev.runnerset.testsupport.Chromium;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** 42.2: the page in a real browser; skipped where there is none. */
final class BrowserIT {
  private static final Path PICTURES = Path.of("target", "pictures");
  private static final String SET = "#/set/ci/linux";
  private static final String RUNNER = "#/runner/ci/linux-lost/linux";

  private static Fleet fleet;
  private static Cluster cluster;

  @BeforeAll
  static void start() {
    var missing = Chromium.missing();
    assumeTrue(missing.isEmpty(), missing.orElse(""));
    fleet = Fleets.mixed(Instant.now());
    cluster = new Cluster(new KubernetesClientBuilder().withConfig(fleet.config()).build(), "ci");
  }

  @AfterAll
  static void stop() {
    if (fleet != null) {
      cluster.close();
      fleet.close();
    }
  }

  @Test
  void theFleetLivesAndEveryTextIsText() throws Exception {
    try (var ui = ui();
        var browser = new Chromium(1200, 900, false)) {
      open(browser, ui, "");
      browser.awaitText("jobs wait");
      assertThat(browser.run("return location.pathname")).isEqualTo("/");
      assertThat(browser.shows("<img src=x onerror=document.title='hit'>")).isTrue();
      assertThat(browser.run("return document.images.length")).isEqualTo(0);
      assertThat(names(browser).getFirst()).isEqualTo("gpu"); // what hurts most
      fleet.status("ci", "linux", "{runners: {busy: 11}}");
      browser.awaitText("11 busy");
      browser.type("/gpu");
      Chromium.await("filter", () -> names(browser).equals(List.of("gpu")));
      assertThat(browser.log()).isEmpty();
    }
  }

  @Test
  @Tag("nightly")
  void aSetAndARunnerAreReachedByTheirAddresses() throws Exception {
    try (var ui = ui();
        var browser = new Chromium(1200, 900, false)) {
      open(browser, ui, SET);
      browser.awaitText("StartsPerMinute");
      browser.awaitText("the quota build of the namespace is used up");
      assertThat(browser.run("return document.querySelector('.job a').href"))
          .isEqualTo("https://github.com/my-org/app/actions/runs/12");
      assertThat(browser.shows("<b>build</b>")).isTrue();
      assertThat(browser.run("return document.querySelectorAll('.job b').length")).isEqualTo(0);
      browser.open(ui.entryUrl().replaceAll("/open/.*", "/") + RUNNER);
      browser.awaitText("node-7 does not answer");
      browser.run("[...document.querySelectorAll('button')].at(-1).click()");
      Chromium.await(
          "an answer",
          () ->
              (boolean)
                  browser.run("return document.querySelector('main > .gap, main > pre') !== null"));
      assertThat(browser.log()).isEmpty();
    }
  }

  @ParameterizedTest(name = "{0} wide, dark: {1}, {2}")
  @CsvSource({
    "1200, false, ''",
    "1200, true, ''",
    "390, false, ''",
    "1200, false, " + SET,
    "1200, true, " + SET,
    "390, true, " + SET,
    "1200, false, " + RUNNER,
    "1200, true, " + RUNNER,
    "390, false, " + RUNNER
  })
  @Tag("nightly")
  void axeFindsNoSeriousFaultAndNothingIsWiderThanThePhone(int width, boolean isDark, String view)
      throws Exception {
    try (var ui = ui();
        var browser = new Chromium(width, 900, isDark)) {
      open(browser, ui, view);
      browser.awaitText(view.isEmpty() ? "jobs wait" : "linux");
      Thread.sleep(1_500); // until lines are drawn and events are read
      var name = (view.isEmpty() ? "fleet" : view.split("/")[1]) + "-" + width;
      browser.picture(PICTURES.resolve(name + (isDark ? "-dark.png" : ".png")));
      assertThat(((Number) browser.run("return document.documentElement.scrollWidth")).intValue())
          .isLessThanOrEqualTo(width);
      assertThat(faults(browser)).isEmpty();
    }
  }

  @Test
  @Tag("nightly")
  void threeHundredSetsDoNotStutter() throws Exception {
    try (var many = Fleets.many(300, 0);
        var all =
            new Cluster(new KubernetesClientBuilder().withConfig(many.config()).build(), "ci");
        var ui = Ui.start(all, Selection.of(""), 0, Stage.NONE, Clock.systemUTC());
        var browser = new Chromium(1200, 900, false)) {
      open(browser, ui, "");
      browser.awaitText("300 sets");
      browser.run(
          "window.frames_ = []; let last = performance.now();"
              + "const step = (t) => { frames_.push(t - last); last = t; requestAnimationFrame(step); };"
              + "requestAnimationFrame(step);");
      for (int i = 0; i < 60; i++) {
        many.status("ci", "set-" + i * 5, "{runners: {busy: " + (20 + i) + "}}");
      }
      browser.run("scrollTo(0, 20000)");
      Thread.sleep(2_000);
      var slow =
          browser.run(
              "const f = frames_.slice(5).sort((a, b) => a - b);"
                  + "return [f[Math.floor(f.length * 0.95)], f.at(-1), f.length]");
      System.out.println("300 sets, 60 changes: a frame takes at 95 %, at most (ms), of: " + slow);
      assertThat(((Number) ((List<?>) slow).getFirst()).doubleValue()).isLessThan(200);
    }
  }

  private static Ui ui() throws InterruptedException {
    return Ui.start(cluster, Selection.of(""), 0, Stage.NONE, Clock.systemUTC());
  }

  private static void open(Chromium browser, Ui ui, String view)
      throws IOException, InterruptedException {
    browser.open(ui.entryUrl());
    browser.awaitText("Sets of runners");
    if (!view.isEmpty()) {
      browser.run("location.hash = '" + view + "'");
    }
  }

  private static List<?> names(Chromium browser) {
    return (List<?>)
        browser.run("return [...document.querySelectorAll('.card h2 a')].map(a => a.innerText)");
  }

  private static List<String> faults(Chromium browser) throws IOException, InterruptedException {
    try (var axe = BrowserIT.class.getResourceAsStream("/axe.min.js")) {
      browser.run(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
    }
    var found = (Map<?, ?>) browser.runAsync("axe.run().then(arguments[arguments.length - 1])");
    return ((List<?>) found.get("violations"))
        .stream()
            .map(each -> (Map<?, ?>) each)
            .filter(each -> List.of("serious", "critical").contains(each.get("impact")))
            .map(each -> each.get("id") + ": " + Serialization.asJson(each.get("nodes")))
            .toList();
  }
}
