package dev.runnerset.cli.ui;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.runnerset.cli.Fleet;
import dev.runnerset.cli.Terminal;
import dev.runnerset.cli.cluster.Cluster;
import dev.runnerset.cli.cluster.ClusterException;
import dev.runnerset.cli.cluster.Selection;
import dev.runnerset.kube.KubeConnection;
import dev.runnerset.simulator.network.TcpProxy;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 42.2: the page's server as a browser sees it, against the in-process API server. */
final class UiIT {
  private static final String AGENT = "ui-test";

  /** The in-process server knows no web sockets: each watch asks for one, and then without. */
  private static final long WATCHES = 2;

  private static final int MORE_THAN_ARE_KEPT = 10_100;

  @TempDir Path folder;

  private final Fleet fleet = new Fleet();

  @AfterEach
  void stop() {
    fleet.close();
  }

  @Test
  void theFirstAddressLeadsToTheFleetAndWorksOnce() throws Exception {
    linux(3);
    try (var ui = ui(Stage.NONE);
        var visitor = new Visitor(ui.entryUrl());
        var stranger = new Visitor(ui.entryUrl())) {
      assertThat(visitor.get("/").body()).contains("/app.js");
      assertThat(visitor.get("/lib/preact.js").statusCode()).isEqualTo(200);
      assertThat(visitor.get("/").headers().firstValue("Content-Security-Policy"))
          .hasValueSatisfying(policy -> assertThat(policy).contains("default-src 'none'"));
      var refused = stranger.get("/");
      assertThat(refused.statusCode()).isEqualTo(403);
      assertThat(refused.body()).contains("start 'kubectl runnerset ui' again");
      try (var events = visitor.events("")) {
        assertThat(events.await("ci/linux").data()).contains("\"busy\":3");
      }
    }
  }

  @Test
  void aChangeInTheClusterIsOnThePageWithinASecond() throws Exception {
    linux(0);
    try (var ui = ui(Stage.NONE);
        var visitor = new Visitor(ui.entryUrl());
        var events = visitor.events("")) {
      events.await("ci/linux");
      var took = new ArrayList<Duration>();
      for (int busy = 1; busy <= 10; busy++) {
        long from = System.nanoTime();
        patch("linux", "{runners: {busy: " + busy + "}}");
        var arrival = events.await("\"busy\":" + busy + ",");
        took.add(Duration.ofNanos(arrival.nanos() - from));
      }
      took.sort(null);
      System.out.printf("from a change to the event: at most %d ms%n", took.getLast().toMillis());
      assertThat(took.get(8)).as("all but one").isLessThan(Duration.ofSeconds(1));
    }
  }

  @Test
  void theApiServerGetsOneListAndOneWatchForEachKindAndNothingMore() throws Exception {
    linux(1);
    try (var ui = ui(Stage.NONE);
        var visitor = new Visitor(ui.entryUrl());
        var events = visitor.events("?set=ci/linux")) {
      events.await("ci/linux");
      var atStart = requests();
      try (var more = visitor.events("")) {
        more.await("ci/linux");
        patch("linux", "{runners: {busy: 2}}");
        more.await("\"busy\":2,");
      }
      int seen = events.waiting();
      Thread.sleep(3_000); // nothing changes now
      assertThat(events.waiting()).isLessThanOrEqualTo(seen + 1);
      assertThat(requests()).isEqualTo(atStart);
      assertThat(atStart)
          .isEqualTo(
              Map.of(
                  "list autoscalingrunnersets.runnerset.dev",
                  1L,
                  "watch autoscalingrunnersets.runnerset.dev",
                  WATCHES,
                  "list ephemeralrunners.runnerset.dev",
                  1L,
                  "watch ephemeralrunners.runnerset.dev",
                  WATCHES));
    }
  }

  @Test
  void withoutTheRightForOneKindTheRestIsShown() throws Exception {
    linux(2);
    fleet.server().faults().hide(AGENT, "ephemeralrunners.runnerset.dev");
    try (var ui = ui(Stage.NONE);
        var visitor = new Visitor(ui.entryUrl());
        var events = visitor.events("")) {
      var shown = events.await("You have no right").data();
      assertThat(shown)
          .contains("You have no right to list ephemeralrunners.runnerset.dev in the namespace ci");
      assertThat(visitor.get("/api/set?namespace=ci&name=linux").body()).contains("conditions");
    }
  }

  @Test
  void namesAndMessagesStayText() throws Exception {
    var html = "<img src=x onerror=alert(1)></script> \\u001b[31m";
    fleet.set(
        "ci",
        "linux",
        "",
        "{conditions: [{type: Ready, status: \"False\", reason: SecretNotFound, message: \""
            + html
            + "\"}]}");
    try (var ui = ui(Stage.NONE);
        var visitor = new Visitor(ui.entryUrl());
        var events = visitor.events("")) {
      events.await("ci/linux");
      var detail = visitor.get("/api/set?namespace=ci&name=linux");
      assertThat(detail.headers().firstValue("Content-Type")).contains("application/json");
      assertThat(detail.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
      assertThat(detail.body()).contains("<img src=x onerror=alert(1)>").doesNotContain("\u001b");
    }
  }

  @Test
  void runnersOfTheSetThatIsOpenAreSentWithTheirJobs() throws Exception {
    linux(1);
    fleet.runner(
        "ci",
        "linux",
        "linux-a",
        "{phase: Running, jobId: j, job: {displayName: build, repository: my-org/app,"
            + " workflowRunId: 12}}");
    try (var ui = ui(Stage.NONE);
        var visitor = new Visitor(ui.entryUrl());
        var fleetEvents = visitor.events("");
        var setEvents = visitor.events("?set=ci/linux")) {
      assertThat(setEvents.await("ci/linux-a").data())
          .contains("https://github.com/my-org/app/actions/runs/12")
          .contains("\"state\":\"busy\"");
      assertThat(fleetEvents.await("ci/linux").data()).doesNotContain("linux-a");
    }
  }

  @Test
  void aPressNeedsTheTokenOfThePage() throws Exception {
    linux(1);
    try (var ui = ui(new OneButton());
        var visitor = new Visitor(ui.entryUrl())) {
      var session = visitor.get("/api/session").body();
      var forgery = session.replaceAll("(?s).*\"forgery\" *: *\"(\\w+)\".*", "$1");
      assertThat(visitor.post("/api/press", "", "button=bell").statusCode()).isEqualTo(403);
      assertThat(visitor.post("/api/press", forgery, "button=bell").body()).contains("It rang.");
      var unknown = visitor.post("/api/press", forgery, "button=horn");
      assertThat(unknown.statusCode()).isEqualTo(400);
      assertThat(unknown.body()).contains("There is no button horn.");
    }
    try (var ui = ui(Stage.NONE);
        var visitor = new Visitor(ui.entryUrl())) {
      assertThat(visitor.post("/api/press", "x", "button=bell").statusCode()).isEqualTo(405);
    }
  }

  @Test
  void withActionsAllowedASetIsPausedByTheSameWriteAsTheCommand() throws Exception {
    linux(1);
    try (var cluster = new Cluster(connected(fleet.server().url().getPort()), "ci");
        var ui = ui(new ClusterStage(cluster));
        var visitor = new Visitor(ui.entryUrl())) {
      var session = visitor.get("/api/session").body();
      var forgery = session.replaceAll("(?s).*\"forgery\" *: *\"(\\w+)\".*", "$1");
      var pause = "button=pause&namespace=ci&name=linux";
      assertThat(visitor.post("/api/press", forgery, pause).body()).contains("takes no new jobs");
      var set =
          fleet
              .client()
              .genericKubernetesResources("runnerset.dev/v1alpha1", "AutoScalingRunnerSet")
              .inNamespace("ci")
              .withName("linux")
              .get();
      assertThat(set.<Object>get("spec", "mode")).isEqualTo("Paused");
      assertThat(visitor.post("/api/press", forgery, pause).body()).contains("is Paused already");
      var gone = visitor.post("/api/press", forgery, "button=retire&namespace=ci&name=nobody");
      assertThat(gone.statusCode()).isEqualTo(400);
      assertThat(gone.body()).contains("nobody is gone.");
    }
  }

  @Test
  void aBrowserThatReloadsAllTheTimeHasFewStreams() throws Exception {
    linux(1);
    try (var ui = ui(Stage.NONE);
        var visitor = new Visitor(ui.entryUrl())) {
      var first = visitor.events("");
      first.await("ci/linux");
      for (int i = 0; i < 3 * Streams.AT_MOST; i++) {
        visitor.events("").await("ci/linux");
      }
      patch("linux", "{runners: {busy: 7}}");
      assertThat(visitor.events("").await("\"busy\":7,").data()).isNotEmpty();
      assertThat(first.waiting()).isZero(); // it was ended for the later ones
    }
  }

  @Test
  void anApiServerThatGoesAwayIsNamedAndThePageGoesOn() throws Exception {
    linux(1);
    int port = fleet.server().url().getPort();
    try (var proxy = TcpProxy.before(port);
        var ui = ui(proxy.port(), Stage.NONE);
        var visitor = new Visitor(ui.entryUrl());
        var events = visitor.events("")) {
      events.await("ci/linux");
      proxy.refuse();
      assertThat(events.await("The cluster has not answered since").data())
          .contains("what is shown is its state then");
      patch("linux", "{runners: {busy: 5}}");
      proxy.acceptAgain();
      var back = events.await("\"busy\":5,").data();
      if (!back.contains("\"banner\":\"\"")) {
        events.await("\"banner\":\"\"");
      }
    }
  }

  /** The in-process server forgets changes as etcd does, and answers 410 to a watch after them. */
  @Test
  @Tag("nightly")
  void aWatchThatIsTooOldBeginsAgainFromAList() throws Exception {
    linux(1);
    int port = fleet.server().url().getPort();
    try (var proxy = TcpProxy.before(port);
        var ui = ui(proxy.port(), Stage.NONE);
        var visitor = new Visitor(ui.entryUrl());
        var events = visitor.events("")) {
      events.await("ci/linux");
      proxy.refuse();
      events.await("The cluster has not answered since");
      for (int i = 0; i <= MORE_THAN_ARE_KEPT; i++) {
        patch("linux", "{runners: {busy: " + i + "}}");
      }
      long lists = requests().get("list autoscalingrunnersets.runnerset.dev");
      proxy.acceptAgain();
      events.await("\"busy\":" + MORE_THAN_ARE_KEPT + ",");
      assertThat(requests().get("list autoscalingrunnersets.runnerset.dev")).isGreaterThan(lists);
    }
  }

  @Test
  void whatCannotBeStartedEndsWithOneSentence() throws Exception {
    try (var taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      var shown =
          Terminal.of(fleet.config())
              .run("ui", "--no-browser", "--port", String.valueOf(taken.getLocalPort()));
      assertThat(shown.exitCode()).isEqualTo(1);
      assertThat(shown.err().strip())
          .isEqualTo(
              "The port %d is taken: name another one with --port, or 0 for any free one"
                  .formatted(taken.getLocalPort()));
    }
    assertThat(Terminal.of(fleet.config()).run("ui", "--port", "70000").err().strip())
        .isEqualTo("--port: 70000 is not in 0..65535");
    assertThatThrownBy(() -> ui(1, Stage.NONE))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("No API server answers at http://127.0.0.1:1/");
  }

  private void linux(int busy) {
    fleet.set(
        "ci",
        "linux",
        "maxRunners: 20",
        "{conditions: [{type: Ready, status: \"True\", reason: Ready, message: fine}],"
            + " runners: {desired: 5, live: 5, pending: 1, idle: 1, busy: "
            + busy
            + "}, jobs: {assigned: 4, running: 3, waiting: 1}, capacity: {advertised: 20}}");
  }

  private void patch(String set, String status) {
    fleet.status("ci", set, status);
  }

  private Map<String, Long> requests() {
    var found = new TreeMap<String, Long>();
    fleet
        .server()
        .counters()
        .snapshot()
        .forEach((key, count) -> {
          if (key.writer().equals(AGENT)) {
            found.merge(key.verb() + " " + key.resource(), count, Long::sum);
          }
        });
    return found;
  }

  private Ui ui(Stage stage) throws Exception {
    return ui(fleet.server().url().getPort(), stage);
  }

  private Ui ui(int port, Stage stage) throws IOException, InterruptedException {
    var cluster = new Cluster(connected(port), "ci");
    return Ui.start(cluster, Selection.of("ci"), 0, stage, Clock.systemUTC());
  }

  private KubernetesClient connected(int port) throws IOException {
    var own = fleet.server().url().toString();
    var file =
        Files.writeString(
            folder.resolve("kubeconfig"),
            fleet.server().kubeconfig().replace(own, "http://127.0.0.1:" + port));
    return KubeConnection.connect(Optional.of(file), AGENT);
  }

  /** A page with one button, for the test. */
  private static final class OneButton implements Stage {
    @Override
    public List<Button> buttons() {
      return List.of(new Button("bell", "Ring the bell", Place.FLEET, ""));
    }

    @Override
    public Map<String, Long> counters() {
      return Map.of("rings", 1L);
    }

    @Override
    public String press(String id, String namespace, String name) {
      if (!id.equals("bell")) {
        throw new IllegalArgumentException("There is no button " + id + ".");
      }
      return "It rang.";
    }
  }
}
