/* What FMI 2.0 and 3.0 have in common, over core.h. Who includes it has defined FMI(name), the name of a function of its
 * version, and Boolean, its type of truth values. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wtype-limits"
#include "core.h"
#include "derivatives.h"

#define API __attribute__((visibility("default")))
typedef enum { OK, WARNING, DISCARD, ERROR, FATAL, PENDING } Status;
typedef const char *String;
typedef unsigned int Reference;

typedef struct {
    duoti_model *m;
    char *name;
    void *environment;
    void (*log)(void);
    int early; /* whether a step may end before its end (FMI 3.0) */
} Instance;

static Status complain(Instance *i, const char *text);

static void release(Instance *i) {
    if (!i) return;
    duoti_free(i->m);
    free(i->name);
    free(i);
}

static Instance *instantiate(String name, String token, void *environment, void (*log)(void)) {
    Instance *i = calloc(1, sizeof *i);
    if (!i) return NULL;
    i->log = log;
    i->environment = environment;
    i->name = strdup(name ? name : "");
    if (!token || strcmp(token, TOKEN)) complain(i, "the token (GUID) is not that of modelDescription.xml");
    else if (!duoti_processor_fits()) complain(i, "the processor lacks instructions of this FMU: " LEVEL_TEXT);
    else if (!(i->m = duoti_new())) complain(i, "no memory for the model");
    else return i;
    release(i);
    return NULL;
}

static void begin(Instance *i, Boolean has_tolerance, double tolerance, double start) {
    i->m->r.t = i->m->r.start_time = start;
    if (has_tolerance) duoti_tolerance(i->m, tolerance);
    duoti_touch(i->m);
}

/* values of variables */
static Status get(Instance *i, const Reference vr[], size_t n, double value[]) {
    for (size_t k = 0; k < n; k++)
        if (!duoti_get(i->m, vr[k], value + k)) return complain(i, "there is no such variable");
    return OK;
}
static Status set(Instance *i, const Reference vr[], size_t n, const double value[]) {
    for (size_t k = 0; k < n; k++) {
        if (!(fabs(value[k]) < 1e300)) return complain(i, "a value to be set is not finite");
        if (!duoti_set(i->m, vr[k], value[k])) return complain(i, "a variable cannot be set, or not now");
    }
    return OK;
}
static Status only_reals(void *c, size_t n) { return n ? complain(c, "all variables are floating-point numbers of 64 bits") : OK; }

/* the whole state */
static Status keep(void *c, void **state) {
    if (!*state) *state = malloc(DUOTI_STATE_BYTES);
    if (!*state) return complain(c, "no memory for the state");
    duoti_save(((Instance *)c)->m, *state);
    return OK;
}
static Status restore(void *c, const void *state) {
    if (!state) return complain(c, "there is no state to be restored");
    duoti_restore(((Instance *)c)->m, state);
    return OK;
}
static Status forget(void **state) {
    if (state) free(*state), *state = NULL;
    return OK;
}
static Status serialise(void *c, const void *state, void *bytes, size_t size) {
    if (!state || size < DUOTI_STATE_BYTES) return complain(c, "no state, or too few bytes for it");
    memcpy(bytes, state, DUOTI_STATE_BYTES);
    return OK;
}
static Status deserialise(void *c, const void *bytes, size_t size, void **state) {
    if (size != DUOTI_STATE_BYTES) return complain(c, "these bytes are no state of this model");
    if (!*state) *state = malloc(size);
    if (!*state) return complain(c, "no memory for the state");
    memcpy(*state, bytes, size);
    return OK;
}

static Status told(void *c, const char *fault) { return fault ? complain(c, fault) : OK; }

/* What happens at an event: negative, or 1 if the run ends, 2 if the state has changed, 3 for both. */
static int at_event(Instance *i) {
    double change = duoti_project(i->m);
    if (!(change < 1e300)) return complain(i, "the loops do not close"), -1;
    int events = duoti_handle_events(i->m);
    if (events < 0) return complain(i, duoti_reason(-102)), -1;
    return change > 0.0 ? events | 2 : events;
}

/* A communication step: what duoti_step returns. */
static int step(Instance *i, double t, double h) {
    const char *fault = NULL;
    if (!(h >= 0.0)) fault = "the communication step is negative";
    else if (!(fabs(t - i->m->r.t) <= 1e-9 * fmax(fabs(t), h))) fault = "the communication point is not the time of the model";
    if (fault) return complain(i, fault), -103;
    i->m->r.t = t;
    int status = duoti_step(i->m, h);
    if (status < 0) complain(i, duoti_reason(status));
    return status;
}

/* Functions that differ by their names only. */
API Status FMI(SetDebugLogging)(void *c, Boolean on, size_t n, const String categories[]) { return OK; }
API void FMI(FreeInstance)(void *c) { release(c); }
API Status FMI(ExitInitializationMode)(void *c) {
    Instance *i = c;
    return duoti_initialise(i->m) ? OK : complain(i, "the initial state has no finite rates, or its loops do not close");
}
API Status FMI(Terminate)(void *c) { return OK; }
API Status FMI(Reset)(void *c) { return duoti_reset(((Instance *)c)->m), OK; }
API Status FMI(EnterEventMode)(void *c) { return OK; }
API Status FMI(EnterContinuousTimeMode)(void *c) { return OK; }
API Status FMI(CompletedIntegratorStep)(void *c, Boolean keep_state, Boolean *event, Boolean *terminate) {
    *terminate = 0;
    *event = duoti_open(((Instance *)c)->m) > OPEN;
    return OK;
}
API Status FMI(SetTime)(void *c, double t) {
    Instance *i = c;
    i->m->r.t = t;
    duoti_touch(i->m);
    return OK;
}
API Status FMI(SetContinuousStates)(void *c, const double x[], size_t n) {
    Instance *i = c;
    if (n != N_X) return complain(i, "this is not the number of states");
    duoti_apply(i->m);
    memcpy(i->m->words + Y, x, N_X * 8);
    duoti_touch(i->m);
    return OK;
}
API Status FMI(GetContinuousStates)(void *c, double x[], size_t n) {
    Instance *i = c;
    if (n != N_X) return complain(i, "this is not the number of states");
    duoti_apply(i->m);
    memcpy(x, i->m->words + Y, N_X * 8);
    return OK;
}
API Status FMI(GetNominalsOfContinuousStates)(void *c, double x[], size_t n) {
    for (size_t k = 0; k < n; k++) x[k] = 1.0;
    return OK;
}
static Status rates(void *c, double x[], size_t n) {
    Instance *i = c;
    if (n != N_X) return complain(i, "this is not the number of states");
    memcpy(x, duoti_rates(i->m), N_X * 8);
    return duoti_is_finite(x, N_X) ? OK : DISCARD;
}
API Status FMI(GetEventIndicators)(void *c, double x[], size_t n) {
    Instance *i = c;
    if (n != N_EVENTS) return complain(i, "this is not the number of event indicators");
    memcpy(x, duoti_indicators(i->m), N_EVENTS * 8);
    return OK;
}
