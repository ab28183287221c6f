package dev.runnerset.images;

import java.util.Locale;

/** A processor that images are made for. Names are those of images and of Debian: they agree. */
public enum Architecture {
  /** 64 bit Intel and AMD. */
  AMD64("x86_64-linux-gnu", "lib64/ld-linux-x86-64.so.2"),
  /** 64 bit ARM. */
  ARM64("aarch64-linux-gnu", "lib/ld-linux-aarch64.so.1");

  private final String libraries;
  private final String loader;

  Architecture(String libraries, String loader) {
    this.libraries = libraries;
    this.loader = loader;
  }

  /** {@code amd64} or {@code arm64}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The architecture of this machine. */
  public static Architecture here() {
    var name = System.getProperty("os.arch");
    return switch (name) {
      case "amd64", "x86_64" -> AMD64;
      case "aarch64", "arm64" -> ARM64;
      default ->
          throw new IllegalStateException("images are made for amd64 and arm64, not " + name);
    };
  }

  /** The name of the folder of libraries below {@code lib}. */
  String libraries() {
    return libraries;
  }

  /** The path of the program that loads libraries, as programs name it. */
  String loader() {
    return loader;
  }
}
