package dev.runnerset.base;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An object each call of which goes through an interceptor, for interfaces of many methods. */
public final class Intercepted {
  private Intercepted() {}

  /** What happens around a call: it is measured, waits for its turn, or is not made. */
  @FunctionalInterface
  public interface Interceptor {
    /**
     * Makes one call, or throws in its place. Runs on the thread of the caller.
     *
     * @param arguments null for a method without parameters
     * @param call makes the call; throws what the method throws
     * @return what the caller gets; null for a method without a result
     */
    @Nullable Object call(
        Method method, Object @Nullable [] arguments, Supplier<@Nullable Object> call);
  }

  /**
   * The same object behind the interceptor. It is equal to itself only; the other methods of {@code
   * Object} are not intercepted. If a method returns the object itself, as the methods of a builder
   * do, the caller gets the intercepted object.
   *
   * @param type an interface whose methods throw no checked exceptions
   */
  public static <T> T of(Class<T> type, T target, Interceptor interceptor) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getName().equals("equals")) {
                return proxy == arguments[0];
              }
              var answer =
                  method.getDeclaringClass() == Object.class
                      ? invoke(target, method, arguments)
                      : interceptor.call(
                          method, arguments, () -> invoke(target, method, arguments));
              return answer == target ? proxy : answer;
            }));
  }

  private static @Nullable Object invoke(
      Object target, Method method, Object @Nullable [] arguments) {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw Causes.unchecked(e);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }
}
