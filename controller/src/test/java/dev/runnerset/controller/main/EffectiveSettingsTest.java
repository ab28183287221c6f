package dev.runnerset.controller.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.runnerset.controller.config.ControllerSettings;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class EffectiveSettingsTest {
  /** Of the process, not of what it does with its sets. */
  private static final Set<String> NOT_TOLD =
      Set.of("--help", "--version", "--kubeconfig", "--health-port");

  private static Map<String, Object> settings(String... flags) {
    var command = new CommandLine(new ControllerMain());
    command.parseArgs(flags);
    return EffectiveSettings.of(command.getCommandSpec().mixins().get("flags"));
  }

  @Test
  void everyFlagIsReportedUnderItsName() {
    var flags =
        new CommandLine(new ControllerMain())
            .getCommandSpec().options().stream()
                .map(option -> option.longestName())
                .filter(name -> !NOT_TOLD.contains(name))
                .map(name -> name.substring(2))
                .toList();
    assertThat(settings().keySet()).containsExactlyInAnyOrderElementsOf(flags);
  }

  @Test
  void eachFlagIsReportedWithItsOwnValue() {
    assertThat(
            settings(
                "--namespace=b",
                "--namespace=a",
                "--controller-namespace=controllers",
                "--listener-namespace=listeners",
                "--listener-service-account=ears",
                "--identity=me",
                "--lease-duration=9s",
                "--renew-deadline=6s",
                "--retry-period=1500ms",
                "--allowed-hosts=ghes.corp:8443,*.lab.corp",
                "--runner-concurrency=7",
                "--protection-window=0s",
                "--feature-gates=RunnerMaximumGCAge=true",
                "--runner-maximum-gc-age=25h",
                "--runner-minimum-gc-age=3m",
                "--runner-gc-period=4m",
                "--node-taints=false",
                "--leaving-node-taints=example.com/going,spot.example.com/*",
                "--fixed-nodes=true",
                "--embedded-status=BOTH"))
        .containsOnly(
            entry("namespace", new TreeSet<>(Set.of("a", "b"))),
            entry("controller-namespace", "controllers"),
            entry("listener-namespace", "listeners"),
            entry("listener-service-account", "ears"),
            entry("identity", "me"),
            entry("lease-duration", "9s"),
            entry("renew-deadline", "6s"),
            entry("retry-period", "1s500ms"),
            entry("allowed-hosts", new TreeSet<>(Set.of("ghes.corp:8443", "*.lab.corp"))),
            entry("runner-concurrency", 7),
            entry("protection-window", "0s"),
            entry("feature-gates", Map.of("RunnerMaximumGCAge", true)),
            entry("runner-maximum-gc-age", "25h"),
            entry("runner-minimum-gc-age", "3m"),
            entry("runner-gc-period", "4m"),
            entry("node-taints", "false"),
            entry(
                "leaving-node-taints",
                new TreeSet<>(Set.of("example.com/going", "spot.example.com/*"))),
            entry("fixed-nodes", "true"),
            entry("embedded-status", "both"));
  }

  /** The defaults stand in the settings; a flag shows them as it takes them. */
  @Test
  void theFlagsHaveTheDefaultsOfTheSettings() {
    var main = new ControllerMain();
    var flags = new CommandLine(main).getCommandSpec().mixins().get("flags");
    new CommandLine(main).parseArgs("--identity=me");
    var parsed = ((ControllerFlags) flags.userObject()).settings();
    assertThat(parsed).isEqualTo(ControllerSettings.of("me"));
    assertThat(new CommandLine(main).getUsageMessage().replaceAll("\\s+", " "))
        .contains("(default: 15s)", "(default: 32)", "(default: 5m)", "(default: minimal)")
        .contains("(default: runnerset-system)");
  }

  /** Row 14: the holder of the lease is a pod that people find. */
  @Test
  void theIdentityBeginsWithTheNameOfThePod() {
    assertThat(
            ControllerFlags.ownName(Map.of("POD_NAME", "runnerset-controller-1", "HOSTNAME", "h")))
        .matches("runnerset-controller-1-[0-9a-f]{8}");
    assertThat(ControllerFlags.ownName(Map.of("HOSTNAME", "h"))).matches("h-[0-9a-f]{8}");
    assertThat(ControllerFlags.ownName(Map.of())).matches("controller-[0-9a-f]{8}");
  }
}
