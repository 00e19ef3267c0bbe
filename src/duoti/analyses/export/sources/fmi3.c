/* The functions of FMI 3.0, model exchange and co-simulation. */
#include <stdbool.h>

#define FMI(name) fmi3##name
typedef bool Boolean;
#include "fmi.h"

typedef void (*Logger)(void *, Status, String, String);

static Status complain(Instance *i, const char *text) {
    if (i->log) ((Logger)i->log)(i->environment, ERROR, "logStatusError", text);
    return ERROR;
}

API String fmi3GetVersion(void) { return "3.0"; }
API void *fmi3InstantiateModelExchange(String name, String token, String resources, Boolean visible, Boolean logging, void *environment, Logger log) {
    return instantiate(name, token, environment, (void (*)(void))log);
}
API void *fmi3InstantiateCoSimulation(String name, String token, String resources, Boolean visible, Boolean logging, Boolean events, Boolean early,
                                      const Reference required[], size_t n, void *environment, Logger log, void *update) {
    Instance *i = instantiate(name, token, environment, (void (*)(void))log);
    if (i) i->early = early;
    return i;
}
API void *fmi3InstantiateScheduledExecution(String name, String token, String resources, Boolean visible, Boolean logging, void *environment,
                                            Logger log, void *clock, void *lock, void *unlock) {
    if (log) log(environment, ERROR, "logStatusError", "there is no scheduled execution");
    return NULL;
}
API Status fmi3EnterInitializationMode(void *c, Boolean has_tolerance, double tolerance, double start, Boolean has_stop, double stop) {
    return begin(c, has_tolerance, tolerance, start), OK;
}

API Status fmi3GetFloat64(void *c, const Reference vr[], size_t n, double value[], size_t nv) {
    return n == nv ? get(c, vr, n, value) : complain(c, "all variables are scalars");
}
API Status fmi3SetFloat64(void *c, const Reference vr[], size_t n, const double value[], size_t nv) {
    return n == nv ? set(c, vr, n, value) : complain(c, "all variables are scalars");
}
#define NONE(name, type)                                                                                                              \
    API Status fmi3Get##name(void *c, const Reference vr[], size_t n, type x[], size_t nv) { return only_reals(c, n); } \
    API Status fmi3Set##name(void *c, const Reference vr[], size_t n, const type x[], size_t nv) { return only_reals(c, n); }
NONE(Float32, float)
NONE(Int8, int8_t)
NONE(UInt8, uint8_t)
NONE(Int16, int16_t)
NONE(UInt16, uint16_t)
NONE(Int32, int32_t)
NONE(UInt32, uint32_t)
NONE(Int64, int64_t)
NONE(UInt64, uint64_t)
NONE(Boolean, Boolean)
NONE(String, String)
API Status fmi3GetBinary(void *c, const Reference vr[], size_t n, size_t sizes[], const uint8_t *x[], size_t nv) {
    return only_reals(c, n);
}
API Status fmi3SetBinary(void *c, const Reference vr[], size_t n, const size_t sizes[], const uint8_t *const x[], size_t nv) {
    return only_reals(c, n);
}
API Status fmi3GetClock(void *c, const Reference vr[], size_t n, Boolean x[]) { return only_reals(c, n); }
API Status fmi3SetClock(void *c, const Reference vr[], size_t n, const Boolean x[]) { return only_reals(c, n); }
#define NO_CLOCK(name, ...) API Status fmi3##name(void *c, __VA_ARGS__) { return complain(c, "there are no clocks"); }
NO_CLOCK(GetIntervalDecimal, const Reference *vr, size_t n, double *x, int *q)
NO_CLOCK(GetIntervalFraction, const Reference *vr, size_t n, uint64_t *x, uint64_t *y, int *q)
NO_CLOCK(GetShiftDecimal, const Reference *vr, size_t n, double *x)
NO_CLOCK(GetShiftFraction, const Reference *vr, size_t n, uint64_t *x, uint64_t *y)
NO_CLOCK(SetIntervalDecimal, const Reference *vr, size_t n, const double *x)
NO_CLOCK(SetIntervalFraction, const Reference *vr, size_t n, const uint64_t *x, const uint64_t *y)
NO_CLOCK(SetShiftDecimal, const Reference *vr, size_t n, const double *x)
NO_CLOCK(SetShiftFraction, const Reference *vr, size_t n, const uint64_t *x, const uint64_t *y)
NO_CLOCK(ActivateModelPartition, Reference clock, double t)

API Status fmi3GetNumberOfVariableDependencies(void *c, Reference vr, size_t *n) {
    return complain(c, "dependencies of elements are not provided");
}
API Status fmi3GetVariableDependencies(void *c, Reference vr, size_t e[], Reference x[], size_t k[], int kinds[], size_t n) {
    return complain(c, "dependencies of elements are not provided");
}

API Status fmi3GetFMUState(void *c, void **state) { return keep(c, state); }
API Status fmi3SetFMUState(void *c, void *state) { return restore(c, state); }
API Status fmi3FreeFMUState(void *c, void **state) { return forget(state); }
API Status fmi3SerializedFMUStateSize(void *c, void *state, size_t *size) { return *size = DUOTI_STATE_BYTES, OK; }
API Status fmi3SerializeFMUState(void *c, void *state, uint8_t bytes[], size_t size) { return serialise(c, state, bytes, size); }
API Status fmi3DeserializeFMUState(void *c, const uint8_t bytes[], size_t size, void **state) { return deserialise(c, bytes, size, state); }

API Status fmi3GetDirectionalDerivative(void *c, const Reference u[], size_t nu, const Reference k[], size_t nk, const double seed[], size_t ns,
                                        double value[], size_t nv) {
    if (ns != nk || nv != nu) return complain(c, "all variables are scalars");
    return told(c, duoti_directional(((Instance *)c)->m, u, nu, k, nk, seed, value));
}
API Status fmi3GetAdjointDerivative(void *c, const Reference u[], size_t nu, const Reference k[], size_t nk, const double seed[], size_t ns,
                                    double value[], size_t nv) {
    if (ns != nu || nv != nk) return complain(c, "all variables are scalars");
    return told(c, duoti_adjoint(((Instance *)c)->m, u, nu, k, nk, seed, value));
}
API Status fmi3EnterConfigurationMode(void *c) { return OK; }
API Status fmi3ExitConfigurationMode(void *c) { return OK; }
API Status fmi3EvaluateDiscreteStates(void *c) { return OK; }
API Status fmi3UpdateDiscreteStates(void *c, Boolean *again, Boolean *terminate, Boolean *nominals, Boolean *values, Boolean *defined, double *next) {
    *again = *nominals = *defined = *terminate = *values = false;
    *next = 0.0;
    int events = at_event(c);
    if (events < 0) return ERROR;
    *terminate = events & 1;
    *values = events & 2;
    return OK;
}

/* model exchange */
API Status fmi3GetContinuousStateDerivatives(void *c, double x[], size_t n) { return rates(c, x, n); }
API Status fmi3GetNumberOfEventIndicators(void *c, size_t *n) { return *n = N_EVENTS, OK; }
API Status fmi3GetNumberOfContinuousStates(void *c, size_t *n) { return *n = N_X, OK; }

/* co-simulation */
API Status fmi3EnterStepMode(void *c) { return OK; }
API Status fmi3GetOutputDerivatives(void *c, const Reference vr[], size_t n, const int32_t order[], double value[], size_t nv) {
    return complain(c, "derivatives of outputs are not provided");
}
API Status fmi3DoStep(void *c, double t, double h, Boolean keep_state, Boolean *event, Boolean *terminate, Boolean *early, double *last) {
    Instance *i = c;
    *event = *early = false;
    int status = step(i, t, h);
    *last = i->m->r.t;
    *terminate = status == 1;
    *early = *terminate && *last < t + h && i->early;
    return status < 0 ? ERROR : OK;
}
