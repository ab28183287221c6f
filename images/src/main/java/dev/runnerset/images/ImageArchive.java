package dev.runnerset.images;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * An image in the form that {@code docker save} writes: manifest.json, a configuration, and the
 * layers, each a compressed tar. Reads it into memory, so it is for images of this size only.
 */
public final class ImageArchive {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<PosixFilePermission> ROOT_MODE =
      PosixFilePermissions.fromString("rwxr-xr-x"); // no layer says it

  private final JsonNode manifest;
  private final JsonNode config;
  private final String id;
  private final List<Layer> layers;

  private ImageArchive(JsonNode manifest, JsonNode config, String id, List<Layer> layers) {
    this.manifest = manifest;
    this.config = config;
    this.id = id;
    this.layers = layers;
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Layer(String name, byte[] bytes) {}

  /**
   * Reads an archive.
   *
   * @throws IOException if it is no archive of one image, or a file of the image is missing
   */
  public static ImageArchive read(Path archive) throws IOException {
    var files = new LinkedHashMap<String, byte[]>();
    try (var tar = new TarArchiveInputStream(Files.newInputStream(archive))) {
      for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        files.put(entry.getName(), tar.readAllBytes());
      }
    }
    var manifests = JSON.readTree(member(files, "manifest.json"));
    if (manifests.size() != 1) {
      throw new IOException(archive + " has not one image but " + manifests.size());
    }
    var manifest = manifests.get(0);
    var config = member(files, manifest.path("Config").asText());
    var layers = new ArrayList<Layer>();
    for (var name : texts(manifest.path("Layers"))) {
      layers.add(new Layer(name, member(files, name)));
    }
    return new ImageArchive(
        manifest, JSON.readTree(config), "sha256:" + sha256(config), List.copyOf(layers));
  }

  /** What the image says of the process: user, variables, entry point, ports, labels. */
  public JsonNode config() {
    return config.path("config");
  }

  /** {@code amd64} or {@code arm64}. */
  public String architecture() {
    return config.path("architecture").asText();
  }

  /** The names under which an engine knows the image once it is loaded. */
  public List<String> names() {
    return texts(manifest.path("RepoTags"));
  }

  /** The command of the image without arguments. */
  public List<String> entryPoint() {
    return texts(config().path("Entrypoint"));
  }

  /** The environment of the image, each as {@code NAME=value}. */
  public List<String> environment() {
    return texts(config().path("Env"));
  }

  /** The identity that engines give the image: the digest of its configuration. */
  public String id() {
    return id;
  }

  /** Size of the layers as they are sent to a registry. */
  public long compressedBytes() {
    return layers.stream().mapToLong(layer -> layer.bytes().length).sum();
  }

  /**
   * What an engine would refuse: a layer that is not the one that the configuration names. Empty
   * for a good archive.
   */
  public List<String> faults() throws IOException {
    var faults = new ArrayList<String>();
    var expected = texts(config.path("rootfs").path("diff_ids"));
    if (layers.isEmpty() || layers.size() != expected.size()) {
      faults.add(layers.size() + " layers, but the configuration names " + expected.size());
      return faults;
    }
    for (int i = 0; i < layers.size(); i++) {
      try (var in = new GZIPInputStream(new ByteArrayInputStream(layers.get(i).bytes()))) {
        var found = "sha256:" + sha256(in.readAllBytes());
        if (!found.equals(expected.get(i))) {
          faults.add(
              "the layer %s is %s, not %s".formatted(layers.get(i).name(), found, expected.get(i)));
        }
      }
    }
    return faults;
  }

  /**
   * Writes the file system of the image into a folder that is empty or absent. Run by root, the
   * files belong to whom the image says; else to the caller.
   */
  public void unpack(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.setPosixFilePermissions(folder, ROOT_MODE);
    for (var layer : layers) {
      var _ =
          Tool.run(
              layer.bytes(), List.of("tar", "-xzp", "--numeric-owner", "-C", folder.toString()));
    }
  }

  private static List<String> texts(JsonNode array) {
    var texts = new ArrayList<String>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  private static byte[] member(Map<String, byte[]> files, String name) throws IOException {
    var bytes = files.get(name);
    if (bytes == null) {
      throw new IOException("the archive has no " + name);
    }
    return bytes;
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
