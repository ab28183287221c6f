package dev.runnerset.images;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The command that starts a program from the unpacked file system of its image, confined much as in
 * a pod: the image is the root and read-only, the user is 65532, without capabilities and without
 * the means to gain any. Network and process numbers are those of this machine. Needs root and the
 * programs unshare, mount, setpriv and chroot.
 */
public final class ContainerCommand {
  /**
   * Its arguments: the root, the number of mounts, from and to for each mount, the command. Sees
   * /proc and /dev, which Java needs; the process that is started in the end has the number of the
   * first one, so that signals reach it.
   */
  private static final String SCRIPT =
      """
      set -eu
      root=$1 mounts=$2
      shift 2
      mount --bind "$root" "$root"
      mount --rbind /proc "$root/proc"
      mount --rbind /dev "$root/dev"
      while [ "$mounts" -gt 0 ]; do
        mount --bind "$1" "$root$2"
        shift 2
        mounts=$((mounts - 1))
      done
      mount -o remount,bind,ro "$root"
      exec setpriv --no-new-privs --inh-caps=-all --bounding-set=-all,+sys_chroot,+setuid,+setgid \
        chroot --userspec=%1$d:%1$d --groups=%1$d "$root" "$@"
      """
          .formatted(SystemFiles.USER);

  /** What the script above needs, tried at an empty folder. */
  private static final String TRIAL =
      """
      set -e
      mount --bind "$1" "$1"
      mkdir "$1/proc"
      mount --rbind /proc "$1/proc"
      mount -o remount,bind,ro "$1"
      exec setpriv --no-new-privs --inh-caps=-all --bounding-set=-all,+sys_chroot,+setuid,+setgid \
        chroot --userspec=%1$d:%1$d --groups=%1$d / true
      """
          .formatted(SystemFiles.USER);

  /** Runs the script that follows, whose mounts no other process sees. */
  private static final List<String> MOUNTING =
      List.of("unshare", "--mount", "--propagation", "private", "sh", "-c");

  private ContainerCommand() {}

  /** Why no program can be started so on this machine; empty if it can. */
  public static Optional<String> unavailableReason() throws IOException {
    var folder = Files.createTempDirectory("runnerset-container");
    try {
      var trial = new ArrayList<>(MOUNTING);
      trial.addAll(List.of(TRIAL, "try", folder.toString()));
      var _ = Tool.run(new byte[0], trial);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(
          "a program is started from its image by root with CAP_SYS_ADMIN: " + e.getMessage());
    } finally {
      var _ = Tool.run("rm", "-rf", folder.toString());
    }
  }

  /**
   * A command for {@link ProcessBuilder}, whose environment the program inherits.
   *
   * @param root where {@link ImageArchive#unpack} wrote; gets the folders to mount upon
   * @param folderByPath folders of this machine by the absolute path at which the program sees them
   * @param command as the image's entry point and its arguments
   */
  public static List<String> of(Path root, Map<String, Path> folderByPath, List<String> command)
      throws IOException {
    var mounts = new TreeMap<>(folderByPath); // outer folders before inner ones
    for (var path : List.of("/proc", "/dev")) {
      Files.createDirectories(Path.of(root + path));
    }
    for (var path : mounts.keySet()) {
      Files.createDirectories(Path.of(root + path));
    }
    var words = new ArrayList<>(MOUNTING);
    words.addAll(List.of(SCRIPT, "container", root.toAbsolutePath().toString()));
    words.add(Integer.toString(mounts.size()));
    mounts.forEach((path, folder) -> {
      words.add(folder.toAbsolutePath().toString());
      words.add(path);
    });
    words.addAll(command);
    return List.copyOf(words);
  }
}
