package dev.runnerset.migrate;

import org.jspecify.annotations.Nullable;

/**
 * What the user wants of the scale sets.
 *
 * @param adopt the converted set takes over the scale set of the other one
 * @param suffix appended to the names of scale set and set, so that both can work; null for none
 * @param scaleSetId the id of that scale set, where the input does not have it; null for none
 * @param release the name of the Helm release, which names the scale set where values do not
 * @param releaseByFlag whether that name is from the command line, and not from the input
 */
public record Options(
    boolean adopt,
    @Nullable String suffix,
    @Nullable Integer scaleSetId,
    @Nullable String release,
    boolean releaseByFlag) {
  /** The same scale set name, nothing adopted. */
  public static final Options NONE = new Options(false, null, null, null, false);

  public Options {
    if (adopt && suffix != null) {
      throw new BadInput("--adopt and --beside exclude each other: give one of them");
    }
    if (scaleSetId != null && !adopt) {
      throw new BadInput("--scale-set-id is for --adopt: give both, or none");
    }
    if (suffix != null && !suffix.matches("[-a-z0-9]{0,39}[a-z0-9]")) {
      throw new BadInput(
          "--beside: write small letters, digits and dashes with a letter or digit at the end, as"
              + " -next");
    }
  }

  /** With the name of the release in the input; it wins over the flag. */
  Options ofRelease(@Nullable String known) {
    return known == null ? this : new Options(adopt, suffix, scaleSetId, known, false);
  }

  /** The name of the set itself: another one beside ARC's, as it may be taken over later. */
  String setName(String theirs) {
    var name = suffix == null ? theirs : theirs + suffix;
    if (name.length() > 63) {
      throw new BadInput(
          "the name '" + name + "' is longer than 63 characters: give a shorter suffix");
    }
    return name;
  }
}
