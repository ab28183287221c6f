package dev.runnerset.deployment.pages;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which commands of the pages can be run here, and why the others cannot. */
final class CommandUse {
  /** Pages whose commands are run one after the other, as a user would do. */
  static final Set<String> WALKED =
      Set.of("docs/start/two-minutes.md", "docs/start/install.md", "docs/operate/stuck.md");

  /** Programs that are there: their options are checked on every page. */
  static final Set<String> HERE = Set.of("kubectl", "helm", "./runnerset");

  /** Programs beside those, that are no matter of this repository. */
  static final Set<String> SHELL = Set.of("xargs", "export");

  /** Programs that are not run, with the reason. */
  static final Map<String, String> PROGRAMS = programs();

  /** Commands that are not run in a walk, by their beginning, with the reason. */
  static final Map<String, String> COMMANDS = commands();

  private CommandUse() {}

  /** Why a command is not run in a walk; empty if it is. */
  static Optional<String> reasonNotToRun(Command command) {
    return SimpleCommands.of(command.text()).stream()
        .flatMap(simple -> reason(simple).stream())
        .findFirst();
  }

  private static Optional<String> reason(String simple) {
    var program = PROGRAMS.get(SimpleCommands.program(simple));
    if (program != null) {
      return Optional.of(program);
    }
    return COMMANDS.entrySet().stream()
        .filter(row -> simple.startsWith(row.getKey()))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  private static Map<String, String> programs() {
    var reasons = new LinkedHashMap<String, String>();
    reasons.put("kind", "makes nodes as containers: there is no container engine here");
    reasons.put("sudo", "k3s needs root and a kernel of its own");
    reasons.put("docker", "needs a container engine");
    reasons.put("ctr", "needs a container engine");
    reasons.put("crane", "needs a registry");
    reasons.put("cosign", "needs a release; .ci/publish_whole_test.py runs the page");
    reasons.put("gh", "needs GitHub");
    reasons.put("sha256sum", "needs the files of a release; .ci/publish_whole_test.py runs it");
    reasons.put(
        ".ci/rehearse-release", "keeps a registry until it is ended; RealReleaseIT runs it");
    reasons.put(".ci/real-service", "needs GitHub; RealServiceScriptIT runs it without");
    reasons.put(".ci/plugin", "builds for minutes; .ci/plugin_whole_test.py runs it");
    reasons.put("tar", "needs the archive of .ci/plugin");
    reasons.put("mvn", "CI runs Maven by itself");
    return reasons;
  }

  private static Map<String, String> commands() {
    var reasons = new LinkedHashMap<String, String>();
    reasons.put("kubectl rollout status", "waits for pods, and there is no node");
    reasons.put("kubectl logs", "needs a pod that runs, and there is no node");
    return reasons;
  }
}
