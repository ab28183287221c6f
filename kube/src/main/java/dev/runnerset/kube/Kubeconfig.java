package dev.runnerset.kube;

import io.fabric8.kubernetes.api.model.Context;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads kubeconfig files into a client's settings; the first file that names a thing wins. */
final class Kubeconfig {
  private record Parsed(Path file, io.fabric8.kubernetes.api.model.Config content) {}

  private final List<Parsed> files;
  private final String names;

  private Kubeconfig(List<Parsed> files) {
    this.files = files;
    this.names = String.join(", ", files.stream().map(f -> f.file().toString()).toList());
  }

  /** Reads all files; each must exist. */
  static Kubeconfig read(List<Path> paths) {
    return new Kubeconfig(paths.stream().map(path -> new Parsed(path, parse(path))).toList());
  }

  /** The settings of that context, or of the current one. */
  Config config(Optional<String> wanted, Clock clock) {
    var name = wanted.orElseGet(this::current);
    var context = context(name);
    check(name, context);
    var config = Config.empty();
    KubeConfigUtils.merge(
        config,
        name,
        files.stream().map(Parsed::content).toArray(io.fabric8.kubernetes.api.model.Config[]::new));
    tokenFile(context).ifPresent(f -> config.setOauthTokenProvider(new TokenFile(f, clock)));
    keyAlgorithm(config).ifPresent(config::setClientKeyAlgo);
    return config;
  }

  private String current() {
    return files.stream()
        .map(f -> f.content().getCurrentContext())
        .filter(context -> context != null && !context.isEmpty())
        .findFirst()
        .orElseThrow(() ->
            new UnreachableClusterException(
                "The kubeconfig "
                    + names
                    + " has no current-context: choose one with kubectl config use-context"));
  }

  private Context context(String name) {
    return files.stream()
        .flatMap(f -> f.content().getContexts().stream())
        .filter(context -> name.equals(context.getName()))
        .map(NamedContext::getContext)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(() ->
            new UnreachableClusterException(
                "The kubeconfig " + names + " has no context '" + name + "'" + others()));
  }

  private String others() {
    var known = files.stream().flatMap(f -> f.content().getContexts().stream());
    var words = known.map(NamedContext::getName).distinct().collect(Collectors.joining(", "));
    return words.isEmpty() ? "" : ": it has " + words;
  }

  private void check(String name, Context context) {
    var cluster =
        files.stream()
            .flatMap(f -> f.content().getClusters().stream())
            .filter(c -> Objects.equals(c.getName(), context.getCluster()))
            .findFirst();
    if (cluster.isEmpty()
        || cluster.get().getCluster() == null
        || cluster.get().getCluster().getServer() == null) {
      throw new UnreachableClusterException(
          "The context '" + name + "' of the kubeconfig " + names + " names no known cluster");
    }
    var user = context.getUser();
    if (user != null
        && !user.isEmpty()
        && files.stream()
            .flatMap(f -> f.content().getUsers().stream())
            .noneMatch(u -> user.equals(u.getName()))) {
      throw new UnreachableClusterException(
          "The context '" + name + "' of the kubeconfig " + names + " names no known user");
    }
  }

  /** The user's token file, relative to its kubeconfig, unless a token stands there too. */
  private Optional<Path> tokenFile(Context context) {
    for (var file : files) {
      for (var user : file.content().getUsers()) {
        if (Objects.equals(user.getName(), context.getUser()) && user.getUser() != null) {
          var name = user.getUser().getTokenFile();
          return name == null || name.isEmpty()
              ? Optional.empty()
              : Optional.of(file.file().toAbsolutePath().resolveSibling(name));
        }
      }
    }
    return Optional.empty();
  }

  private Optional<String> keyAlgorithm(Config config) {
    try {
      if (config.getClientKeyData() != null) {
        return ClientKey.algorithm(Base64.getMimeDecoder().decode(config.getClientKeyData()));
      }
      if (config.getClientKeyFile() != null) {
        return ClientKey.algorithm(Files.readAllBytes(Path.of(config.getClientKeyFile())));
      }
      return Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      throw new UnreachableClusterException(
          "The client key of the kubeconfig " + names + " cannot be read", e);
    }
  }

  private static io.fabric8.kubernetes.api.model.Config parse(Path path) {
    if (!Files.isReadable(path)) {
      throw new UnreachableClusterException("The kubeconfig " + path + " cannot be read");
    }
    try {
      var content = KubeConfigUtils.parseConfig(path.toFile());
      if (content == null) {
        throw new UnreachableClusterException("The kubeconfig " + path + " is empty");
      }
      return content;
    } catch (UnreachableClusterException e) {
      throw e;
    } catch (RuntimeException e) {
      // INVARIANT: the parser's own words may quote a token, so that they stay out of the message
      throw new UnreachableClusterException("The kubeconfig " + path + " is no valid kubeconfig");
    }
  }
}
