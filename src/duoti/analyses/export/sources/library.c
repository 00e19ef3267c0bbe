/* The C interface of an exported model, over core.h; declared and explained in the header of the model. */
#include "core.h"

#define JOINED(a, b) a##_##b
#define JOIN(a, b) JOINED(a, b)
#define NAME(x) JOIN(MODEL, x)
#define API __attribute__((visibility("default")))
typedef struct MODEL MODEL;
#define OF(m) ((duoti_model *)(m))
#define HEAD ((sizeof(duoti_model) + 63) / 64 * 64)

API size_t NAME(bytes)(void) { return HEAD + N_WORDS * 8; }

API MODEL *NAME(make)(void *memory) {
    duoti_model *m = memory;
    if (!m || (uintptr_t)m % 64 || !duoti_processor_fits()) return NULL;
    m->words = (int64_t *)((char *)memory + HEAD);
    duoti_reset(m);
    return (MODEL *)m;
}
API MODEL *NAME(new)(void) {
    void *memory = NULL;
    if (posix_memalign(&memory, 64, NAME(bytes)())) return NULL;
    MODEL *made = NAME(make)(memory);
    if (!made) free(memory);
    return made;
}
API void NAME(free)(MODEL *m) { free(m); }
API void NAME(reset)(MODEL *m) { duoti_reset(OF(m)); }

API int NAME(start)(MODEL *m, double t) {
    OF(m)->r.t = OF(m)->r.start_time = t;
    return duoti_initialise(OF(m)) ? 0 : -1;
}
API int NAME(step)(MODEL *m, double h) { return h >= 0.0 ? duoti_step(OF(m), h) : -103; }
API const char *NAME(reason)(int status) { return status == -103 ? "the step is negative" : duoti_reason(status); }
API double NAME(time)(const MODEL *m) { return OF(m)->r.t; }

API int NAME(set)(MODEL *m, int which, double value) {
    if (which < 0 || which >= N_SETTABLE || !(fabs(value) < 1e300)) return -1;
    return duoti_set(OF(m), FIRST_SETTABLE + (unsigned)which, value) ? 0 : -1;
}
API double NAME(get)(const MODEL *m, int which) {
    return which < 0 || which >= N_SETTABLE ? NAN : OF(m)->r.values[which];
}
API const double *NAME(outputs)(MODEL *m) { return duoti_outputs(OF(m)); }
API const double *NAME(state)(MODEL *m) { return duoti_apply(OF(m)), duoti_reals(OF(m), Y); }
API void NAME(set_state)(MODEL *m, double t, const double *x) {
    duoti_apply(OF(m));
    OF(m)->r.t = t;
    memcpy(OF(m)->words + Y, x, N_X * 8);
    OF(m)->r.begun = 0;
    duoti_touch(OF(m));
}
API const double *NAME(rates)(MODEL *m) { return duoti_rates(OF(m)); }
API size_t NAME(saved_bytes)(void) { return DUOTI_STATE_BYTES; }
API void NAME(save)(const MODEL *m, void *bytes) { duoti_save(OF(m), bytes); }
API void NAME(restore)(MODEL *m, const void *bytes) { duoti_restore(OF(m), bytes); }
