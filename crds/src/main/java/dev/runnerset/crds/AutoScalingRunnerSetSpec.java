package dev.runnerset.crds;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the user wants of a set. */
@EmptyIsAbsent
@ValidationRule(
    value = "!has(self.minRunners) || !has(self.maxRunners) || self.minRunners <= self.maxRunners",
    message = "minRunners must not be greater than maxRunners, which is 10 where it is absent")
@WithBuilder
public record AutoScalingRunnerSetSpec(
    @Required
        @Size(max = 1024)
        @ValidationRule(
            value =
                "self.matches(r'^https?://[^/?#\\s]+/+[^/?#\\s]+(/+[^/?#\\s]+)?/*(\\?[^#\\s]*)?$')",
            message =
                "write the URL of an organization, a repository or an enterprise, as"
                    + " https://github.com/my-org or https://github.com/my-org/my-repo")
        @ValidationRule(
            value = LaterRule.UNLESS_KEPT + "!self.matches(r'(?i)[.]git/*([?#].*)?$')",
            message =
                "that is the address of a clone: write that of the page, without .git, as"
                    + " https://github.com/my-org/my-repo",
            optionalOldSelf = true)
        @ValidationRule(
            value =
                LaterRule.UNLESS_KEPT
                    + "!self.matches(r'(?i)^https?://(api[.](github[.]com|[^/?#]+[.]ghe[.]com)(:[0-9]*)?/|[^/?#]+/+(api|organizations|orgs|repos|settings|users)/+[^/?#])')",
            message =
                "that is the address of a page or of the API: write https://github.com/my-org,"
                    + " https://github.com/my-org/my-repo or"
                    + " https://github.com/enterprises/my-enterprise, or the same with the host of"
                    + " your server",
            optionalOldSelf = true)
        @ValidationRule(
            value = LaterRule.UNLESS_KEPT + LaterRule.PORT,
            message = LaterRule.PORT_EXPECTED,
            optionalOldSelf = true)
        @JsonPropertyDescription(
            "URL of the enterprise, organization or repository that the runners serve;"
                + " immutable after registration")
        String githubConfigUrl,
    @Required
        @JsonPropertyDescription(
            "secret with github_token, or with github_app_id, github_app_installation_id and"
                + " github_app_private_key")
        NameReference githubConfigSecret,
    @Size(max = 100)
        @ValidationRule(
            value = "self.matches(r'^[^\\s&#%+/]{1,100}$')",
            message = "write 1 to 100 characters without space, &, #, %, + or /, as linux-x64")
        @JsonPropertyDescription(
            "name of the scale set at the Actions service; default: metadata.name")
        @Nullable String runnerScaleSetName,
    @JsonPropertyDescription("runner group at the service; has to exist there") @Default("default")
        @Nullable String runnerGroup,
    @JsonPropertyDescription("labels of the scale set beside its name") List<String> labels,
    @Min(1)
        @JsonPropertyDescription(
            "id of a scale set that somebody else made and that this set may use from now on, as"
                + " Registered=False AdoptionRequired names it; with any other id nothing is"
                + " adopted; an adopted scale set is not deleted with this set")
        @Nullable Integer adoptScaleSetId,
    @Min(0)
        @Max(AutoScalingRunnerSetSpec.MOST_RUNNERS)
        @Default("0")
        @JsonPropertyDescription("idle runners kept beside the assigned ones")
        @Nullable Integer minRunners,
    @JsonPropertyDescription("the most runners at a time, and the most jobs that are taken")
        @Min(0)
        @Max(AutoScalingRunnerSetSpec.MOST_RUNNERS)
        @Default("10")
        @Nullable Integer maxRunners,
    @JsonPropertyDescription(
            "Active; Paused: no new jobs are taken, runners stay; Drained: no new jobs are taken, idle runners go")
        @Default("Active")
        @Nullable RunnerMode mode,
    @Size(max = 20)
        @JsonPropertyDescription(
            "other limits for a while after each start; of several open windows, the first window that sets a limit counts")
        List<ScheduleWindow> schedule,
    @JsonPropertyDescription("what limits the jobs that are taken, beside maxRunners")
        @Nullable CapacitySettings capacity,
    @JsonPropertyDescription(
            "how long a runner may take for each step before another one takes its place")
        @Nullable Deadlines deadlines,
    @Size(max = GoDuration.LONGEST)
        @ValidationRule(value = GoDuration.RULE, message = GoDuration.EXPECTED)
        @ValidationRule(value = Lifetime.RULE, message = Lifetime.EXPECTED)
        @JsonPropertyDescription(
            "how long the pod of a runner may run at most, for example 24h: idle time counts, and a"
                + " job that still runs then is ended with it; idle runners are replaced before half"
                + " of it is over; default: no limit")
        @Nullable String maxLifetime,
    @JsonPropertyDescription(
            "jobs that were lost with their runner run again; default: they do not")
        @Nullable Rerun rerun,
    @JsonPropertyDescription(
            "Busy: pods with a job are shielded from evictions and deletions; None: they are not")
        @Default("Busy")
        @Nullable Protection protection,
    @JsonPropertyDescription("how long, and how many, finished runners are kept")
        @Nullable Retention retention,
    @JsonPropertyDescription("when runners go that have been idle for long")
        @Nullable GarbageCollection garbageCollection,
    @JsonPropertyDescription(
            "proxies between the service and the runners, the listener and the controller")
        @Nullable ProxySettings proxy,
    @JsonPropertyDescription(
            "a certificate authority to trust, in addition to the authorities" + " of the system")
        @Nullable ServerTls githubServerTLS,
    @Size(max = 64)
        @ValidationRule(
            value = "self.matches(r'^(v?\\d+\\.\\d+\\.\\d+([-+].*)?)?$')",
            message = "write the version of the runner, as 2.338.1")
        @JsonPropertyDescription(
            "version of the runner in the image, as 2.338.1, for the history; default: the image's tag")
        @Nullable String runnerVersion,
    @Required
        @SchemaFrom(type = PodTemplateSpec.class)
        @JsonPropertyDescription("pod template; its container named runner runs the job")
        StoredTemplate template) {

  /** The most that {@code minRunners} and {@code maxRunners} may be. */
  public static final int MOST_RUNNERS = 10_000;

  /** Absent lists are empty, so that equality survives a round trip. */
  public AutoScalingRunnerSetSpec {
    labels = labels == null ? List.of() : List.copyOf(labels);
    schedule = schedule == null ? List.of() : List.copyOf(schedule);
  }

  /** What the spec says of capacity, or the usual. */
  public CapacitySettings capacityOrDefault() {
    return capacity == null ? CapacitySettings.DEFAULT : capacity;
  }
}
