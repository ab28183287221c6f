package dev.runnerset.base;

/** What messages say where a part of the installed system lacks, or is of another version. */
public final class Installation {
  /** A phrase that follows "run ": for the chart first, then for the plain manifests. */
  public static final String UPGRADE =
      "helm upgrade runnerset runnerset-VERSION.tgz --namespace runnerset-system"
          + " --reset-then-reuse-values, or without Helm kubectl apply --server-side -f your copy of"
          + " install.yaml";

  private Installation() {}
}
