package dev.runnerset.deployment.node;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * An image whose file system lies unpacked in a folder of this machine.
 *
 * @param root its file system; containers read it and never change it
 * @param entryPoint what is started unless the pod names another command
 * @param arguments of the entry point unless the pod names others
 * @param user as the image's configuration has it: {@code 65532} or {@code 65532:65532}
 */
public record ContainerImage(
    Path root,
    List<String> entryPoint,
    List<String> arguments,
    Map<String, String> environment,
    String user) {
  public ContainerImage {
    entryPoint = List.copyOf(entryPoint);
    arguments = List.copyOf(arguments);
    environment = Map.copyOf(environment);
  }
}
