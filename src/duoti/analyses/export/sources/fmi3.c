/* The functions of FMI 3.0, model exchange and co-simulation, over core.h. */
#include <stdbool.h>
#include <stdio.h>

#include "core.h"

#define API __attribute__((visibility("default")))
typedef void *fmi3Instance, *fmi3InstanceEnvironment, *fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef double fmi3Float64;
typedef bool fmi3Boolean, fmi3Clock;
typedef const char *fmi3String;
typedef uint8_t fmi3Byte;
typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef int fmi3DependencyKind, fmi3IntervalQualifier;
typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String, fmi3String);

typedef struct {
    duoti_model *m;
    fmi3LogMessageCallback log;
    fmi3InstanceEnvironment environment;
    int early; /* whether a step may end before its end */
} Instance;

static fmi3Status complain(Instance *i, const char *text) {
    if (i->log) i->log(i->environment, fmi3Error, "logStatusError", text);
    return fmi3Error;
}

API const char *fmi3GetVersion(void) { return "3.0"; }
API fmi3Status fmi3SetDebugLogging(fmi3Instance c, fmi3Boolean on, size_t n, const fmi3String categories[]) {
    (void)c, (void)on, (void)n, (void)categories;
    return fmi3OK;
}

static fmi3Instance instantiate(fmi3String token, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
    Instance *i = calloc(1, sizeof *i);
    if (!i) return NULL;
    i->log = log;
    i->environment = environment;
    if (!token || strcmp(token, TOKEN)) complain(i, "the token is not that of modelDescription.xml");
    else if (!duoti_processor_fits()) complain(i, "the processor lacks instructions of this FMU: " LEVEL_TEXT);
    else if ((i->m = duoti_new())) return i;
    free(i);
    return NULL;
}
API fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
                                              fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
    (void)name, (void)resources, (void)visible, (void)logging;
    return instantiate(token, environment, log);
}
API fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
                                             fmi3Boolean events, fmi3Boolean early, const fmi3ValueReference required[], size_t n,
                                             fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, void *update) {
    (void)name, (void)resources, (void)visible, (void)logging, (void)events, (void)required, (void)n, (void)update;
    Instance *i = instantiate(token, environment, log);
    if (i) i->early = early;
    return i;
}
API fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible,
                                                   fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log,
                                                   void *clock, void *lock, void *unlock) {
    (void)name, (void)token, (void)resources, (void)visible, (void)logging, (void)clock, (void)lock, (void)unlock;
    if (log) log(environment, fmi3Error, "logStatusError", "there is no scheduled execution");
    return NULL;
}
API void fmi3FreeInstance(fmi3Instance c) {
    Instance *i = c;
    if (!i) return;
    duoti_free(i->m);
    free(i);
}

API fmi3Status fmi3EnterInitializationMode(fmi3Instance c, fmi3Boolean has_tolerance, fmi3Float64 tolerance, fmi3Float64 start, fmi3Boolean has_stop,
                                           fmi3Float64 stop) {
    Instance *i = c;
    (void)has_stop, (void)stop;
    i->m->r.t = i->m->r.start_time = start;
    if (has_tolerance) duoti_tolerance(i->m, tolerance);
    duoti_touch(i->m);
    return fmi3OK;
}
API fmi3Status fmi3ExitInitializationMode(fmi3Instance c) {
    Instance *i = c;
    return duoti_initialise(i->m) ? fmi3OK : complain(i, "the initial state has no finite rates, or its loops do not close");
}
API fmi3Status fmi3EnterEventMode(fmi3Instance c) { return (void)c, fmi3OK; }
API fmi3Status fmi3Terminate(fmi3Instance c) { return (void)c, fmi3OK; }
API fmi3Status fmi3Reset(fmi3Instance c) { return duoti_reset(((Instance *)c)->m), fmi3OK; }

API fmi3Status fmi3GetFloat64(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Float64 value[], size_t nv) {
    Instance *i = c;
    if (n != nv) return complain(i, "fmi3GetFloat64: all variables are scalars");
    for (size_t k = 0; k < n; k++)
        if (!duoti_get(i->m, vr[k], value + k)) return complain(i, "fmi3GetFloat64: there is no such variable");
    return fmi3OK;
}
API fmi3Status fmi3SetFloat64(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Float64 value[], size_t nv) {
    Instance *i = c;
    if (n != nv) return complain(i, "fmi3SetFloat64: all variables are scalars");
    for (size_t k = 0; k < n; k++) {
        if (!(fabs(value[k]) < 1e300)) return complain(i, "fmi3SetFloat64: a value is not finite");
        if (!duoti_set(i->m, vr[k], value[k])) return complain(i, "fmi3SetFloat64: a variable cannot be set now");
    }
    return fmi3OK;
}
#define NONE(name, type)                                                                                                    \
    API fmi3Status fmi3Get##name(fmi3Instance c, const fmi3ValueReference vr[], size_t n, type value[], size_t nv) {        \
        (void)vr, (void)value, (void)nv;                                                                                    \
        return n ? complain(c, "fmi3Get" #name ": all variables are of type Float64") : fmi3OK;                             \
    }                                                                                                                       \
    API fmi3Status fmi3Set##name(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const type value[], size_t nv) {  \
        (void)vr, (void)value, (void)nv;                                                                                    \
        return n ? complain(c, "fmi3Set" #name ": all variables are of type Float64") : fmi3OK;                             \
    }
NONE(Float32, float)
NONE(Int8, int8_t)
NONE(UInt8, uint8_t)
NONE(Int16, int16_t)
NONE(UInt16, uint16_t)
NONE(Int32, int32_t)
NONE(UInt32, uint32_t)
NONE(Int64, int64_t)
NONE(UInt64, uint64_t)
NONE(Boolean, fmi3Boolean)
NONE(String, fmi3String)
API fmi3Status fmi3GetBinary(fmi3Instance c, const fmi3ValueReference vr[], size_t n, size_t sizes[], const fmi3Byte *value[], size_t nv) {
    (void)vr, (void)sizes, (void)value, (void)nv;
    return n ? complain(c, "fmi3GetBinary: all variables are of type Float64") : fmi3OK;
}
API fmi3Status fmi3SetBinary(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const size_t sizes[], const fmi3Byte *const value[], size_t nv) {
    (void)vr, (void)sizes, (void)value, (void)nv;
    return n ? complain(c, "fmi3SetBinary: all variables are of type Float64") : fmi3OK;
}
API fmi3Status fmi3GetClock(fmi3Instance c, const fmi3ValueReference vr[], size_t n, fmi3Clock value[]) {
    (void)vr, (void)value;
    return n ? complain(c, "there are no clocks") : fmi3OK;
}
API fmi3Status fmi3SetClock(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const fmi3Clock value[]) {
    (void)vr, (void)value;
    return n ? complain(c, "there are no clocks") : fmi3OK;
}
#define NO_CLOCK(name, ...) API fmi3Status fmi3##name(fmi3Instance c, __VA_ARGS__) { return complain(c, "there are no clocks"); }
NO_CLOCK(GetIntervalDecimal, const fmi3ValueReference *vr, size_t n, fmi3Float64 *x, fmi3IntervalQualifier *q)
NO_CLOCK(GetIntervalFraction, const fmi3ValueReference *vr, size_t n, uint64_t *x, uint64_t *y, fmi3IntervalQualifier *q)
NO_CLOCK(GetShiftDecimal, const fmi3ValueReference *vr, size_t n, fmi3Float64 *x)
NO_CLOCK(GetShiftFraction, const fmi3ValueReference *vr, size_t n, uint64_t *x, uint64_t *y)
NO_CLOCK(SetIntervalDecimal, const fmi3ValueReference *vr, size_t n, const fmi3Float64 *x)
NO_CLOCK(SetIntervalFraction, const fmi3ValueReference *vr, size_t n, const uint64_t *x, const uint64_t *y)
NO_CLOCK(SetShiftDecimal, const fmi3ValueReference *vr, size_t n, const fmi3Float64 *x)
NO_CLOCK(SetShiftFraction, const fmi3ValueReference *vr, size_t n, const uint64_t *x, const uint64_t *y)
NO_CLOCK(ActivateModelPartition, fmi3ValueReference clock, fmi3Float64 t)

API fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance c, fmi3ValueReference vr, size_t *n) {
    (void)vr, (void)n;
    return complain(c, "dependencies of elements are not provided");
}
API fmi3Status fmi3GetVariableDependencies(fmi3Instance c, fmi3ValueReference vr, size_t e[], fmi3ValueReference x[], size_t k[],
                                           fmi3DependencyKind kinds[], size_t n) {
    (void)vr, (void)e, (void)x, (void)k, (void)kinds, (void)n;
    return complain(c, "dependencies of elements are not provided");
}

API fmi3Status fmi3GetFMUState(fmi3Instance c, fmi3FMUState *state) {
    Instance *i = c;
    if (!*state) *state = malloc(DUOTI_STATE_BYTES);
    if (!*state) return complain(i, "no memory for the state");
    duoti_save(i->m, *state);
    return fmi3OK;
}
API fmi3Status fmi3SetFMUState(fmi3Instance c, fmi3FMUState state) {
    if (!state) return complain(c, "fmi3SetFMUState: there is no state");
    return duoti_restore(((Instance *)c)->m, state), fmi3OK;
}
API fmi3Status fmi3FreeFMUState(fmi3Instance c, fmi3FMUState *state) {
    (void)c;
    if (state) free(*state), *state = NULL;
    return fmi3OK;
}
API fmi3Status fmi3SerializedFMUStateSize(fmi3Instance c, fmi3FMUState state, size_t *size) {
    (void)c, (void)state;
    *size = DUOTI_STATE_BYTES;
    return fmi3OK;
}
API fmi3Status fmi3SerializeFMUState(fmi3Instance c, fmi3FMUState state, fmi3Byte bytes[], size_t size) {
    if (!state || size < DUOTI_STATE_BYTES) return complain(c, "fmi3SerializeFMUState: no state, or too few bytes");
    memcpy(bytes, state, DUOTI_STATE_BYTES);
    return fmi3OK;
}
API fmi3Status fmi3DeserializeFMUState(fmi3Instance c, const fmi3Byte bytes[], size_t size, fmi3FMUState *state) {
    if (size != DUOTI_STATE_BYTES) return complain(c, "fmi3DeserializeFMUState: these bytes are not from this model");
    if (!*state) *state = malloc(size);
    if (!*state) return complain(c, "no memory for the state");
    memcpy(*state, bytes, size);
    return fmi3OK;
}
API fmi3Status fmi3GetDirectionalDerivative(fmi3Instance c, const fmi3ValueReference u[], size_t nu, const fmi3ValueReference k[], size_t nk,
                                            const fmi3Float64 seed[], size_t ns, fmi3Float64 value[], size_t nv) {
    (void)u, (void)nu, (void)k, (void)nk, (void)seed, (void)ns, (void)value, (void)nv;
    return complain(c, "directional derivatives are not provided");
}
API fmi3Status fmi3GetAdjointDerivative(fmi3Instance c, const fmi3ValueReference u[], size_t nu, const fmi3ValueReference k[], size_t nk,
                                        const fmi3Float64 seed[], size_t ns, fmi3Float64 value[], size_t nv) {
    (void)u, (void)nu, (void)k, (void)nk, (void)seed, (void)ns, (void)value, (void)nv;
    return complain(c, "adjoint derivatives are not provided");
}
API fmi3Status fmi3EnterConfigurationMode(fmi3Instance c) { return (void)c, fmi3OK; }
API fmi3Status fmi3ExitConfigurationMode(fmi3Instance c) { return (void)c, fmi3OK; }
API fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance c) { return (void)c, fmi3OK; }

API fmi3Status fmi3UpdateDiscreteStates(fmi3Instance c, fmi3Boolean *again, fmi3Boolean *terminate, fmi3Boolean *nominals, fmi3Boolean *values,
                                        fmi3Boolean *defined, fmi3Float64 *next) {
    Instance *i = c;
    *again = *nominals = *defined = false;
    *next = 0.0;
    double change = duoti_project(i->m);
    if (!(change < 1e300)) return complain(i, "the loops do not close");
    int events = duoti_handle_events(i->m);
    if (events < 0) return complain(i, duoti_reason(-102));
    *terminate = events & 1;
    *values = change > 0.0 || events & 2;
    return fmi3OK;
}

/* model exchange */
API fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance c) { return (void)c, fmi3OK; }
API fmi3Status fmi3CompletedIntegratorStep(fmi3Instance c, fmi3Boolean keep, fmi3Boolean *event, fmi3Boolean *terminate) {
    Instance *i = c;
    (void)keep;
    *terminate = false;
    *event = duoti_open(i->m) > OPEN;
    return fmi3OK;
}
API fmi3Status fmi3SetTime(fmi3Instance c, fmi3Float64 t) {
    Instance *i = c;
    i->m->r.t = t;
    duoti_touch(i->m);
    return fmi3OK;
}
API fmi3Status fmi3SetContinuousStates(fmi3Instance c, const fmi3Float64 x[], size_t n) {
    Instance *i = c;
    if (n != N_X) return complain(i, "fmi3SetContinuousStates: wrong number of states");
    memcpy(i->m->words + Y, x, N_X * 8);
    duoti_touch(i->m);
    return fmi3OK;
}
API fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance c, fmi3Float64 rates[], size_t n) {
    Instance *i = c;
    if (n != N_X) return complain(i, "fmi3GetContinuousStateDerivatives: wrong number of states");
    memcpy(rates, duoti_rates(i->m), N_X * 8);
    return duoti_is_finite(rates, N_X) ? fmi3OK : fmi3Discard;
}
API fmi3Status fmi3GetEventIndicators(fmi3Instance c, fmi3Float64 values[], size_t n) {
    Instance *i = c;
    if (n != N_EVENTS) return complain(i, "fmi3GetEventIndicators: wrong number");
    memcpy(values, duoti_indicators(i->m), N_EVENTS * 8);
    return fmi3OK;
}
API fmi3Status fmi3GetContinuousStates(fmi3Instance c, fmi3Float64 x[], size_t n) {
    Instance *i = c;
    if (n != N_X) return complain(i, "fmi3GetContinuousStates: wrong number of states");
    duoti_apply(i->m);
    memcpy(x, i->m->words + Y, N_X * 8);
    return fmi3OK;
}
API fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance c, fmi3Float64 x[], size_t n) {
    (void)c;
    for (size_t k = 0; k < n; k++) x[k] = 1.0;
    return fmi3OK;
}
API fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance c, size_t *n) { return (void)c, *n = N_EVENTS, fmi3OK; }
API fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance c, size_t *n) { return (void)c, *n = N_X, fmi3OK; }

/* co-simulation */
API fmi3Status fmi3EnterStepMode(fmi3Instance c) { return (void)c, fmi3OK; }
API fmi3Status fmi3GetOutputDerivatives(fmi3Instance c, const fmi3ValueReference vr[], size_t n, const int32_t order[], fmi3Float64 value[], size_t nv) {
    (void)vr, (void)n, (void)order, (void)value, (void)nv;
    return complain(c, "derivatives of outputs are not provided");
}
API fmi3Status fmi3DoStep(fmi3Instance c, fmi3Float64 t, fmi3Float64 h, fmi3Boolean keep, fmi3Boolean *event, fmi3Boolean *terminate,
                          fmi3Boolean *early, fmi3Float64 *last) {
    Instance *i = c;
    (void)keep;
    *event = *terminate = *early = false;
    *last = i->m->r.t;
    if (!(h >= 0.0)) return complain(i, "fmi3DoStep: the step is negative");
    if (!(fabs(t - i->m->r.t) <= 1e-9 * fmax(fabs(t), h))) return complain(i, "fmi3DoStep: the time is not that of the model");
    i->m->r.t = t;
    int status = duoti_step(i->m, h);
    *last = i->m->r.t;
    if (status < 0) return complain(i, duoti_reason(status));
    *terminate = status == 1;
    *early = *terminate && *last < t + h && i->early;
    return fmi3OK;
}
