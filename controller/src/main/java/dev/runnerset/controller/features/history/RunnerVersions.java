package dev.runnerset.controller.features.history;

import dev.runnerset.base.Pure;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The runner version that a rollout brings: what the user says, else the tag of the image if that
 * is a version, else unknown; and which versions are of the same minor (HS7).
 */
@Pure
public final class RunnerVersions {
  private static final Pattern TAG =
      Pattern.compile("v?(\\d{1,18}\\.\\d{1,18}\\.\\d{1,18}([-+][0-9A-Za-z.+_-]*)?)");

  private RunnerVersions() {}

  /**
   * The version without a leading v, or "" when it is not known.
   *
   * @param explicit {@code spec.runnerVersion}
   */
  public static String of(@Nullable String explicit, String image) {
    if (explicit != null && !explicit.isBlank()) {
      var text = explicit.strip();
      return text.startsWith("v") ? text.substring(1) : text;
    }
    var match = TAG.matcher(tag(image));
    return match.matches() ? match.group(1) : "";
  }

  /** The part behind the last colon of the name, unless that colon belongs to a registry's port. */
  private static String tag(String image) {
    int digest = image.indexOf('@');
    var name = digest < 0 ? image : image.substring(0, digest);
    int colon = name.lastIndexOf(':');
    return colon < 0 || colon < name.lastIndexOf('/') ? "" : name.substring(colon + 1);
  }

  /** {@code v2.335.1-foo} is 2.335: a leading v and what follows - or + do not count. */
  private static final Pattern FORM =
      Pattern.compile("v?0*(\\d{1,18})\\.0*(\\d{1,18})(\\.\\d{1,18})?([-+].*)?");

  /**
   * What two versions must share to be of the same minor: major and minor as numbers, or, where the
   * version is unknown, the very same image (HS7).
   */
  static String minor(String version, String image) {
    var match = FORM.matcher(version);
    return match.matches() ? match.group(1) + "." + match.group(2) : "of " + image;
  }
}
