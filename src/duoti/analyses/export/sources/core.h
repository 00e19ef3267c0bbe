/* An exported model: its memory, its kernels, and what FMI and the C interface have in common.
 *
 * The memory of an instance is a copy of a block of words (duoti_block). Some words are addresses: of other words of the
 * block (duoti_pointers), or of kernels (duoti_calls). Two instances share nothing that is written.
 * model.h has the sizes and the places; kernels.s has the block and the machine code. Units are SI. */
#ifndef DUOTI_CORE_H
#define DUOTI_CORE_H

#include <cpuid.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

extern const int64_t duoti_block[] __attribute__((visibility("hidden")));
extern const uint32_t duoti_pointers[] __attribute__((visibility("hidden")));
extern const uint32_t duoti_calls[][2] __attribute__((visibility("hidden")));

enum { CONTINUED, END, EVENT, FULL, TRANSITION }; /* what the driver returns; failures are negative */

/* What the state of an instance consists of beside its memory. */
typedef struct {
    double t;                 /* time [s] */
    double start_time;
    double values[N_SETTABLE + 1]; /* inputs, then parameters */
    double before[N_EVENTS + 1];   /* event indicators after the last event */
    int32_t changed;          /* some of the values are not in the memory yet */
    int32_t begun;            /* the driver has made its first step ready */
    int32_t ended;            /* a terminal event has happened */
    int32_t initialised;      /* the start has been made consistent */
} duoti_record;

typedef struct {
    duoti_record r;
    int32_t rates_known, outputs_known; /* since the last change of time, state or values */
    int64_t *words;                     /* N_WORDS of them */
    struct duoti_dual *dual;            /* of derivatives.h; NULL until they are asked for */
    int32_t dual_known;
} duoti_model;

static inline double *duoti_reals(const duoti_model *m, size_t place) { return (double *)(m->words + place); }

/* Whether this processor, and the operating system, have the instructions and registers of the kernels. */
static int duoti_processor_fits(void) {
#if LEVEL >= 3
    unsigned a, b, c, d, low, high;
    const unsigned of_1 = 1u << 12 | 1u << 27 | 1u << 28;                      /* fma, osxsave, avx */
    const unsigned of_7 = 1u << 3 | 1u << 5 | 1u << 8                          /* bmi1, avx2, bmi2 */
                          | (LEVEL >= 4 ? 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31 : 0); /* avx512 f, dq, bw, vl */
    const unsigned saved = LEVEL >= 4 ? 0xe6 : 0x06;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & of_1) != of_1) return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & saved) != saved) return 0;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || (b & of_7) != of_7) return 0;
#endif
    return 1;
}

/* Time, state or values have changed. */
static void duoti_touch(duoti_model *m) { m->rates_known = m->outputs_known = m->dual_known = 0; }

static void duoti_address(int64_t *words) {
    for (size_t i = 0; i < N_POINTERS; i++) words[duoti_pointers[i]] = (int64_t)((char *)words + duoti_block[duoti_pointers[i]]);
    for (size_t i = 0; i < N_CALLS; i++) words[duoti_calls[i][0]] = (int64_t)duoti_kernels[duoti_calls[i][1]];
}

/* The start of the model, with its own values. */
static void duoti_reset(duoti_model *m) {
    memcpy(m->words, duoti_block, N_WORDS * 8);
    duoti_address(m->words);
    memset(&m->r, 0, sizeof m->r);
    for (int i = 0; i < N_SETTABLE; i++) m->r.values[i] = duoti_starts[i];
    m->r.changed = 1;
    duoti_touch(m);
}

static void duoti_call(const duoti_model *m, size_t call, size_t context) {
    void (*entry)(int64_t) = (void (*)(int64_t))m->words[call];
    entry((int64_t)(m->words + context));
}

/* Number e of the memory that depends on inputs and parameters, with these values. */
static double duoti_slot(int e, double offset, const double *values) {
    for (int k = duoti_slots[e].first; k < duoti_slots[e + 1].first; k++) offset += duoti_terms[k].scale * values[duoti_terms[k].value];
    return offset;
}

/* Write inputs and parameters where the kernels read them. Initial values count before the start only. */
static void duoti_apply(duoti_model *m) {
    if (!m->r.changed) return;
    for (int e = 0; e < N_SLOTS; e++) {
        size_t place = duoti_slots[e].place;
        if (place >= Y && place < Y + N_Y && m->r.initialised) continue;
        *duoti_reals(m, place) = duoti_slot(e, duoti_slots[e].offset, m->r.values);
    }
    m->r.changed = 0;
    duoti_touch(m);
}

/* Set an input or a parameter. */
static void duoti_put(duoti_model *m, int which, double value) {
    if (m->r.values[which] == value) return;
    m->r.values[which] = value;
    m->r.changed = 1;
    duoti_touch(m);
}

static void duoti_load_state(duoti_model *m, size_t clock, size_t y) {
    *duoti_reals(m, clock) = m->r.t;
    memcpy(m->words + y, m->words + Y, N_Y * 8);
}

/* Close the loops, and bring quaternions to unit length; the largest change. */
static double duoti_project(duoti_model *m) {
    double change = 0.0, *y = duoti_reals(m, Y);
    duoti_apply(m);
    for (int k = 0; k < N_QUATERNIONS; k++) {
        double *p = y + duoti_quaternions[k], size = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
        if (!(size > 0.0)) return NAN;
        for (int i = 0; i < 4; i++) p[i] /= size;
        change = fmax(change, fabs(size - 1.0));
    }
    if (m->words[RUN_CALL_PROJECT]) {
        duoti_load_state(m, RUN_CLOCK, RUN_Y);
        duoti_call(m, RUN_CALL_PROJECT, RUN_CONTEXT);
        for (int i = 0; i < N_Y; i++) {
            double x = duoti_reals(m, RUN_Y)[i];
            if (!(fabs(x - y[i]) <= change)) change = fabs(x - y[i]);
            y[i] = x;
        }
    }
    duoti_touch(m);
    return change;
}

#define AT_ZERO 1e-10 /* value of an event function that may be on either side of an event */
#define OPEN 1e-8 /* how far a state may drift from closed loops and unit quaternions before an event restores it */

/* How far the state has drifted; it stays as it is. */
static double duoti_open(duoti_model *m) {
    double kept[N_Y];
    if (!N_QUATERNIONS && !m->words[RUN_CALL_PROJECT]) return 0.0;
    memcpy(kept, m->words + Y, sizeof kept);
    double change = duoti_project(m);
    memcpy(m->words + Y, kept, sizeof kept);
    duoti_touch(m);
    return change;
}

/* dy/dt at the present time, state and values: N_X numbers of which belong to q, v and z. */
static const double *duoti_rates(duoti_model *m) {
    duoti_apply(m);
    if (!m->rates_known) {
        duoti_load_state(m, RUN_CLOCK, RUN_Y);
        duoti_call(m, RUN_CALL_YDOT, RUN_CONTEXT);
        m->rates_known = 1;
    }
    return duoti_reals(m, RUN_YDOT);
}

/* Values of the event functions of the model. */
static const double *duoti_indicators(duoti_model *m) {
    duoti_apply(m);
    if (N_EVENTS) {
        duoti_load_state(m, RUN_CLOCK, RUN_Y);
        duoti_call(m, RUN_CALL_EVENTS, RUN_CONTEXT);
    }
    return duoti_reals(m, RUN_EVENT);
}

/* The N_OUTPUTS outputs. */
static const double *duoti_outputs(duoti_model *m) {
    duoti_apply(m);
    if (N_OUTPUTS && !m->outputs_known) {
        duoti_load_state(m, OUT_CLOCK, OUT_Y);
        duoti_call(m, OUT_CALL_EVENTS, OUT_CONTEXT);
        m->outputs_known = 1;
    }
    return duoti_reals(m, OUT_EVENT) + N_EVENTS;
}

/* Note the signs of the event functions, from which the next event is seen. */
static void duoti_note_events(duoti_model *m) {
    if (N_EVENTS) memcpy(m->r.before, duoti_indicators(m), N_EVENTS * 8);
}

enum { RECORDED, ENDS_RUN, JUMPS }; /* what an event does */

/* What the events that have fired set. 0 if a number would not be finite. */
static int duoti_jump(duoti_model *m) {
    m->words[COUNTS_OUTCOME] = 0;
    duoti_load_state(m, RUN_CLOCK, RUN_Y);
    duoti_call(m, RUN_CALL_JUMP, RUN_CONTEXT);
    for (int e = 0; e < N_EVENTS; e++) m->words[WATCH_FIRED + WATCH_WORDS * e] = 0;
    if (m->words[COUNTS_OUTCOME] < 0) return 0;
    memcpy(m->words + Y, m->words + RUN_Y, N_Y * 8);
    duoti_touch(m);
    return 1;
}

/* What events set at the start, if their values are not negative. */
static int duoti_jump_at_start(duoti_model *m) {
    int some = 0;
    const double *now = duoti_indicators(m);
    for (int e = 0; e < N_EVENTS; e++) {
        int fires = duoti_actions[e][2] && now[e] >= 0.0;
        m->words[WATCH_FIRED + WATCH_WORDS * e] = fires;
        some |= fires;
    }
    return !some || duoti_jump(m);
}

/* Model exchange: the events that have happened since they were noted, and what they set. Returns 1 if one of them ends
 * the run, 2 if one has changed the state, 3 for both; negative if a number would not be finite. */
static int duoti_handle_events(duoti_model *m) {
    int found = 0;
    double sides[N_EVENTS + 1];
    const double *now = duoti_indicators(m);
    for (int e = 0; e < N_EVENTS; e++) {
        int direction = duoti_actions[e][1];
        /* an importer may stop just before the zero */
        int rising = m->r.before[e] < 0.0 && now[e] >= -AT_ZERO, falling = m->r.before[e] > 0.0 && now[e] <= AT_ZERO;
        int fired = (rising && direction >= 0) || (falling && direction <= 0);
        sides[e] = rising ? 1e-300 : falling ? -1e-300 : 0.0;
        m->words[WATCH_FIRED + WATCH_WORDS * e] = fired && duoti_actions[e][0] == JUMPS;
        if (fired && duoti_actions[e][0] == ENDS_RUN) found |= 1;
        if (fired && duoti_actions[e][0] == JUMPS) found |= 2;
    }
    if (found & 2 && !duoti_jump(m)) return -1;
    duoti_note_events(m);
    for (int e = 0; e < N_EVENTS; e++)
        if (sides[e] != 0.0 && fabs(m->r.before[e]) <= AT_ZERO) m->r.before[e] = sides[e];
    return found;
}

static int duoti_is_finite(const double *x, int n) {
    for (int i = 0; i < n; i++)
        if (!(fabs(x[i]) < 1e300)) return 0;
    return 1;
}

/* A relative tolerance of the solver, if its step follows from one; the absolute one keeps its ratio to it. */
static void duoti_tolerance(duoti_model *m, double rtol) {
    if (!ADAPTIVE || !(rtol > 0.0 && rtol < 1.0)) return;
    rtol = fmax(rtol, LEAST_RTOL);
    *duoti_reals(m, CLOCK_ATOL) *= rtol / *duoti_reals(m, CLOCK_RTOL);
    *duoti_reals(m, CLOCK_RTOL) = rtol;
}

/* Make the start consistent. 0 if that failed. */
static int duoti_initialise(duoti_model *m) {
    duoti_apply(m);
    double change = duoti_project(m);
    m->r.initialised = 1;
    if (!(change < 1e300) || !duoti_jump_at_start(m)) return 0;
    duoti_note_events(m);
    return change < 1e300 && duoti_is_finite(duoti_rates(m), N_Y);
}

/* One communication step of length h by the solver of the model. 0; 1 if a terminal event has ended the run; or a
 * failure, negative. Nothing is allocated. */
static int duoti_step(duoti_model *m, double h) {
    int64_t *w = m->words, result[2] = {0, 0};
    int full = 0;
    if (m->r.ended) return 1;
    if (h == 0.0) return 0;
    int restart = m->r.changed || !m->r.begun;
    duoti_apply(m);
    *duoti_reals(m, CLOCK_T) = m->r.t;
    *duoti_reals(m, CLOCK_T_END) = m->r.t + h;
    if (restart) {
        double fixed = *duoti_reals(m, CLOCK_FIXED_STEP), last = *duoti_reals(m, CLOCK_H);
        if (!m->r.begun) {
            *duoti_reals(m, CLOCK_T_BEGIN) = m->r.t;
            last = 0.0;
        }
        w[COUNTS_STARTED] = 0;
        *duoti_reals(m, START_LAST) = fixed > 0.0 ? fixed : last;
        duoti_start(result, w + START);
        m->r.begun = 1;
    }
    for (;;) {
        w[COUNTS_EVENTS] = w[COUNTS_OUTPUT] = 0;
        w[ADVANCE_LAST] = 1000000000;
        if (duoti_advance(result, w + ADVANCE)) return -100;
        if (result[0] == FULL && ++full > 1000000) return -101;
        if (result[0] != CONTINUED && result[0] != FULL) break;
    }
    m->r.t = result[0] == END ? m->r.t + h : *duoti_reals(m, CLOCK_T);
    duoti_touch(m);
    if (result[0] == EVENT) m->r.ended = 1;
    return result[0] == END ? 0 : result[0] == EVENT ? 1 : result[0] < 0 ? (int)result[0] : -102;
}

/* Why a step failed. */
static const char *duoti_reason(int status) {
    switch (status) {
    case -1: return "a rate of the state is not finite";
    case -2: return "the step became too small: the model may be stiff, or have a singular position";
    case -3: return "Newton's method failed";
    case -4: return "events follow each other without end";
    case -102: return "an event would set a state to a number that is not finite";
    case -101: return "too many events in one communication step";
    default: return "the step failed";
    }
}

/* The state as bytes that hold no addresses: it may be restored in any instance, of any process. */
#define DUOTI_STATE_BYTES (sizeof(duoti_record) + N_WORDS * 8)

static void duoti_save(const duoti_model *m, char *bytes) {
    memcpy(bytes, &m->r, sizeof m->r);
    int64_t *copy = (int64_t *)(bytes + sizeof m->r);
    memcpy(copy, m->words, N_WORDS * 8);
    for (size_t i = 0; i < N_POINTERS; i++) memcpy(copy + duoti_pointers[i], duoti_block + duoti_pointers[i], 8);
    for (size_t i = 0; i < N_CALLS; i++) memset(copy + duoti_calls[i][0], 0, 8);
}

static void duoti_restore(duoti_model *m, const char *bytes) {
    memcpy(&m->r, bytes, sizeof m->r);
    memcpy(m->words, bytes + sizeof m->r, N_WORDS * 8);
    duoti_address(m->words);
    duoti_touch(m);
}

static duoti_model *duoti_new(void) {
    duoti_model *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    void *memory = NULL;
    if (posix_memalign(&memory, 64, N_WORDS * 8)) {
        free(m);
        return NULL;
    }
    m->words = memory;
    duoti_reset(m);
    return m;
}

static void duoti_free(duoti_model *m) {
    if (!m) return;
    free(m->dual);
    free(m->words);
    free(m);
}

/* ---------------------------------------------------------------- variables by their numbers, the same for FMI 2 and 3:
 * 0 time; then inputs and parameters, outputs, states, their derivatives, event indicators */
enum {
    FIRST_SETTABLE = 1,
    FIRST_OUTPUT = FIRST_SETTABLE + N_SETTABLE,
    FIRST_STATE = FIRST_OUTPUT + N_OUTPUTS,
    FIRST_RATE = FIRST_STATE + N_X,
    FIRST_INDICATOR = FIRST_RATE + N_X,
    N_VARIABLES = FIRST_INDICATOR + N_EVENTS
};

static int duoti_get(duoti_model *m, unsigned k, double *value) {
    if (k == 0) *value = m->r.t;
    else if (k < FIRST_OUTPUT) *value = m->r.values[k - FIRST_SETTABLE];
    else if (k < FIRST_STATE) *value = duoti_outputs(m)[k - FIRST_OUTPUT];
    else if (k < FIRST_RATE) *value = (duoti_apply(m), duoti_reals(m, Y)[k - FIRST_STATE]);
    else if (k < FIRST_INDICATOR) *value = duoti_rates(m)[k - FIRST_RATE];
    else if (k < N_VARIABLES) *value = duoti_indicators(m)[k - FIRST_INDICATOR];
    else return 0;
    return 1;
}

static int duoti_set(duoti_model *m, unsigned k, double value) {
    if (k >= FIRST_SETTABLE && k < FIRST_OUTPUT) {
        if (duoti_fixed[k - FIRST_SETTABLE] && m->r.initialised) return 0;
        duoti_put(m, (int)(k - FIRST_SETTABLE), value);
        return 1;
    }
    if (k >= FIRST_STATE && k < FIRST_RATE) {
        duoti_apply(m);
        duoti_reals(m, Y)[k - FIRST_STATE] = value;
        m->r.begun = 0;
        duoti_touch(m);
        return 1;
    }
    return 0;
}

#endif
