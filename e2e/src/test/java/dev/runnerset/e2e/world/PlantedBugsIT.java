package dev.runnerset.e2e.world;

import static dev.runnerset.e2e.world.Planted.answering;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.runnerset.actions.ActionsService;
import dev.runnerset.actions.JitConfigResult;
import dev.runnerset.actions.JobDescription;
import dev.runnerset.actions.MessageSession;
import dev.runnerset.actions.OpenSessionResult;
import dev.runnerset.actions.RemoveRunnerResult;
import dev.runnerset.actions.ScaleSetId;
import dev.runnerset.actions.ServiceException;
import dev.runnerset.controller.removal.RemovalReason;
import dev.runnerset.controller.removal.RunnerRemover;
import dev.runnerset.crds.EphemeralRunner;
import dev.runnerset.kube.Preconditions;
import dev.runnerset.kube.Resource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each invariant catches a bug that is planted between our programs and the world. */
final class PlantedBugsIT {
  /** A bug, and the invariant that it breaks. */
  enum Bug implements Bugs {
    THE_FINALIZER_ASKS_NOBODY("I1") {
      @Override
      public RunnerRemover remover(RunnerRemover real) {
        return new RunnerRemover() {
          @Override
          public Outcome removeRegistration(EphemeralRunner runner, RemovalReason reason) {
            return new Outcome.Removed();
          }

          @Override
          public Outcome removeAll(EphemeralRunner runner, RemovalReason reason) {
            return new Outcome.Removed();
          }

          @Override
          public Optional<Outcome> removeLeftOver(EphemeralRunner leftOver) {
            return real.removeLeftOver(leftOver);
          }

          @Override
          public boolean isRemoved(String uid, long runnerId) {
            return real.isRemoved(uid, runnerId);
          }
        };
      }
    },
    A_REFUSAL_COUNTS_AS_AGREEMENT("I2") {
      @Override
      public ActionsService service(ActionsService real) {
        return answering(
            real,
            answer ->
                answer instanceof RemoveRunnerResult.JobStillRunning
                    ? new RemoveRunnerResult.Removed()
                    : answer);
      }
    },
    A_REFUSAL_IS_TRIED_AGAIN_LIKE_AN_ERROR("I3") {
      @Override
      public ActionsService service(ActionsService real) {
        return answering(
            real,
            answer ->
                answer instanceof RemoveRunnerResult.JobStillRunning
                    ? new RemoveRunnerResult.Failed(ServiceClient.unavailable("remove"))
                    : answer);
      }
    },
    SURPLUS_RUNNERS_ARE_NOT_DELETED("I4") {
      @Override
      public PlayedKube kube(World world, LivingProcess process) {
        return new PlayedKube(world, process) {
          @Override
          public boolean delete(Resource at, Preconditions wanted) {
            return at.plural().equals("ephemeralrunners") || super.delete(at, wanted);
          }
        };
      }
    },
    NO_REGISTRATION_IS_LOOKED_UP_BY_NAME("I5") {
      @Override
      public ActionsService service(ActionsService real) {
        return answering(
            real, answer -> answer instanceof Optional<?> ? withoutRunner(answer) : answer);
      }
    },
    A_SECOND_POD_IS_MADE_FROM_THE_SECRET("I6") {
      @Override
      public PlayedKube kube(World world, LivingProcess process) {
        return new PlayedKube(world, process) {
          @Override
          public <T extends HasMetadata> T create(T object) {
            var made = super.create(object);
            if (object instanceof Pod || object instanceof Secret) {
              var second = ApiServer.copy(object);
              second.getMetadata().setName(object.getMetadata().getName() + "-2");
              var _ = super.create(second);
            }
            return made;
          }
        };
      }
    },
    A_NAME_IS_USED_FOR_A_SECOND_REGISTRATION("RN4") {
      @Override
      public ActionsService service(ActionsService real) {
        return answering(
            real,
            answer -> {
              if (answer instanceof JitConfigResult.Registered(var made, var _)) {
                var _ = real.removeRunner(made.id());
                return real.generateJitConfig(made.scaleSetId(), made.name(), "_work");
              }
              return answer;
            });
      }
    },
    A_RUNNER_IS_KNOWN_BY_ANOTHER_ID("RN4") {
      @Override
      public PlayedKube kube(World world, LivingProcess process) {
        return new PlayedKube(world, process) {
          @Override
          public <T extends HasMetadata> T mergeStatusBody(
              Class<T> kind, Resource at, JsonNode body) {
            return super.mergeStatusBody(kind, at, another(body));
          }

          private JsonNode another(JsonNode body) {
            var copy = body.deepCopy();
            copy.findParents("runnerId").stream()
                .filter(at -> at.get("runnerId").isNumber())
                .forEach(at -> ((ObjectNode) at).put("runnerId", at.get("runnerId").asLong() + 1));
            return copy;
          }
        };
      }
    },
    FAILED_RUNNERS_COUNT_AS_LIVE("I7") {
      @Override
      public PlayedKube kube(World world, LivingProcess process) {
        return new PlayedKube(world, process) {
          @Override
          public <T extends HasMetadata> T mergeStatusBody(
              Class<T> kind, Resource at, JsonNode body) {
            body.findParents("phase").stream()
                .filter(status -> status.get("phase").asText().equals("Failed"))
                .forEach(status -> ((ObjectNode) status).remove("phase"));
            return super.mergeStatusBody(kind, at, body);
          }
        };
      }
    },
    MARKS_ARE_LOST("I8") {
      @Override
      public PlayedKube listenerKube(World world, LivingProcess process) {
        return new PlayedKube(world, process) {
          @Override
          public <T extends HasMetadata> T mergeStatus(
              Class<T> kind, Resource at, JsonNode status) {
            return super.get(kind, at);
          }
        };
      }
    },
    A_MESSAGE_THAT_COMES_AGAIN_CHANGES_A_MARK("I8 twice") {
      @Override
      public PlayedKube listenerKube(World world, LivingProcess process) {
        return new PlayedKube(world, process) {
          @Override
          public <T extends HasMetadata> T mergeStatus(
              Class<T> kind, Resource at, JsonNode status) {
            if (super.get(kind, at) instanceof EphemeralRunner runner
                && runner.statusOrNone().isBusy()) {
              ((ObjectNode) status).put("jobResult", "again");
            }
            return super.mergeStatus(kind, at, status);
          }
        };
      }
    },
    TWO_RUNNERS_ARE_MADE_FOR_ONE("I9") {
      @Override
      public PlayedKube kube(World world, LivingProcess process) {
        return new PlayedKube(world, process) {
          @Override
          public <T extends HasMetadata> T create(T object) {
            if (object instanceof EphemeralRunner) {
              var second = ApiServer.copy(object);
              second.getMetadata().setName(object.getMetadata().getName() + "-2");
              var _ = super.create(second);
            }
            return super.create(object);
          }
        };
      }
    },
    THE_DEMAND_DOES_NOT_TELL_OF_ITS_MARKS("I9") {
      @Override
      public PlayedKube listenerKube(World world, LivingProcess process) {
        return new PlayedKube(world, process) {
          @Override
          public <T extends HasMetadata> T jsonPatchStatus(
              Class<T> kind, Resource at, JsonNode ops) {
            JsonNode without = ops.deepCopy();
            without.findValues("value").stream()
                .filter(JsonNode::isObject)
                .forEach(value -> ((ObjectNode) value).remove("marksVersion"));
            return super.jsonPatchStatus(kind, at, without);
          }
        };
      }
    },
    NOBODY_HEARS_OF_CORDONS("I4") {
      @Override
      public boolean hearsOfCordons() {
        return false;
      }
    },
    MORE_IS_ACQUIRED_THAN_THERE_ARE_PLACES("DM11") {
      @Override
      public ActionsService listenerService(ActionsService real) {
        return acquiring(
            real,
            (session, _) ->
                session.acquire(
                    real.acquirableJobs(new ScaleSetId(0)).stream()
                        .map(JobDescription::runnerRequestId)
                        .toList()));
      }
    },
    A_MESSAGE_IS_ACKNOWLEDGED_BEFORE_ITS_OFFERS_ARE_ANSWERED("I8") {
      @Override
      public ActionsService listenerService(ActionsService real) {
        return acquiring(
            real,
            (session, ids) -> {
              try {
                return session.acquire(ids);
              } catch (ServiceException e) {
                return Set.of();
              }
            });
      }
    },
    NOBODY_LISTS_THE_OFFERS_OF_BEFORE("I7") {
      @Override
      public ActionsService listenerService(ActionsService real) {
        return answering(real, answer -> answer instanceof List<?> ? List.of() : answer);
      }
    },
    THE_LISTENER_OBJECT_STAYS("settles") {
      @Override
      public PlayedKube kube(World world, LivingProcess process) {
        return new PlayedKube(world, process) {
          @Override
          public boolean delete(Resource at, Preconditions wanted) {
            return at.plural().equals("autoscalinglisteners") || super.delete(at, wanted);
          }
        };
      }
    };

    final String breaks;

    Bug(String breaks) {
      this.breaks = breaks;
    }

    /** The service whose sessions acquire in another way. */
    private static ActionsService acquiring(
        ActionsService real, BiFunction<MessageSession, List<Long>, Set<Long>> how) {
      return answering(
          real,
          answer ->
              answer instanceof OpenSessionResult.Opened(var session)
                  ? new OpenSessionResult.Opened(
                      (MessageSession)
                          Proxy.newProxyInstance(
                              MessageSession.class.getClassLoader(),
                              new Class<?>[] {MessageSession.class},
                              (_, method, arguments) -> {
                                if (method.getName().equals("acquire")) {
                                  return how.apply(session, ids(arguments[0]));
                                }
                                try {
                                  return method.invoke(session, arguments);
                                } catch (InvocationTargetException e) {
                                  throw e.getCause();
                                }
                              }))
                  : answer);
    }

    @SuppressWarnings("unchecked")
    private static List<Long> ids(Object argument) {
      return (List<Long>) argument;
    }

    private static Object withoutRunner(Object answer) {
      return ((Optional<?>) answer).filter(found -> !isRunner(found));
    }

    private static boolean isRunner(Object found) {
      return found instanceof dev.runnerset.actions.RunnerReference;
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource
  void isCaught(Bug bug) {
    Planted.mustBreak(bug.breaks, bug);
  }
}
