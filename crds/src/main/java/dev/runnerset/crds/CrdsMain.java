package dev.runnerset.crds;

/** Prints the CRDs: {@code ./runnerset crds}. */
public final class CrdsMain {
  private CrdsMain() {}

  /** Takes no arguments but {@code --help}. */
  public static void main(String[] args) {
    if (args.length == 1 && args[0].equals("--help")) {
      System.out.println("usage: runnerset crds   prints the CRDs, for: kubectl apply -f -");
    } else if (args.length > 0) {
      System.err.println("runnerset crds: takes no arguments, but got '" + args[0] + "'");
      System.exit(2);
    } else {
      System.out.print(Crds.yaml());
    }
  }
}
