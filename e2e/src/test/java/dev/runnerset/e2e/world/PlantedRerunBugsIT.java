package dev.runnerset.e2e.world;

import static dev.runnerset.e2e.world.Planted.answering;
import static dev.runnerset.e2e.world.Planted.refusing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.ServiceError;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.actions.WorkflowJob;
import dev.runnerset.actions.WorkflowRun;
import dev.runnerset.crds.AutoScalingRunnerSet;
import dev.runnerset.crds.AutoScalingRunnerSetSpecBuilder;
import dev.runnerset.crds.AutoScalingRunnerSetStatusBuilder;
import dev.runnerset.crds.LostJob;
import dev.runnerset.crds.Rerun;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each invariant of lost jobs catches a bug that is planted around the rounds that read them. */
final class PlantedRerunBugsIT {
  /** A bug, and the invariant that it breaks. */
  enum Bug implements Bugs {
    LOSSES_ARE_NOT_WRITTEN_DOWN("RR2") {
      @Override
      public PlayedKube kube(World world, LivingProcess process) {
        return without(world, process, entry -> entry.isObject() && !entry.has("rerunAttempt"));
      }
    },
    ENTRIES_STAY("I4") {
      @Override
      public PlayedKube kube(World world, LivingProcess process) {
        return without(world, process, JsonNode::isNull);
      }
    },
    THE_ATTEMPT_IS_NOT_WRITTEN_BEFORE_THE_CALL("RR3 intent") {
      @Override
      public PlayedKube kube(World world, LivingProcess process) {
        return without(world, process, entry -> entry.has("rerunAttempt"));
      }
    },
    THE_ATTEMPT_THAT_WAS_ASKED_FOR_IS_FORGOTTEN("RR3 twice") {
      @Override
      public AutoScalingRunnerSet seenByReruns(AutoScalingRunnerSet real) {
        var losses = new HashMap<>(real.statusOrNone().lostJobs());
        losses.replaceAll((_, loss) -> unasked(loss));
        var status = AutoScalingRunnerSetStatusBuilder.builder(real.statusOrNone());
        var seen = ApiServer.copy(real);
        seen.setStatus(status.lostJobs(losses).build());
        return seen;
      }

      @Override
      public ActionsService service(ActionsService real) {
        return answering(real, answer -> jobs(answer, Bug::asIfOfTheLastAttempt));
      }
    },
    THE_BUDGET_IS_NOT_KEPT("RR4 budget") {
      @Override
      public AutoScalingRunnerSet seenByReruns(AutoScalingRunnerSet real) {
        return with(real, rerun -> new Rerun(true, 10, rerun.withOthers(), List.of()));
      }
    },
    OTHERS_RUN_AGAIN_WITHOUT_LEAVE("RR3 others") {
      @Override
      public AutoScalingRunnerSet seenByReruns(AutoScalingRunnerSet real) {
        return with(real, rerun -> new Rerun(true, rerun.budget(), true, List.of()));
      }
    },
    A_CANCELLED_RUN_IS_TAKEN_FOR_A_FAILED_ONE("RR4 cancelled") {
      @Override
      public ActionsService service(ActionsService real) {
        return concludingFailed(real, "cancelled");
      }
    },
    A_JOB_THAT_SUCCEEDED_IS_TAKEN_FOR_A_FAILED_ONE("RR4 done") {
      @Override
      public ActionsService service(ActionsService real) {
        return concludingFailed(real, "success");
      }
    },
    A_LATER_ATTEMPT_IS_NOT_SEEN("RR4 later") {
      @Override
      public ActionsService service(ActionsService real) {
        return answering(real, answer -> jobs(firstNeverOver(answer), Bug::asIfOfTheLastAttempt));
      }
    },
    A_REFUSAL_IS_TAKEN_FOR_A_LOST_ANSWER("RR4 refused") {
      @Override
      public ActionsService service(ActionsService real) {
        return refusing(
            real,
            refusal ->
                refusal.error() instanceof ServiceError.Forbidden
                    ? new ServiceException(ServiceClient.unavailable("rerun"))
                    : refusal);
      }
    };

    final String breaks;

    Bug(String breaks) {
      this.breaks = breaks;
    }

    /** Writes no such entry into the set's status. */
    private static PlayedKube without(
        World world, LivingProcess process, Predicate<JsonNode> entry) {
      return new PlayedKube(world, process) {
        @Override
        public <T extends HasMetadata> T mergeStatusBody(
            Class<T> kind, Resource at, JsonNode body) {
          if (body.path("status").path("lostJobs") instanceof ObjectNode entries) {
            var left = StreamSupport.stream(entries.spliterator(), false).filter(entry.negate());
            if (left.findAny().isEmpty()) {
              return super.get(kind, at);
            }
          }
          return super.mergeStatusBody(kind, at, body);
        }
      };
    }

    private static AutoScalingRunnerSet with(
        AutoScalingRunnerSet real, UnaryOperator<Rerun> change) {
      var rerun = real.getSpec().rerun();
      if (rerun == null) {
        return real;
      }
      var spec = AutoScalingRunnerSetSpecBuilder.builder(real.getSpec());
      var seen = ApiServer.copy(real);
      seen.setSpec(spec.rerun(change.apply(rerun)).build());
      return seen;
    }

    private static LostJob unasked(LostJob loss) {
      return new LostJob(
          loss.repository(),
          loss.workflowRunId(),
          loss.runnerId(),
          loss.cause(),
          loss.lostAt(),
          null);
    }

    private static Object jobs(Object answer, UnaryOperator<List<WorkflowJob>> change) {
      return answer instanceof Optional<?> found
              && found.orElse(null) instanceof List<?> list
              && !list.isEmpty()
          ? Optional.of(change.apply(list.stream().map(WorkflowJob.class::cast).toList()))
          : answer;
    }

    /** A person has all the time to run it again first. */
    private static Object firstNeverOver(Object answer) {
      return answer instanceof Optional<?> found
              && found.orElse(null) instanceof WorkflowRun(var name, var attempt, var _, var _)
              && attempt == 1
          ? Optional.of(new WorkflowRun(name, 1, false, ""))
          : answer;
    }

    private static List<WorkflowJob> asIfOfTheLastAttempt(List<WorkflowJob> jobs) {
      int last = jobs.stream().map(WorkflowJob::attempt).max(Comparator.naturalOrder()).get();
      return jobs.stream()
          .map(job ->
              new WorkflowJob(
                  job.id(), job.name(), last, job.runner(), job.conclusion(), job.completedAt()))
          .toList();
    }

    private static ActionsService concludingFailed(ActionsService real, String word) {
      UnaryOperator<String> conclusion = is -> is.equals(word) ? "failure" : is;
      return answering(
          real,
          answer ->
              answer instanceof Optional<?> found
                      && found.orElse(null)
                          instanceof WorkflowRun(var name, var attempt, var over, var how)
                  ? Optional.of(new WorkflowRun(name, attempt, over, conclusion.apply(how)))
                  : jobs(
                      answer,
                      jobs ->
                          jobs.stream()
                              .map(job -> job.conclusion().equals(word) ? failedLate(job) : job)
                              .toList()));
    }

    private static WorkflowJob failedLate(WorkflowJob job) {
      var late = job.completedAt().plus(Duration.ofHours(1));
      return new WorkflowJob(job.id(), job.name(), job.attempt(), job.runner(), "failure", late);
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource
  void isCaught(Bug bug) {
    Planted.mustBreak(bug.breaks, bug);
  }
}
