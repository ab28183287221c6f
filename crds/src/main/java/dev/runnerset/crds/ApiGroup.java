package dev.runnerset.crds;

/** The API group of the four kinds. */
public final class ApiGroup {
  /** The group. */
  public static final String NAME = "runnerset.dev";

  /** The one served and stored version. */
  public static final String VERSION = "v1alpha1";

  /** Group and version as {@code apiVersion} spells them. */
  public static final String API_VERSION = NAME + "/" + VERSION;

  private ApiGroup() {}
}
