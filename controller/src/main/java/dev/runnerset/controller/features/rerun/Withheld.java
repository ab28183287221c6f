package dev.runnerset.controller.features.rerun;

/** Why a lost job does not run again (RR4), in words for an event. */
enum Withheld {
  RUN_UNKNOWN("the message about the job named no workflow run (RunUnknown)"),
  OTHER_OWNER("its repository is not within githubConfigUrl"),
  TOO_MANY_RUNS("lost jobs of 100 other runs wait already"),
  TURNED_OFF("spec.rerun.lostJobs was turned off"),
  SET_DELETED("the set is being deleted: run it again yourself if you need it"),
  JOB_UNKNOWN("GitHub lists no job of that runner"),
  JOB_SUCCEEDED("GitHub lists the job as done"),
  ENDED_BEFORE("GitHub lists the job as over before its runner ended"),
  LATER_ATTEMPT("the run has a later attempt already"),
  BUDGET_SPENT("the run has had as many attempts as spec.rerun.budget allows"),
  RUN_CANCELLED("the run was cancelled, and not because of the lost job"),
  RUN_SUCCEEDED("the run succeeded without it"),
  OTHERS_FAILED(
      "other jobs of the run failed by themselves, and several were lost: only"
          + " spec.rerun.withOthers runs all of them again"),
  TOO_MANY_JOBS("the run has more than 1000 jobs"),
  NOT_OVER("the run has not ended for 24 hours"),
  RUN_GONE("GitHub shows no such run: it was deleted, or the credentials do not see it");

  private final String words;

  Withheld(String words) {
    this.words = words;
  }

  /** The reason, to follow the word "since". */
  String words() {
    return words;
  }
}
