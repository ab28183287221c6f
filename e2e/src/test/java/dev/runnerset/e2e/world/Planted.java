package dev.runnerset.e2e.world;

import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.ServiceException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.UnaryOperator;

/** What planted bugs share: a service that answers otherwise, and the search for a seed. */
final class Planted {
  private static final long SEEDS = 1_000;

  private Planted() {}

  /** The service with other answers. */
  static ActionsService answering(ActionsService real, UnaryOperator<Object> answer) {
    return playing(real, answer, refusal -> refusal);
  }

  /** The service with other refusals. */
  static ActionsService refusing(ActionsService real, UnaryOperator<ServiceException> refusal) {
    return playing(real, answer -> answer, refusal);
  }

  private static ActionsService playing(
      ActionsService real, UnaryOperator<Object> answer, UnaryOperator<ServiceException> refusal) {
    return (ActionsService)
        Proxy.newProxyInstance(
            ActionsService.class.getClassLoader(),
            new Class<?>[] {ActionsService.class},
            (proxy, method, arguments) -> {
              try {
                return answer.apply(method.invoke(real, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause() instanceof ServiceException refused
                    ? refusal.apply(refused)
                    : e.getCause();
              }
            });
  }

  /** Plays worlds with a bug until one says that the rule is broken. */
  static void mustBreak(String rule, Bugs bug) {
    mustBreak(World.Kind.ONE_SET, rule, bug);
  }

  /** The same with worlds of that kind. */
  static void mustBreak(World.Kind kind, String rule, Bugs bug) {
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        var _ = new World(kind, seed, bug, false).run();
      } catch (Violation e) {
        if (e.rule().equals(rule)) {
          System.out.println(bug + ": seed " + seed + " says " + e.getMessage());
          return;
        } // it breaks another rule first
      }
    }
    throw new AssertionError(bug + " breaks " + rule + " in none of " + SEEDS + " seeds");
  }
}
