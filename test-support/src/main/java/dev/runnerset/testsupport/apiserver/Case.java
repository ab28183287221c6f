package dev.runnerset.testsupport.apiserver;

/** One rule of the contract. */
public final class Case {
  private final String name;
  private final Check check;

  Case(String name, Check check) {
    this.name = name;
    this.check = check;
  }

  interface Check {
    void run(Api api) throws Exception;
  }

  public String name() {
    return name;
  }

  /** Throws an {@link AssertionError} with a sentence if the server breaks the rule. */
  public void check(Target target) throws Exception {
    check.run(new Api(target));
  }
}
