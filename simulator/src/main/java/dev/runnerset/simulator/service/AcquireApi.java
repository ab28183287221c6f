package dev.runnerset.simulator.service;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.stream.StreamSupport;

/** Jobs offered and acquired, as only the legacy flavour does it (protocol 3.12). */
final class AcquireApi {
  private final ServiceState state;
  private final AdminAccess access;
  private final SessionApi sessions;
  private final JobFlow flow;

  AcquireApi(ServiceState state, AdminAccess access, SessionApi sessions, JobFlow flow) {
    this.state = state;
    this.access = access;
    this.sessions = sessions;
    this.flow = flow;
  }

  /** The ids that the set won of those it asked for; the first set that asks has the job. */
  Reply acquire(Request request) {
    var wanted = request.json();
    return state.enter(now -> {
      var session = sessions.live(request, now);
      if (session.isEmpty()) {
        return SessionApi.unauthorised();
      }
      session.get().contact(now);
      var asked = StreamSupport.stream(wanted.spliterator(), false).map(JsonNode::asLong).toList();
      var node = Json.object();
      var won = node.putArray("value");
      flow.acquire(session.get().set, asked, now).forEach(job -> won.add(job.number));
      return Reply.json(200, node.put("count", won.size()));
    });
  }

  /** The jobs that the set may acquire; 204 if there are none. */
  Reply acquirable(Request request) {
    var id = request.segments().get(3);
    return access.with(
        request,
        (scope, now) -> {
          var set = access.set(scope, id);
          if (set.isEmpty()) {
            return AdminAccess.setNotFound(id);
          }
          var jobs =
              state.waiting.all(set.get()).stream()
                  .map(job -> state.event(set.get(), job, "JobAvailable"))
                  .toList();
          return jobs.isEmpty() ? Reply.empty(204) : Reply.json(200, Json.counted(jobs));
        });
  }
}
