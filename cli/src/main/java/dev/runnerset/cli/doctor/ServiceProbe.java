package dev.runnerset.cli.doctor;

import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.http.AllowedHosts;
import dev.runnerset.actions.http.UserAgent;
import dev.runnerset.base.ProductVersion;
import dev.runnerset.cli.view.Texts;
import dev.runnerset.connection.AccessReasons;
import dev.runnerset.connection.HttpServiceConnector;
import dev.runnerset.connection.InvalidConnectionException;
import dev.runnerset.connection.NeededRights;
import dev.runnerset.crds.AutoScalingRunnerSet;
import java.time.Clock;
import java.util.Objects;

/** Asks the Actions service with the credentials of a set, from this machine; changes nothing. */
public final class ServiceProbe {
  private static final String NAME = "service, asked from here";

  private final DoctorReader reader;
  private final AllowedHosts hosts;
  private final Clock clock;

  /**
   * Reads the credentials through that reader.
   *
   * @param hosts the private hosts that may be asked
   */
  public ServiceProbe(DoctorReader reader, AllowedHosts hosts, Clock clock) {
    this.reader = reader;
    this.hosts = hosts;
    this.clock = clock;
  }

  /** Whether the service knows the runner group and the scale set of the set. Blocks. */
  public Check check(AutoScalingRunnerSet set) {
    var connection = reader.credentials(set);
    if (connection.settings().isEmpty()) {
      return Check.unknown(NAME, "without credentials: " + connection.check().says());
    }
    var spec = set.getSpec();
    var group = Objects.requireNonNullElse(spec.runnerGroup(), "default");
    var name = Objects.requireNonNullElse(spec.runnerScaleSetName(), set.getMetadata().getName());
    var connector =
        HttpServiceConnector.of(
            UserAgent.of(ProductVersion.text(), "doctor"),
            settings -> settings.withAllowedHosts(hosts),
            clock);
    try (var service = connector.connect(connection.settings().get())) {
      var found = service.runnerGroup(group);
      if (found.isEmpty()) {
        return Check.wrong(
            NAME,
            "there is no runner group " + Texts.line(group),
            "create it, or name another one in spec.runnerGroup");
      }
      return service.findScaleSet(found.get(), name).isPresent()
          ? Check.ok(
              NAME,
              "it knows the group " + Texts.line(group) + " and the scale set " + Texts.line(name))
          : Check.wrong(
              NAME,
              "it has no scale set " + Texts.line(name),
              "kubectl runnerset why says whether the controller can make it");
    } catch (ServiceException e) {
      return Check.wrong(
          NAME,
          AccessReasons.of(e.error()).word() + ": " + Texts.line(e.getMessage()),
          NeededRights.at(spec.githubConfigUrl()));
    } catch (InvalidConnectionException e) {
      return Check.wrong(NAME, Texts.line(e.getMessage()), "docs/start/credentials.md");
    }
  }
}
