package dev.runnerset.simulator.node;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The kubeconfig that the node is given, with the algorithm of its client key: the client library
 * takes every key in PKCS#8 form for an RSA key.
 */
final class NodeKubeconfig {
  private static final Pattern PEM =
      Pattern.compile("-----BEGIN (EC )?PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END");

  private NodeKubeconfig() {}

  /**
   * Reads the file, or what the usual rules name.
   *
   * @throws IllegalArgumentException with a sentence for the user
   */
  static Config read(@Nullable Path kubeconfig) {
    try {
      var config =
          kubeconfig == null
              ? Config.autoConfigure(null)
              : Config.fromKubeconfig(kubeconfig.toFile());
      if (isEllipticCurve(key(config))) {
        config.setClientKeyAlgo("EC");
      }
      return config;
    } catch (IOException | UncheckedIOException | KubernetesClientException e) {
      throw new IllegalArgumentException(
          "the kubeconfig "
              + (kubeconfig == null ? "of KUBECONFIG" : kubeconfig)
              + " or its client key cannot be read",
          e);
    }
  }

  private static String key(Config config) throws IOException {
    if (config.getClientKeyData() != null) {
      return new String(
          Base64.getMimeDecoder().decode(config.getClientKeyData()), StandardCharsets.ISO_8859_1);
    }
    return config.getClientKeyFile() == null
        ? ""
        : Files.readString(Path.of(config.getClientKeyFile()), StandardCharsets.ISO_8859_1);
  }

  static boolean isEllipticCurve(String pem) {
    var found = PEM.matcher(pem);
    if (!found.find()) {
      return false;
    }
    if (found.group(1) != null) {
      return true;
    }
    try {
      var der = Base64.getMimeDecoder().decode(found.group(2));
      KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der));
      return true;
    } catch (GeneralSecurityException e) {
      return false; // of another algorithm
    }
  }
}
