package dev.runnerset.simulator.service;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;

/**
 * How a simulated service starts.
 *
 * @param port port on 127.0.0.1; 0 takes a free one
 * @param tokens the personal access tokens it accepts
 * @param apps the GitHub Apps it accepts
 * @param owners organisations, owners and enterprises that exist; empty means any
 * @param groups names of runner groups beside {@code Default}; ids count from 2
 * @param seed of every random choice (faults)
 * @param jitKeyBits size of the RSA keys in JIT configurations, shared from a small pool; small by
 *     default because they guard nothing here and signing would be charged to the measured burst
 * @param tls the server's TLS context; empty means plain HTTP
 * @param flavour which generation of the service it plays at first
 */
@WithWithers
public record Options(
    int port,
    Set<String> tokens,
    List<App> apps,
    Set<String> owners,
    Set<String> groups,
    Timings timings,
    long seed,
    int jitKeyBits,
    Optional<SSLContext> tls,
    Flavour flavour)
    implements OptionsBuilder.With {

  public Options {
    tokens = Set.copyOf(tokens);
    apps = List.copyOf(apps);
    owners = Set.copyOf(owners);
    groups = java.util.Collections.unmodifiableSet(new java.util.LinkedHashSet<>(groups));
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("port " + port + " is not in 0..65535");
    }
  }

  /** A free port, one accepted token, any owner, default timings. */
  public static Options accepting(String token) {
    return new Options(
        0,
        Set.of(token),
        List.of(),
        Set.of(),
        Set.of(),
        Timings.defaults(),
        1,
        1024,
        Optional.empty(),
        Flavour.BROKER);
  }

  public Options withApp(App value) {
    return withApps(List.of(value));
  }

  public Options withTls(SSLContext value) {
    return withTls(Optional.of(value));
  }

  /** Without the tokens: options are logged. */
  @Override
  public String toString() {
    return "Options[port="
        + port
        + ", owners="
        + owners
        + ", groups="
        + groups
        + ", seed="
        + seed
        + "]";
  }
}
