/* The functions of FMI 2.0, model exchange and co-simulation, over core.h. */
#include <stdio.h>

#include "core.h"

#define API __attribute__((visibility("default")))
typedef void *fmi2Component, *fmi2ComponentEnvironment, *fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer, fmi2Boolean;
typedef char fmi2Char, fmi2Byte;
typedef const char *fmi2String;
typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;
typedef void (*fmi2Logger)(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
typedef struct {
    fmi2Logger logger;
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*step_finished)(fmi2ComponentEnvironment, fmi2Status);
    fmi2ComponentEnvironment environment;
} fmi2CallbackFunctions;
typedef struct {
    fmi2Boolean newDiscreteStatesNeeded, terminateSimulation, nominalsOfContinuousStatesChanged;
    fmi2Boolean valuesOfContinuousStatesChanged, nextEventTimeDefined;
    fmi2Real nextEventTime;
} fmi2EventInfo;

typedef struct {
    duoti_model *m;
    char *name;
    fmi2Logger logger;
    fmi2ComponentEnvironment environment;
} Instance;

static fmi2Status complain(Instance *i, const char *text) {
    if (i->logger) i->logger(i->environment, i->name, fmi2Error, "logStatusError", "%s", text);
    return fmi2Error;
}

API const char *fmi2GetTypesPlatform(void) { return "default"; }
API const char *fmi2GetVersion(void) { return "2.0"; }
API fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t n, const fmi2String categories[]) {
    (void)c, (void)on, (void)n, (void)categories;
    return fmi2OK;
}

API fmi2Component fmi2Instantiate(fmi2String name, int kind, fmi2String guid, fmi2String resources, const fmi2CallbackFunctions *f,
                                  fmi2Boolean visible, fmi2Boolean logging) {
    (void)kind, (void)resources, (void)visible, (void)logging;
    Instance *i = calloc(1, sizeof *i);
    if (!i) return NULL;
    i->logger = f ? f->logger : NULL;
    i->environment = f ? f->environment : NULL;
    i->name = strdup(name ? name : "");
    if (!guid || strcmp(guid, TOKEN)) complain(i, "the GUID is not that of modelDescription.xml");
    else if (!duoti_processor_fits()) complain(i, "the processor lacks instructions of this FMU: " LEVEL_TEXT);
    else if ((i->m = duoti_new())) return i;
    free(i->name);
    free(i);
    return NULL;
}

API void fmi2FreeInstance(fmi2Component c) {
    Instance *i = c;
    if (!i) return;
    duoti_free(i->m);
    free(i->name);
    free(i);
}

API fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean has_tolerance, fmi2Real tolerance, fmi2Real start, fmi2Boolean has_stop, fmi2Real stop) {
    Instance *i = c;
    (void)has_stop, (void)stop;
    i->m->r.t = i->m->r.start_time = start;
    if (has_tolerance) duoti_tolerance(i->m, tolerance);
    duoti_touch(i->m);
    return fmi2OK;
}
API fmi2Status fmi2EnterInitializationMode(fmi2Component c) { return (void)c, fmi2OK; }
API fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
    Instance *i = c;
    return duoti_initialise(i->m) ? fmi2OK : complain(i, "the initial state has no finite rates, or its loops do not close");
}
API fmi2Status fmi2Terminate(fmi2Component c) { return (void)c, fmi2OK; }
API fmi2Status fmi2Reset(fmi2Component c) { return duoti_reset(((Instance *)c)->m), fmi2OK; }

API fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, fmi2Real value[]) {
    Instance *i = c;
    for (size_t k = 0; k < n; k++)
        if (!duoti_get(i->m, vr[k], value + k)) return complain(i, "fmi2GetReal: there is no such variable");
    return fmi2OK;
}
API fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Real value[]) {
    Instance *i = c;
    for (size_t k = 0; k < n; k++) {
        if (!(fabs(value[k]) < 1e300)) return complain(i, "fmi2SetReal: a value is not finite");
        if (!duoti_set(i->m, vr[k], value[k])) return complain(i, "fmi2SetReal: a variable cannot be set now");
    }
    return fmi2OK;
}
#define NONE(name, type)                                                                                                  \
    API fmi2Status fmi2Get##name(fmi2Component c, const fmi2ValueReference vr[], size_t n, type value[]) {                \
        (void)vr, (void)value;                                                                                            \
        return n ? complain(c, "fmi2Get" #name ": all variables are reals") : fmi2OK;                                     \
    }                                                                                                                     \
    API fmi2Status fmi2Set##name(fmi2Component c, const fmi2ValueReference vr[], size_t n, const type value[]) {          \
        (void)vr, (void)value;                                                                                            \
        return n ? complain(c, "fmi2Set" #name ": all variables are reals") : fmi2OK;                                     \
    }
NONE(Integer, fmi2Integer)
NONE(Boolean, fmi2Boolean)
NONE(String, fmi2String)

API fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *state) {
    Instance *i = c;
    if (!*state) *state = malloc(DUOTI_STATE_BYTES);
    if (!*state) return complain(i, "no memory for the state");
    duoti_save(i->m, *state);
    return fmi2OK;
}
API fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
    if (!state) return complain(c, "fmi2SetFMUstate: there is no state");
    return duoti_restore(((Instance *)c)->m, state), fmi2OK;
}
API fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *state) {
    (void)c;
    if (state) free(*state), *state = NULL;
    return fmi2OK;
}
API fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t *size) {
    (void)c, (void)state;
    *size = DUOTI_STATE_BYTES;
    return fmi2OK;
}
API fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], size_t size) {
    if (!state || size < DUOTI_STATE_BYTES) return complain(c, "fmi2SerializeFMUstate: no state, or too few bytes");
    memcpy(bytes, state, DUOTI_STATE_BYTES);
    return fmi2OK;
}
API fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state) {
    if (size != DUOTI_STATE_BYTES) return complain(c, "fmi2DeSerializeFMUstate: these bytes are not from this model");
    if (!*state) *state = malloc(size);
    if (!*state) return complain(c, "no memory for the state");
    memcpy(*state, bytes, size);
    return fmi2OK;
}
API fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference u[], size_t nu, const fmi2ValueReference k[],
                                            size_t nk, const fmi2Real du[], fmi2Real dv[]) {
    (void)u, (void)nu, (void)k, (void)nk, (void)du, (void)dv;
    return complain(c, "directional derivatives are not provided");
}

/* model exchange */
API fmi2Status fmi2EnterEventMode(fmi2Component c) { return (void)c, fmi2OK; }
API fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info) {
    Instance *i = c;
    memset(info, 0, sizeof *info);
    double change = duoti_project(i->m);
    if (!(change < 1e300)) return complain(i, "the loops do not close");
    int events = duoti_handle_events(i->m);
    if (events < 0) return complain(i, duoti_reason(-102));
    info->terminateSimulation = events & 1;
    info->valuesOfContinuousStatesChanged = change > 0.0 || events & 2;
    return fmi2OK;
}
API fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c) { return (void)c, fmi2OK; }
API fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean keep, fmi2Boolean *event, fmi2Boolean *terminate) {
    Instance *i = c;
    (void)keep;
    *terminate = 0;
    *event = duoti_open(i->m) > OPEN;
    return fmi2OK;
}
API fmi2Status fmi2SetTime(fmi2Component c, fmi2Real t) {
    Instance *i = c;
    i->m->r.t = t;
    duoti_touch(i->m);
    return fmi2OK;
}
API fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t n) {
    Instance *i = c;
    if (n != N_X) return complain(i, "fmi2SetContinuousStates: wrong number of states");
    memcpy(i->m->words + Y, x, N_X * 8);
    duoti_touch(i->m);
    return fmi2OK;
}
API fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real rates[], size_t n) {
    Instance *i = c;
    if (n != N_X) return complain(i, "fmi2GetDerivatives: wrong number of states");
    memcpy(rates, duoti_rates(i->m), N_X * 8);
    return duoti_is_finite(rates, N_X) ? fmi2OK : fmi2Discard;
}
API fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real values[], size_t n) {
    Instance *i = c;
    if (n != N_EVENTS) return complain(i, "fmi2GetEventIndicators: wrong number");
    memcpy(values, duoti_indicators(i->m), N_EVENTS * 8);
    return fmi2OK;
}
API fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t n) {
    Instance *i = c;
    if (n != N_X) return complain(i, "fmi2GetContinuousStates: wrong number of states");
    duoti_apply(i->m);
    memcpy(x, i->m->words + Y, N_X * 8);
    return fmi2OK;
}
API fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x[], size_t n) {
    (void)c;
    for (size_t k = 0; k < n; k++) x[k] = 1.0;
    return fmi2OK;
}

/* co-simulation */
API fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer order[],
                                           const fmi2Real value[]) {
    (void)vr, (void)n, (void)order, (void)value;
    return complain(c, "inputs are constant during a communication step");
}
API fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t n, const fmi2Integer order[],
                                            fmi2Real value[]) {
    (void)vr, (void)n, (void)order, (void)value;
    return complain(c, "derivatives of outputs are not provided");
}
API fmi2Status fmi2DoStep(fmi2Component c, fmi2Real t, fmi2Real h, fmi2Boolean keep) {
    Instance *i = c;
    (void)keep;
    if (!(h >= 0.0)) return complain(i, "fmi2DoStep: the step is negative");
    if (!(fabs(t - i->m->r.t) <= 1e-9 * fmax(fabs(t), h))) return complain(i, "fmi2DoStep: the time is not that of the model");
    i->m->r.t = t;
    int status = duoti_step(i->m, h);
    if (status < 0) return complain(i, duoti_reason(status));
    return status ? fmi2Discard : fmi2OK;
}
API fmi2Status fmi2CancelStep(fmi2Component c) { return complain(c, "steps are never pending"); }
API fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind kind, fmi2Status *value) {
    (void)c;
    if (kind != fmi2DoStepStatus) return fmi2Discard;
    *value = fmi2OK;
    return fmi2OK;
}
API fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real *value) {
    if (kind != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = ((Instance *)c)->m->r.t;
    return fmi2OK;
}
API fmi2Status fmi2GetIntegerStatus(fmi2Component c, fmi2StatusKind kind, fmi2Integer *value) {
    (void)c, (void)kind, (void)value;
    return fmi2Discard;
}
API fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean *value) {
    if (kind != fmi2Terminated) return fmi2Discard;
    *value = ((Instance *)c)->m->r.ended;
    return fmi2OK;
}
API fmi2Status fmi2GetStringStatus(fmi2Component c, fmi2StatusKind kind, fmi2String *value) {
    (void)c, (void)kind, (void)value;
    return fmi2Discard;
}
