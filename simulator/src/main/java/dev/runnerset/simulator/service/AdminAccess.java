package dev.runnerset.simulator.service;

import java.time.Instant;
import java.util.Optional;

/** Who may call the administrative half of the service: holders of a live admin token. */
final class AdminAccess {
  /** What is done for an authorised caller, under the lock. */
  interface Body {
    Reply reply(Scope scope, Instant now);
  }

  private final ServiceState state;
  private final Tokens<Scope> tokens;

  AdminAccess(ServiceState state, Tokens<Scope> tokens) {
    this.state = state;
    this.tokens = tokens;
  }

  Reply with(Request request, Body body) {
    return state.enter(now ->
        request
            .credential("Bearer")
            .flatMap(token -> tokens.find(token, now))
            .map(scope -> body.reply(scope, now))
            .orElseGet(() -> Reply.rest(401, "The admin token is not valid.")));
  }

  /** The set of this id, if the caller may see it. */
  Optional<ScaleSet> set(Scope scope, String id) {
    return Numbers.parse(id)
        .flatMap(number -> Optional.ofNullable(state.sets.get(number)))
        .filter(set -> set.scope.equals(scope));
  }

  static Reply setNotFound(String id) {
    return Reply.fault(
        404,
        "GitHub.Actions.Runtime.WebApi.RunnerScaleSetNotFoundException",
        "No runner scale set found with identifier " + id + ".");
  }
}
