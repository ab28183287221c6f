package dev.runnerset.controller.main;

import dev.runnerset.actions.http.AllowedHosts;
import dev.runnerset.controller.config.AgeCollectionSettings;
import dev.runnerset.controller.config.ControllerSettings;
import dev.runnerset.controller.config.EmbeddedStatus;
import dev.runnerset.controller.config.FeatureGates;
import dev.runnerset.controller.config.Leadership;
import dev.runnerset.controller.config.LeaseTimes;
import dev.runnerset.controller.config.LeavingTaints;
import dev.runnerset.controller.config.Places;
import dev.runnerset.crds.GoDuration;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * The flags of the controller's settings: each is declared here only. Its default is the value of
 * its field, which comes from {@link ControllerSettings#of}; {@link EffectiveSettings} lists what
 * is declared here.
 */
final class ControllerFlags {
  private static final ControllerSettings DEFAULTS = ControllerSettings.of("default");

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      split = ",",
      description = "watch runner sets of this namespace only; may be repeated (default: all)")
  private List<String> namespaces = List.of();

  @Option(
      names = "--controller-namespace",
      paramLabel = "NAME",
      description = "namespace of the controller and of its lease (default: ${DEFAULT-VALUE})")
  private String controllerNamespace = DEFAULTS.places().controllerNamespace();

  @Option(
      names = "--listener-namespace",
      paramLabel = "NAME",
      description =
          "namespace of the listener and of its listener objects (default: ${DEFAULT-VALUE})")
  private String listenerNamespace = DEFAULTS.places().listenerNamespace();

  @Option(
      names = "--listener-service-account",
      paramLabel = "NAME",
      description = "service account of the listener in that namespace (default: ${DEFAULT-VALUE})")
  private String listenerServiceAccount = DEFAULTS.places().listenerServiceAccount();

  @Option(
      names = "--identity",
      paramLabel = "NAME",
      description =
          "name of this process among its replicas (default: POD_NAME or HOSTNAME, and a random part)")
  private String identity = ownName(System.getenv());

  @Option(
      names = "--lease-duration",
      paramLabel = "TIME",
      converter = DurationText.class,
      description =
          "another process may lead when the lease was not renewed for so long (default:"
              + " ${DEFAULT-VALUE})")
  private Duration leaseDuration = DEFAULTS.leadership().times().lasts();

  @Option(
      names = "--renew-deadline",
      paramLabel = "TIME",
      converter = DurationText.class,
      description =
          "the leader stops when it could not renew its lease for so long (default:"
              + " ${DEFAULT-VALUE})")
  private Duration renewDeadline = DEFAULTS.leadership().times().renewWithin();

  @Option(
      names = "--retry-period",
      paramLabel = "TIME",
      converter = DurationText.class,
      description = "time between two tries to get or renew the lease (default: ${DEFAULT-VALUE})")
  private Duration retryPeriod = DEFAULTS.leadership().times().retryEvery();

  @Option(
      names = "--allowed-hosts",
      paramLabel = "HOST",
      split = ",",
      description =
          "hosts of GitHub Enterprise Server, and proxies of sets, that may have private addresses"
              + " or speak plain http: HOST, HOST:PORT or *.DOMAIN; may be repeated; see"
              + " docs/start/install.md (default: none)")
  private List<String> allowedHosts = List.of();

  @Option(
      names = "--runner-concurrency",
      paramLabel = "N",
      description =
          "calls to one service at the same time, 1 to 512; half as many more threads reconcile"
              + " (default: ${DEFAULT-VALUE})")
  private int concurrency = DEFAULTS.concurrency();

  @Option(
      names = "--protection-window",
      paramLabel = "TIME",
      converter = DurationText.class,
      description =
          "while assigned jobs wait for a runner, a runner that has just become idle is kept for so"
              + " long (default: ${DEFAULT-VALUE})")
  private Duration protectionWindow = DEFAULTS.protectionWindow();

  @Option(
      names = "--feature-gates",
      paramLabel = "NAME=true|false",
      converter = GatesText.class,
      description =
          "features to turn on or off, separated by commas; see"
              + " docs/reference/feature-gates.md")
  private FeatureGates gates = DEFAULTS.gates();

  @Option(
      names = "--runner-maximum-gc-age",
      paramLabel = "TIME",
      converter = DurationText.class,
      description =
          "remove a runner that is idle for longer; 0s for never; needs the feature gate"
              + " RunnerMaximumGCAge (default: ${DEFAULT-VALUE})")
  private Duration maximumAge = DEFAULTS.ageCollection().maximumAge();

  @Option(
      names = "--runner-minimum-gc-age",
      paramLabel = "TIME",
      converter = DurationText.class,
      description =
          "never remove a runner for its age that was created less than this ago (default:"
              + " ${DEFAULT-VALUE})")
  private Duration minimumAge = DEFAULTS.ageCollection().minimumAge();

  @Option(
      names = "--runner-gc-period",
      paramLabel = "TIME",
      converter = DurationText.class,
      description =
          "time between two sweeps for such runners, at least 1s (default: ${DEFAULT-VALUE})")
  private Duration period = DEFAULTS.ageCollection().period();

  @Option(
      names = "--embedded-status",
      paramLabel = "FORM",
      converter = FormText.class,
      description =
          "how the status of a parent shows its children: minimal (references), full (their"
              + " statuses;"
              + " deprecated) or both (default: ${DEFAULT-VALUE})")
  private EmbeddedStatus embedded = DEFAULTS.embeddedStatus();

  @Option(
      names = "--node-taints",
      paramLabel = "true|false",
      arity = "1",
      description =
          "follow the taints by which autoscalers announce the end of a node, which needs a watch of"
              + " all nodes; false: follow only cordons; see docs/operate/drain.md (default:"
              + " ${DEFAULT-VALUE})")
  private boolean nodeTaints = DEFAULTS.leavingTaints().followed();

  @Option(
      names = "--leaving-node-taints",
      paramLabel = "KEY",
      split = ",",
      description =
          "further keys of taints that announce the end of a node: KEY, or PREFIX/* for all keys of"
              + " a prefix; may be repeated; see docs/operate/drain.md (default: none)")
  private List<String> leavingNodeTaints = List.of();

  @Option(
      names = "--fixed-nodes",
      paramLabel = "true|false",
      arity = "1",
      description =
          "the cluster gets no nodes by itself, so a pod that the scheduler cannot place shows that"
              + " there is no room; a set may say otherwise; see docs/operate/capacity.md (default:"
              + " ${DEFAULT-VALUE})")
  private boolean fixedNodes = DEFAULTS.fixedNodes();

  /**
   * The settings.
   *
   * @throws IllegalArgumentException with a sentence for the user, if the flags contradict each
   *     other
   */
  ControllerSettings settings() {
    var _ = allowedHosts();
    return new ControllerSettings(
        new Places(
            Set.copyOf(namespaces), controllerNamespace, listenerNamespace, listenerServiceAccount),
        new Leadership(identity, new LeaseTimes(leaseDuration, renewDeadline, retryPeriod)),
        concurrency,
        protectionWindow,
        gates,
        new AgeCollectionSettings(maximumAge, minimumAge, period),
        new LeavingTaints(nodeTaints, Set.copyOf(leavingNodeTaints)),
        fixedNodes,
        embedded);
  }

  /**
   * The hosts that the installation lists.
   *
   * @throws IllegalArgumentException with a sentence for the user
   */
  AllowedHosts allowedHosts() {
    return AllowedHosts.read("--allowed-hosts", allowedHosts);
  }

  /**
   * The pod, as the chart names it, so that the holder of the lease is found; and a random part.
   */
  static String ownName(Map<String, String> environment) {
    var random = new byte[4];
    new SecureRandom().nextBytes(random);
    var host =
        Stream.of("POD_NAME", "HOSTNAME")
            .map(name -> environment.getOrDefault(name, ""))
            .filter(name -> !name.isBlank())
            .findFirst();
    return host.orElse("controller") + "-" + HexFormat.of().formatHex(random);
  }

  /** A setting as its flag takes it. */
  static String text(Object value) {
    return switch (value) {
      case Duration time -> GoDuration.text(time);
      case EmbeddedStatus form -> form.word();
      default -> String.valueOf(value);
    };
  }

  /** Shows the default of a duration and of a form as the flag takes it. */
  static final class Defaults implements IDefaultValueProvider {
    @Override
    public @Nullable String defaultValue(ArgSpec flag) {
      return flag.initialValue() instanceof Duration
              || flag.initialValue() instanceof EmbeddedStatus
          ? text(flag.initialValue())
          : null;
    }
  }

  /** Reads durations as in the resources: {@code 15s}, {@code 1m30s}; never negative. */
  static final class DurationText implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      return GoDuration.parse(text)
          .orElseThrow(() ->
              new TypeConversionException(
                  text.startsWith("-")
                      ? "'" + text + "' must not be negative: write 15s or 2m"
                      : "'" + text + "' is no duration: write 15s or 2m"));
    }
  }

  /** Reads full, minimal or both, in upper or lower case. */
  static final class FormText implements ITypeConverter<EmbeddedStatus> {
    @Override
    public EmbeddedStatus convert(String text) {
      return EmbeddedStatus.of(text)
          .orElseThrow(() ->
              new TypeConversionException(
                  "'" + text + "' is no form: write full, minimal or both"));
    }
  }

  /** Reads gates as {@code A=true,B=false}. */
  static final class GatesText implements ITypeConverter<FeatureGates> {
    @Override
    public FeatureGates convert(String text) {
      try {
        return FeatureGates.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }
  }
}
