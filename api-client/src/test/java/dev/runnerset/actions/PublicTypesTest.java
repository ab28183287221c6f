package dev.runnerset.actions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a user of the library can name. One more is a decision: it can never be taken back. */
final class PublicTypesTest {
  @Test
  void thesePublicTypesAreTheLibrary() throws Exception {
    assertThat(publicTypes())
        .containsExactly(
            "dev.runnerset.actions.ActionsService",
            "dev.runnerset.actions.ConfigUrl",
            "dev.runnerset.actions.CreateScaleSetResult",
            "dev.runnerset.actions.Credentials",
            "dev.runnerset.actions.InterceptedService",
            "dev.runnerset.actions.JitConfig",
            "dev.runnerset.actions.JitConfigResult",
            "dev.runnerset.actions.JobDescription",
            "dev.runnerset.actions.JobEvent",
            "dev.runnerset.actions.MessageSession",
            "dev.runnerset.actions.NewScaleSet",
            "dev.runnerset.actions.OpenSessionResult",
            "dev.runnerset.actions.PollResult",
            "dev.runnerset.actions.RemoveRunnerResult",
            "dev.runnerset.actions.RepositoryName",
            "dev.runnerset.actions.RunnerGroupId",
            "dev.runnerset.actions.RunnerId",
            "dev.runnerset.actions.RunnerList",
            "dev.runnerset.actions.RunnerReference",
            "dev.runnerset.actions.RunnerVersion",
            "dev.runnerset.actions.ScaleSet",
            "dev.runnerset.actions.ScaleSetId",
            "dev.runnerset.actions.ServiceError",
            "dev.runnerset.actions.ServiceException",
            "dev.runnerset.actions.SessionId",
            "dev.runnerset.actions.Statistics",
            "dev.runnerset.actions.VersionDates",
            "dev.runnerset.actions.WorkflowJob",
            "dev.runnerset.actions.WorkflowRun",
            "dev.runnerset.actions.http.AllowedHosts",
            "dev.runnerset.actions.http.CallLimits",
            "dev.runnerset.actions.http.CallRules",
            "dev.runnerset.actions.http.ProxySetting",
            "dev.runnerset.actions.http.RetryRules",
            "dev.runnerset.actions.http.Route",
            "dev.runnerset.actions.http.ServiceSettings",
            "dev.runnerset.actions.http.SharedConnections",
            "dev.runnerset.actions.http.Timeouts",
            "dev.runnerset.actions.http.TrustedAuthorities",
            "dev.runnerset.actions.http.UserAgent");
  }

  private static List<String> publicTypes() throws IOException, URISyntaxException {
    var classes =
        Path.of(ActionsService.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (var files = Files.walk(classes)) {
      return files
          .map(file -> classes.relativize(file).toString())
          .filter(name -> name.endsWith(".class") && !name.contains("$") && !name.contains("-"))
          .map(name -> name.replace(".class", "").replace('/', '.'))
          .filter(PublicTypesTest::isPublic)
          .sorted()
          .toList();
    }
  }

  private static boolean isPublic(String name) {
    try {
      return Modifier.isPublic(Class.forName(name).getModifiers());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }
}
