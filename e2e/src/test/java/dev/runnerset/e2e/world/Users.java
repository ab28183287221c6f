package dev.runnerset.e2e.world;

import dev.runnerset.actions.ServiceException;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetSpec;
import dev.runnerset.crds.AutoScalingRunnerSetSpecBuilder;
import dev.runnerset.crds.CapacitySettings;
import dev.runnerset.crds.Deadlines;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.crds.Labels;
import dev.runnerset.crds.NameReference;
import dev.runnerset.crds.Rerun;
import dev.runnerset.crds.RunnerMode;
import dev.runnerset.crds.ScheduleWindow;
import dev.runnerset.crds.StoredTemplate;
import dev.runnerset.kube.Preconditions;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Predicate;

/** Who submits jobs, and who edits and deletes what is in the cluster. */
final class Users {
  private static final int MAX = 6;

  /** Where jobs are offered, some have to wait for a place. */
  private static final int MAX_OF_OFFERS = 3;

  private static final String FOREVER = "24h";

  /** People act on runs for longer than on the cluster: some jobs are over late. */
  private static final int LAST_ACT = 1_000_000;

  /** Longer than any world. */
  private static final long LONG = 24 * 3_600_000L;

  private final World world;
  private int min;
  private int images;
  private Rerun rerun;
  private int acts;
  private List<ScheduleWindow> schedule = List.of();
  private boolean inPeace;

  Users(World world) {
    this.world = world;
  }

  /** Idle runners when all jobs are over. */
  int warm() {
    int others = world.sets.stream().skip(1).mapToInt(OneSet::min).sum();
    return others + warmOfFirst();
  }

  private int warmOfFirst() {
    return schedule.stream()
        .filter(Users::isForever)
        .map(ScheduleWindow::minRunners)
        .findFirst()
        .orElse(min);
  }

  /** A few minutes of the first quarter of an hour, or the whole day. */
  private static List<ScheduleWindow> window(SplittableRandom random) {
    boolean forever = random.nextInt(3) == 0;
    var start = (forever ? 0 : 1 + random.nextInt(8)) + " 0 * * *";
    var duration = forever ? FOREVER : 1 + random.nextInt(5) + "m";
    return List.of(new ScheduleWindow("window", "UTC", start, duration, random.nextInt(4), null));
  }

  private static boolean isForever(ScheduleWindow window) {
    return window.duration().equals(FOREVER);
  }

  void createSets() {
    if (world.room != null) {
      min = world.sets.getFirst().min();
      world.sets.forEach(set -> create(set, crowded(set, RunnerMode.ACTIVE)));
      return;
    }
    min = world.chance.random.nextInt(3);
    rerun =
        world.chance.oneIn(6)
            ? null
            : new Rerun(true, 1 + world.chance.random.nextInt(2), world.chance.oneIn(4), List.of());
    create(world.sets.getFirst(), spec(RunnerMode.ACTIVE));
  }

  private void create(OneSet of, AutoScalingRunnerSetSpec spec) {
    var set = new AutoScalingRunnerSet();
    set.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(of.namespace())
            .withName(of.name())
            .withFinalizers(Labels.SET_FINALIZER) // as the framework adds it
            .build());
    set.setSpec(spec);
    var _ = world.server.create(set);
  }

  /** A set with the labels of all. */
  private AutoScalingRunnerSetSpec crowded(OneSet set, RunnerMode mode) {
    boolean first = set == world.sets.getFirst();
    var nodes = set.fixedNodes() ? CapacitySettings.Nodes.FIXED : CapacitySettings.Nodes.SCALABLE;
    return AutoScalingRunnerSetSpecBuilder.builder()
        .githubConfigUrl(World.URL)
        .githubConfigSecret(new NameReference("github"))
        .labels(List.of(World.SET))
        .minRunners(first ? min : set.min())
        .maxRunners(set.max())
        .mode(mode)
        .deadlines(new Deadlines(set.scheduling() + "m", null, null))
        .capacity(new CapacitySettings(null, null, null, nodes, null, null))
        .template(template(Integer.toString(set.cpu())))
        .build();
  }

  private AutoScalingRunnerSetSpec spec(RunnerMode mode) {
    if (world.room != null) {
      return crowded(world.sets.getFirst(), mode);
    }
    return AutoScalingRunnerSetSpecBuilder.builder()
        .githubConfigUrl(World.URL)
        .githubConfigSecret(new NameReference("github"))
        .minRunners(min)
        .maxRunners(world.beganLegacy ? MAX_OF_OFFERS : MAX)
        .mode(mode)
        .schedule(schedule)
        .rerun(rerun)
        .template(template(null))
        .build();
  }

  /** The template; a runner asks for so many processors, or says nothing of them. */
  private StoredTemplate template(String cpu) {
    var runner = new ContainerBuilder().withName("runner").withImage("runner:" + images);
    if (cpu != null) {
      runner.withNewResources().addToRequests("cpu", new Quantity(cpu)).endResources();
    }
    return StoredTemplate.of(
        new PodTemplateSpecBuilder()
            .withNewSpec()
            .withContainers(runner.build())
            .endSpec()
            .build());
  }

  private void edit(RunnerMode mode, String what) {
    world.trace.say("user", what);
    world.rules.room.disturbed();
    world.server.edit(
        AutoScalingRunnerSet.class,
        World.SET,
        set -> {
          set.setSpec(spec(mode));
          set.getMetadata().setGeneration(set.getMetadata().getGeneration() + 1);
          return set;
        });
  }

  /** Draws what happens until then. */
  void plan(int millis) {
    var random = world.chance.random;
    int count = 1 + random.nextInt(7);
    for (int i = 0; i < count; i++) {
      world.time.in(random.nextInt(millis), world.room == null ? this::submits : this::burst);
    }
    if (world.room != null) {
      int disturbances =
          Math.max(0, random.nextInt(6) - 3); // most worlds have changes of room alone
      for (int i = 0; i < disturbances; i++) {
        world.time.in(random.nextInt(millis), this::disturb);
      }
      return;
    }
    if (world.clean) {
      return;
    }
    int disturbances = random.nextInt(7);
    for (int i = 0; i < disturbances; i++) {
      world.time.in(random.nextInt(millis + 100_000), this::disturb);
    }
    if (random.nextInt(5) == 0) {
      var wait = random.nextBoolean() ? LONG : random.nextInt(120_000);
      world.time.in(random.nextInt(millis), () -> world.node.cordonsOne(wait));
    }
    if (random.nextInt(5) == 0) {
      world.time.in(random.nextInt(millis), this::schedules);
    }
    acts = Math.max(0, random.nextInt(6) - 2);
    for (int i = 0; i < acts; i++) {
      world.time.in(random.nextInt(LAST_ACT), this::actsOnARun);
    }
  }

  private void schedules() {
    schedule = window(world.chance.random);
    edit(RunnerMode.ACTIVE, "schedules " + schedule);
  }

  /** A runner is deleted when its job has begun, and no message has reported that yet. */
  void deletesSoon(String runner) {
    world.time.in(
        world.chance.millis(1, 600),
        () -> {
          world.trace.say("user", "deletes EphemeralRunner " + runner);
          var any = new Preconditions(null, null);
          var _ = world.server.delete(EphemeralRunner.class, runner, any, "user");
        });
  }

  private void burst() {
    for (int i = 0; i < 1 + world.chance.random.nextInt(10); i++) {
      submits();
    }
  }

  private void submits() {
    var random = world.chance.random;
    var millis = random.nextInt(6) == 0 ? random.nextInt(900_000) : random.nextInt(60_000);
    world.submit(job(500 + (world.clean ? millis / 10 : millis)));
  }

  /** One more job; a few fail by themselves. */
  Service.Job job(long millis) {
    var result = world.chance.oneIn(8) ? "failed" : "succeeded";
    return new Service.Job(world.nextJob(), millis, result);
  }

  // --- runs

  /** Whether somebody will cancel or repeat a run. */
  boolean actsAreDue() {
    return acts > 0;
  }

  private void actsOnARun() {
    acts--;
    switch (world.chance.random.nextInt(5)) {
      case 0 -> ofRuns(run -> !run.completed).ifPresent(world.runs::cancel);
      case 1, 2 -> ofRuns(Users::hasFailed).ifPresent(this::runsAllAgain);
      case 3 -> ofRuns(Users::hasFailed).ifPresent(this::runsOneAgain);
      default -> ofRuns(Users::hasFailed).ifPresent(world.runs::delete);
    }
  }

  /** Somebody waits for the end of the run. */
  void runsAgainSoon(Runs.Run run) {
    acts++;
    world.time.in(
        world.chance.millis(1, 20_000),
        () -> {
          acts--;
          if (hasFailed(run)) {
            runsAllAgain(run);
          }
        });
  }

  private void runsAllAgain(Runs.Run run) {
    again(run, () -> world.runs.rerunFailedJobs(Runs.REPOSITORY, run.id, true));
  }

  private void runsOneAgain(Runs.Run run) {
    var failed = run.present().stream().filter(Runs.Execution::hasFailed).toList();
    long one = world.chance.oneOf(failed).id;
    again(run, () -> world.runs.rerunJob(Runs.REPOSITORY, one, true));
  }

  private Optional<Runs.Run> ofRuns(Predicate<Runs.Run> which) {
    var all = world.runs.all(which);
    return all.isEmpty() ? Optional.empty() : Optional.of(world.chance.oneOf(all));
  }

  private static boolean hasFailed(Runs.Run run) {
    return run.completed && run.present().stream().anyMatch(Runs.Execution::hasFailed);
  }

  private void again(Runs.Run run, Runnable call) {
    world.trace.say("user", "runs " + run + " again");
    try {
      call.run();
    } catch (ServiceException e) {
      // GitHub refuses it
    }
  }

  private void disturb() {
    if (inPeace) {
      return;
    }
    world.rules.room.disturbed();
    var random = world.chance.random;
    switch (random.nextInt(14)) {
      case 0 -> world.killController();
      case 1 -> world.killListener();
      case 2 -> {
        min = random.nextInt(4);
        edit(RunnerMode.ACTIVE, "wants " + min + " warm runners");
      }
      case 3 -> {
        images++;
        edit(RunnerMode.ACTIVE, "names another image");
      }
      case 4 -> {
        var mode = random.nextBoolean() ? RunnerMode.PAUSED : RunnerMode.DRAINED;
        edit(mode, "asks for " + mode);
        world.time.in(
            random.nextInt(60_000), () -> edit(RunnerMode.ACTIVE, "asks for " + RunnerMode.ACTIVE));
      }
      case 5, 6 -> deletesOne(EphemeralRunner.class);
      case 7 -> deletesOne(Pod.class);
      case 8 -> deletesOne(Secret.class);
      case 9, 10 -> world.node.losesOne();
      case 11 -> {
        world.trace.say("service", "is down");
        world.service.down = true;
        world.time.in(
            world.chance.millis(1_000, 90_000),
            () -> {
              world.trace.say("service", "is back");
              world.service.down = false;
            });
      }
      case 12 -> world.service.cancelWaiting();
      default -> {
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
          submits();
        }
        world.time.in(random.nextInt(20_000), () -> world.service.cancelWaiting());
      }
    }
  }

  private <T extends HasMetadata> void deletesOne(Class<T> kind) {
    var there = world.server.all(kind);
    if (!there.isEmpty()) {
      var one = world.chance.oneOf(there);
      world.trace.say("user", "deletes " + one.getKind() + " " + one.getMetadata().getName());
      var _ =
          world.server.delete(
              kind, one.getMetadata().getName(), new Preconditions(null, null), "user");
    }
  }

  void leaveInPeace() {
    inPeace = true;
    schedule = schedule.stream().filter(Users::isForever).toList(); // else nothing would settle
    edit(RunnerMode.ACTIVE, "asks for " + RunnerMode.ACTIVE);
  }
}
