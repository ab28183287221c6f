package dev.runnerset.simulator.service;

import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** The service without its socket: requests in, replies out, counted and with its faults. */
final class Service {
  /** What a router says that knows no such path (protocol 3.12: acquirejobs on the broker). */
  private static final Reply NO_ROUTE = Reply.text(404, "404 page not found");

  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
          .withZone(ZoneOffset.UTC);

  final ServiceState state;
  final RunnerRegistry runners;
  final JobFlow flow;
  final ScaleSetApi sets;
  final WorkflowRuns runs;
  final Reruns reruns;
  final RestAccess rest;
  private final Tokens<Scope> admin;
  private final SessionApi sessions;
  private final AtomicLong requests = new AtomicLong();
  private final Router router = new Router();
  private final Map<Flavour, Router> routersByFlavour = new EnumMap<>(Flavour.class);

  Service(Options options, Clock clock, Supplier<UUID> ids) {
    state = new ServiceState(options, clock, ids);
    runners = new RunnerRegistry(state);
    flow = new JobFlow(state, runners);
    runs = new WorkflowRuns(state, flow);
    reruns = new Reruns(state, runs);
    rest = new RestAccess(state);
    var keys = JitKeys.of(options.jitKeyBits());
    admin = new Tokens<>(ids);
    var access = new AdminAccess(state, admin);
    sets = new ScaleSetApi(state, access, flow, runners);
    var agents = new RunnerAdminApi(state, access, runners, keys);
    rest(new RegistrationApi(state, rest, runners, admin));
    var repositories = new RepositoryAccess(state, rest);
    workflows(new RunsApi(state, repositories, runs, reruns), new DispatchApi(repositories, runs));
    administration(sets, agents);
    sessions = new SessionApi(state, access, flow, sets);
    sessions(sessions);
    queues(sessions, new AcquireApi(state, access, sessions, flow));
    runner(new RunnerApi(state, runners, flow, keys), new RunServiceApi(state, runners, flow));
  }

  /** No token of a controller or listener is good any more. */
  void endTokens() {
    admin.endAll();
    sessions.endTokens();
  }

  private void rest(RegistrationApi api) {
    router.add(
        "POST",
        "/api/v3/app/installations/*/access_tokens",
        Endpoint.INSTALLATION_TOKEN,
        api::installationToken);
    for (var owner : new String[] {"orgs/*", "repos/*/*", "enterprises/*"}) {
      var path = "/api/v3/" + owner + "/actions/runners";
      router.add(
          "POST",
          path + "/registration-token",
          Endpoint.REGISTRATION_TOKEN,
          api::registrationToken);
      router.add("GET", path, Endpoint.LIST_RUNNERS, api::list);
      router.add("GET", path + "/*", Endpoint.LISTED_RUNNER, api::listedRunner);
      router.add("DELETE", path + "/*", Endpoint.DELETE_LISTED_RUNNER, api::deleteListedRunner);
      router.add("GET", path + "/deprecations/*", Endpoint.VERSION_DATES, api::deprecation);
    }
    router.add(
        "POST",
        "/api/v3/actions/runner-registration",
        Endpoint.RUNNER_REGISTRATION,
        api::adminConnection);
  }

  private void workflows(RunsApi api, DispatchApi dispatches) {
    for (var repository : new String[] {"repos/*/*", "repositories/*"}) {
      var actions = "/api/v3/" + repository + "/actions";
      router
          .add("POST", actions + "/workflows/*/dispatches", Endpoint.DISPATCH, dispatches::dispatch)
          .add("GET", actions + "/runs", Endpoint.LIST_RUNS, api::list)
          .add("GET", actions + "/runs/*", Endpoint.WORKFLOW_RUN, api::run)
          .add("POST", actions + "/runs/*/cancel", Endpoint.CANCEL_RUN, api::cancel)
          .add("GET", actions + "/runs/*/jobs", Endpoint.RUN_JOBS, api::jobs)
          .add(
              "POST",
              actions + "/runs/*/rerun-failed-jobs",
              Endpoint.RERUN_FAILED_JOBS,
              api::rerunFailedJobs)
          .add("POST", actions + "/jobs/*/rerun", Endpoint.RERUN_JOB, api::rerunJob);
    }
  }

  private void administration(ScaleSetApi sets, RunnerAdminApi agents) {
    var set = "/rest/_apis/runtime/runnerscalesets";
    var agent = "/rest/_apis/distributedtask/pools/0/agents";
    router
        .add("GET", "/rest/_apis/runtime/runnergroups", Endpoint.RUNNER_GROUPS, sets::groups)
        .add("GET", set, Endpoint.FIND_SCALE_SET, sets::find)
        .add("POST", set, Endpoint.CREATE_SCALE_SET, sets::create)
        .add("GET", set + "/*", Endpoint.GET_SCALE_SET, scoped(sets::get))
        .add("PATCH", set + "/*", Endpoint.UPDATE_SCALE_SET, scoped(sets::update))
        .add("DELETE", set + "/*", Endpoint.DELETE_SCALE_SET, scoped(sets::delete))
        .add(
            "POST",
            set + "/*/generatejitconfig",
            Endpoint.GENERATE_JIT_CONFIG,
            scoped(agents::generate))
        .add("GET", agent, Endpoint.FIND_RUNNER, agents::find)
        .add("GET", agent + "/*", Endpoint.GET_RUNNER, agents::get)
        .add("DELETE", agent + "/*", Endpoint.REMOVE_RUNNER, agents::remove);
  }

  private void sessions(SessionApi api) {
    var sessions = "/rest/_apis/runtime/runnerscalesets/*/sessions";
    router
        .add("POST", sessions, Endpoint.CREATE_SESSION, scoped(api::create))
        .add("PATCH", sessions + "/*", Endpoint.REFRESH_SESSION, scoped(api::refresh))
        .add("DELETE", sessions + "/*", Endpoint.DELETE_SESSION, scoped(api::delete));
  }

  /** Where the flavours differ: each one knows only paths of its own. */
  private void queues(SessionApi api, AcquireApi acquire) {
    var set = "/rest/_apis/runtime/runnerscalesets/*";
    routersByFlavour.put(
        Flavour.BROKER,
        new Router()
            .add("GET", "/scalesets/message", Endpoint.GET_MESSAGE, api::poll)
            .add("DELETE", "/scalesets/message/*", Endpoint.DELETE_MESSAGE, api::deleteMessage));
    routersByFlavour.put(
        Flavour.LEGACY,
        new Router()
            .add("GET", set + "/messages", Endpoint.GET_MESSAGE, api::poll)
            .add("DELETE", set + "/messages/*", Endpoint.DELETE_MESSAGE, api::deleteMessage)
            .add("POST", set + "/acquirejobs", Endpoint.ACQUIRE_JOBS, scoped(acquire::acquire))
            .add(
                "GET",
                set + "/acquirablejobs",
                Endpoint.ACQUIRABLE_JOBS,
                scoped(acquire::acquirable)));
  }

  /** A server of a user's own has another base; each flavour answers at both. */
  private static Request based(Request request) {
    var segments = request.segments();
    if (segments.size() < 3 || !segments.getFirst().equals("_services")) {
      return request;
    }
    var path = new ArrayList<String>();
    path.add("rest");
    path.addAll(segments.subList(3, segments.size()));
    return request.withSegments(path);
  }

  private void runner(RunnerApi api, RunServiceApi run) {
    router
        .add("POST", "/oauth/token", Endpoint.RUNNER_TOKEN, api::token)
        .add("POST", "/broker/session", Endpoint.RUNNER_CREATE_SESSION, api::createSession)
        .add("DELETE", "/broker/session", Endpoint.RUNNER_DELETE_SESSION, api::deleteSession)
        .add("GET", "/broker/message", Endpoint.RUNNER_GET_MESSAGE, api::poll)
        .add("POST", "/broker/acknowledge", Endpoint.RUNNER_ACKNOWLEDGE, api::acknowledge)
        .add("POST", "/run/acquirejob", Endpoint.ACQUIRE_JOB, run::acquire)
        .add("POST", "/run/renewjob", Endpoint.RENEW_JOB, run::renew)
        .add("POST", "/run/completejob", Endpoint.COMPLETE_JOB, run::complete);
  }

  /** Sees the service's paths without their base, so that ids stand at fixed places. */
  private static java.util.function.Function<Request, Reply> scoped(
      java.util.function.Function<Request, Reply> answer) {
    return request ->
        answer.apply(
            request.withSegments(request.segments().subList(1, request.segments().size())));
  }

  Reply answer(Request sent) {
    var request = based(sent);
    var latency = state.options.timings().latency();
    if (!latency.isZero()) {
      sent.pause(latency);
    }
    var flavour = state.flavour();
    var own = Objects.requireNonNull(routersByFlavour.get(flavour));
    var reply =
        answer(request, router.find(request).or(() -> own.find(request)))
            .withHeader("Date", HTTP_DATE.format(state.now()))
            .withHeader("X-GitHub-Request-Id", "%X".formatted(requests.incrementAndGet()));
    return flavour == Flavour.LEGACY
        ? reply.withHeader("ActivityId", new UUID(0, requests.get()).toString())
        : reply;
  }

  private Reply answer(Request request, Optional<Router.Route> route) {
    if (route.isEmpty()) {
      state.counters.count(Endpoint.UNKNOWN.label());
      return NO_ROUTE;
    }
    var endpoint = route.get().endpoint();
    state.counters.count(endpoint.label());
    var fault = state.faults.hit(endpoint, state.now());
    if (fault.isPresent()) {
      state.counters.count(endpoint.label() + ".fault");
    }
    if (fault.isPresent() && !fault.get().afterEffect()) {
      return answer(fault.get(), request);
    }
    var reply = route.get().answer().apply(request);
    if (fault.isPresent()) {
      return answer(fault.get(), request);
    }
    if (reply.status() >= 300) {
      state.counters.count(endpoint.label() + "." + reply.status());
    }
    return state.faults.plan().byteOrderMark() ? marked(reply) : reply;
  }

  private Reply answer(HttpFault fault, Request request) {
    if (fault.body() == HttpFault.Body.NEVER) {
      CompletableFuture.anyOf(request.gone(), state.faults.next()).join();
      return Reply.DROPPED;
    }
    return fault.reply(state.now());
  }

  private static Reply marked(Reply reply) {
    if (reply.body().length == 0) {
      return reply;
    }
    var bytes = new byte[reply.body().length + 3];
    bytes[0] = (byte) 0xEF;
    bytes[1] = (byte) 0xBB;
    bytes[2] = (byte) 0xBF;
    System.arraycopy(reply.body(), 0, bytes, 3, reply.body().length);
    return reply.withBody(reply.contentType(), bytes);
  }
}
