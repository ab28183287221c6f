package dev.runnerset.testsupport.apiserver;

/** One rule of the contract. */
public record Case(String name, Check check) {

  /** Throws an {@link AssertionError} with a sentence if the server breaks the rule. */
  public interface Check {
    void run(Target target) throws Exception;
  }
}
