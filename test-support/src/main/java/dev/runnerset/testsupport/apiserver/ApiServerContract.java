package dev.runnerset.testsupport.apiserver;

import java.util.List;
import java.util.stream.Stream;

/**
 * What our programs rely on in an API server, as cases that hold on a real kube-apiserver with
 * garbage and namespace controllers, and on the in-process one.
 */
public final class ApiServerContract {
  private ApiServerContract() {}

  /**
   * All cases, in the order to run them: the first defines the custom kind that others use. Each
   * makes and removes objects of its own.
   */
  public static List<Case> cases() {
    return Stream.of(
            SchemaCases.all(),
            ObjectCases.all(),
            PatchCases.all(),
            DeleteCases.all(),
            OwnerCases.all(),
            ListCases.all(),
            WatchCases.all())
        .flatMap(List::stream)
        .toList();
  }
}
