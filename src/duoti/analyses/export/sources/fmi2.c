/* The functions of FMI 2.0, model exchange and co-simulation. */
#define FMI(name) fmi2##name
typedef int Boolean;
#include "fmi.h"

typedef void (*Logger)(void *, String, Status, String, String, ...);
typedef enum { DO_STEP_STATUS, PENDING_STATUS, LAST_SUCCESSFUL_TIME, TERMINATED } StatusKind;
typedef struct {
    Logger log;
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*step_finished)(void *, Status);
    void *environment;
} Callbacks;
typedef struct {
    Boolean newDiscreteStatesNeeded, terminateSimulation, nominalsOfContinuousStatesChanged;
    Boolean valuesOfContinuousStatesChanged, nextEventTimeDefined;
    double nextEventTime;
} EventInfo;

static Status complain(Instance *i, const char *text) {
    if (i->log) ((Logger)i->log)(i->environment, i->name, ERROR, "logStatusError", "%s", text);
    return ERROR;
}

API String fmi2GetTypesPlatform(void) { return "default"; }
API String fmi2GetVersion(void) { return "2.0"; }
API void *fmi2Instantiate(String name, int kind, String guid, String resources, const Callbacks *f, Boolean visible, Boolean logging) {
    return instantiate(name, guid, f ? f->environment : NULL, f ? (void (*)(void))f->log : NULL);
}
API Status fmi2SetupExperiment(void *c, Boolean has_tolerance, double tolerance, double start, Boolean has_stop, double stop) {
    return begin(c, has_tolerance, tolerance, start), OK;
}
API Status fmi2EnterInitializationMode(void *c) { return OK; }

API Status fmi2GetReal(void *c, const Reference vr[], size_t n, double value[]) { return get(c, vr, n, value); }
API Status fmi2SetReal(void *c, const Reference vr[], size_t n, const double value[]) { return set(c, vr, n, value); }
#define NONE(name, type)                                                                                                  \
    API Status fmi2Get##name(void *c, const Reference vr[], size_t n, type value[]) { return only_reals(c, n); } \
    API Status fmi2Set##name(void *c, const Reference vr[], size_t n, const type value[]) { return only_reals(c, n); }
NONE(Integer, int)
NONE(Boolean, Boolean)
NONE(String, String)

API Status fmi2GetFMUstate(void *c, void **state) { return keep(c, state); }
API Status fmi2SetFMUstate(void *c, void *state) { return restore(c, state); }
API Status fmi2FreeFMUstate(void *c, void **state) { return forget(state); }
API Status fmi2SerializedFMUstateSize(void *c, void *state, size_t *size) { return *size = DUOTI_STATE_BYTES, OK; }
API Status fmi2SerializeFMUstate(void *c, void *state, char bytes[], size_t size) { return serialise(c, state, bytes, size); }
API Status fmi2DeSerializeFMUstate(void *c, const char bytes[], size_t size, void **state) { return deserialise(c, bytes, size, state); }

API Status fmi2GetDirectionalDerivative(void *c, const Reference u[], size_t nu, const Reference k[], size_t nk, const double dk[], double du[]) {
    return told(c, duoti_directional(((Instance *)c)->m, u, nu, k, nk, dk, du));
}

/* model exchange */
API Status fmi2NewDiscreteStates(void *c, EventInfo *info) {
    memset(info, 0, sizeof *info);
    int events = at_event(c);
    if (events < 0) return ERROR;
    info->terminateSimulation = events & 1;
    info->valuesOfContinuousStatesChanged = (events & 2) != 0;
    return OK;
}
API Status fmi2GetDerivatives(void *c, double x[], size_t n) { return rates(c, x, n); }

/* co-simulation */
API Status fmi2SetRealInputDerivatives(void *c, const Reference vr[], size_t n, const int order[], const double value[]) {
    return complain(c, "inputs are constant during a communication step");
}
API Status fmi2GetRealOutputDerivatives(void *c, const Reference vr[], size_t n, const int order[], double value[]) {
    return complain(c, "derivatives of outputs are not provided");
}
API Status fmi2DoStep(void *c, double t, double h, Boolean keep_state) {
    int status = step(c, t, h);
    return status < 0 ? ERROR : status ? DISCARD : OK;
}
API Status fmi2CancelStep(void *c) { return complain(c, "steps are never pending"); }
API Status fmi2GetStatus(void *c, StatusKind kind, Status *value) { return kind == DO_STEP_STATUS ? *value = OK, OK : DISCARD; }
API Status fmi2GetRealStatus(void *c, StatusKind kind, double *value) {
    return kind == LAST_SUCCESSFUL_TIME ? *value = ((Instance *)c)->m->r.t, OK : DISCARD;
}
API Status fmi2GetBooleanStatus(void *c, StatusKind kind, Boolean *value) {
    return kind == TERMINATED ? *value = ((Instance *)c)->m->r.ended, OK : DISCARD;
}
API Status fmi2GetIntegerStatus(void *c, StatusKind kind, int *value) { return DISCARD; }
API Status fmi2GetStringStatus(void *c, StatusKind kind, String *value) { return DISCARD; }
