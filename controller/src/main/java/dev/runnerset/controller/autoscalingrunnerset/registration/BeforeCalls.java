package dev.runnerset.controller.autoscalingrunnerset.registration;

import dev.runnerset.controller.autoscalingrunnerset.status.Registration;
import dev.runnerset.crds.ScaleSetIdentity;
import dev.runnerset.crds.ScaleSetProvenance.Intent;
import org.jspecify.annotations.Nullable;

/**
 * What must be written before the service is asked; an exception keeps the call from being sent.
 */
public interface BeforeCalls {
  /** The first call is about to be sent; its answer may take long. */
  void asking(Registration.Asking asking);

  /**
   * A scale set is about to be made. After the service refused to make it: an earlier one that may
   * still be made, or null.
   */
  void making(@Nullable Intent intent);

  /**
   * The scale set is about to get another name or group: the next pass must know it by either, also
   * if the answer is lost.
   */
  void changing(ScaleSetIdentity becoming);

  /**
   * The scale set of the set is gone, and its id may be somebody else's: nothing is done with that
   * id any more.
   */
  void lost();
}
