/* Directional derivatives of rates, outputs and event indicators by states, inputs and parameters.
 *
 * The equations of motion and of closed loops,
 *     r(q, v, z, p, a, l) = M a + h - f - G'l = 0,   c(q, v, z, p, a) = G a - gamma = 0,
 * are evaluated with complex numbers. An imaginary part in (q, v, z, p) gives dr and dc in its direction with a and l
 * held, free of cancellation; the change of the accelerations follows from
 *     M da - G'dl = -dr,   G da = -dc.
 * M comes from imaginary parts of a. Redundant rows of G are left out by the order of pivots. */
#ifndef DUOTI_DERIVATIVES_H
#define DUOTI_DERIVATIVES_H

#include "core.h"

#if DERIVATIVES
extern const int64_t duoti_t_block[] __attribute__((visibility("hidden")));
extern const uint32_t duoti_t_pointers[] __attribute__((visibility("hidden")));
extern const uint32_t duoti_t_calls[][2] __attribute__((visibility("hidden")));

#define TINY 1e-40      /* imaginary step: its square vanishes beside one */
#define DEPENDENT 1e-11 /* part of its row that is left of the pivot of a redundant one */

typedef struct {
    double re, im;
} duoti_complex;

struct duoti_dual {
    int64_t words[T_WORDS] __attribute__((aligned(64)));
    double L[N_V + 1][N_V + 1];       /* M = L L' */
    double W[N_V + 1][N_ROWS + 1];    /* L W = G' */
    double S[N_ROWS + 1][N_ROWS + 1]; /* W'W, its rows and columns scaled, and its factor */
    double scale[N_ROWS + 1], l[N_ROWS + 1], a[N_V + 1], u[N_V + 1], g[N_ROWS + 1], seed[N_SETTABLE + 1];
    int order[N_ROWS + 1], rank;
};
typedef struct duoti_dual duoti_dual;

static duoti_complex *duoti_at(duoti_dual *d, size_t place) { return (duoti_complex *)(d->words + place); }

/* x = L^-1 x, or L^-T x. */
static void duoti_forward(const duoti_dual *d, double *x) {
    for (int i = 0; i < N_V; i++) {
        for (int j = 0; j < i; j++) x[i] -= d->L[i][j] * x[j];
        x[i] /= d->L[i][i];
    }
}
static void duoti_backward(const duoti_dual *d, double *x) {
    for (int i = N_V - 1; i >= 0; i--) {
        for (int j = i + 1; j < N_V; j++) x[i] -= d->L[j][i] * x[j];
        x[i] /= d->L[i][i];
    }
}

static int duoti_factor_mass(duoti_dual *d) {
    for (int j = 0; j < N_V; j++) {
        double whole = d->L[j][j];
        for (int k = 0; k < j; k++) d->L[j][j] -= d->L[j][k] * d->L[j][k];
        if (!(d->L[j][j] > 1e-15 * whole)) return 0;
        d->L[j][j] = sqrt(d->L[j][j]);
        for (int i = j + 1; i < N_V; i++) {
            for (int k = 0; k < j; k++) d->L[i][j] -= d->L[i][k] * d->L[j][k];
            d->L[i][j] /= d->L[j][j];
        }
    }
    return 1;
}

/* The factor of W'W with its rows in the order of pivots, as many as are independent. */
static void duoti_factor_rows(duoti_dual *d) {
    for (int r = 0; r < N_ROWS; r++) {
        for (int s = 0; s < N_ROWS; s++) {
            d->S[r][s] = 0.0;
            for (int i = 0; i < N_V; i++) d->S[r][s] += d->W[i][r] * d->W[i][s];
        }
        d->order[r] = r;
        d->scale[r] = d->S[r][r] > 0.0 ? 1.0 / sqrt(d->S[r][r]) : 0.0;
    }
    for (int r = 0; r < N_ROWS; r++)
        for (int s = 0; s < N_ROWS; s++) d->S[r][s] *= d->scale[r] * d->scale[s];
    for (d->rank = 0; d->rank < N_ROWS; d->rank++) {
        int j = d->rank, best = j;
        for (int r = j + 1; r < N_ROWS; r++)
            if (d->S[d->order[r]][d->order[r]] > d->S[d->order[best]][d->order[best]]) best = r;
        int p = d->order[best];
        if (!(d->S[p][p] > DEPENDENT)) return;
        d->order[best] = d->order[j];
        d->order[j] = p;
        double pivot = sqrt(d->S[p][p]);
        for (int r = j + 1; r < N_ROWS; r++) {
            int q = d->order[r];
            d->S[q][p] /= pivot;
        }
        d->S[p][p] = pivot;
        for (int r = j + 1; r < N_ROWS; r++)
            for (int s = j + 1; s < N_ROWS; s++) d->S[d->order[r]][d->order[s]] -= d->S[d->order[r]][p] * d->S[d->order[s]][p];
    }
}

/* x = (W'W)^-1 x. */
static void duoti_solve_rows(const duoti_dual *d, double *x) {
    double y[N_ROWS + 1];
    for (int j = 0; j < d->rank; j++) {
        int p = d->order[j];
        y[j] = x[p] * d->scale[p];
        for (int k = 0; k < j; k++) y[j] -= d->S[p][d->order[k]] * y[k];
        y[j] /= d->S[p][p];
    }
    for (int j = d->rank - 1; j >= 0; j--) {
        int p = d->order[j];
        for (int k = j + 1; k < d->rank; k++) y[j] -= d->S[d->order[k]][p] * y[k];
        y[j] /= d->S[p][p];
    }
    for (int r = 0; r < N_ROWS; r++) x[r] = 0.0;
    for (int j = 0; j < d->rank; j++) x[d->order[j]] = y[j] * d->scale[d->order[j]];
}

static void duoti_evaluate(duoti_dual *d) { duoti_equations((int64_t)(d->words + T_CONTEXT)); }

/* Everything that all directions have in common at the present time, state and values. */
static const char *duoti_prepare(duoti_model *m) {
    if (!m->dual) {
        void *memory = NULL;
        if (posix_memalign(&memory, 64, sizeof(duoti_dual))) return "no memory for derivatives";
        m->dual = memory;
        memset(memory, 0, sizeof(duoti_dual));
        int64_t *w = m->dual->words;
        memcpy(w, duoti_t_block, T_WORDS * 8);
        for (size_t i = 0; i < T_POINTERS; i++) w[duoti_t_pointers[i]] = (int64_t)((char *)w + duoti_t_block[duoti_t_pointers[i]]);
        for (size_t i = 0; i < T_CALLS; i++) w[duoti_t_calls[i][0]] = (int64_t)duoti_t_kernels[duoti_t_calls[i][1]];
    }
    duoti_dual *d = m->dual;
    const double *a = duoti_rates(m) + N_Q, *y = duoti_reals(m, Y);
    if (m->dual_known) return NULL;
    if (!duoti_is_finite(a, N_V)) return "the accelerations are not finite";
    *(double *)(d->words + T_CLOCK) = m->r.t;
    for (int i = 0; i < N_Y; i++) duoti_at(d, T_Y)[i] = (duoti_complex){y[i], 0.0};
    for (int i = 0; i < N_V; i++) duoti_at(d, T_YDOT)[N_Q + i] = (duoti_complex){a[i], 0.0};
    for (int r = 0; r < N_ROWS; r++) duoti_at(d, T_MULTIPLIERS)[r] = (duoti_complex){0.0, 0.0};
    for (int e = 0; e < N_SLOTS; e++)
        if (duoti_t_slots[e] >= 0) *duoti_at(d, duoti_t_slots[e]) = (duoti_complex){duoti_slot(e, duoti_slots[e].offset, m->r.values), 0.0};
    duoti_evaluate(d);
    for (int i = 0; i < N_V; i++) d->u[i] = duoti_at(d, T_A_FREE)[i].re;
    memset(d->W, 0, sizeof d->W);
    for (int k = 0; k < N_ENTRIES; k++) d->W[duoti_t_entries[k][1]][duoti_t_entries[k][0]] = duoti_at(d, T_G)[k].re;
    memcpy(d->a, a, N_V * 8);
    for (int j = 0; j < N_V; j++) {
        duoti_at(d, T_YDOT)[N_Q + j].im = TINY;
        duoti_evaluate(d);
        duoti_at(d, T_YDOT)[N_Q + j].im = 0.0;
        for (int i = 0; i < N_V; i++) d->L[i][j] = duoti_at(d, T_A_FREE)[i].im / TINY;
    }
    if (!duoti_factor_mass(d)) return "the mass matrix is singular";
    if (N_ROWS) {
        double column[N_V + 1];
        for (int r = 0; r < N_ROWS; r++) {
            for (int i = 0; i < N_V; i++) column[i] = d->W[i][r];
            duoti_forward(d, column);
            for (int i = 0; i < N_V; i++) d->W[i][r] = column[i];
        }
        duoti_factor_rows(d);
        duoti_forward(d, d->u);
        for (int r = 0; r < N_ROWS; r++) {
            d->l[r] = 0.0;
            for (int i = 0; i < N_V; i++) d->l[r] += d->W[i][r] * d->u[i];
        }
        duoti_solve_rows(d, d->l);
        for (int r = 0; r < N_ROWS; r++) duoti_at(d, T_MULTIPLIERS)[r].re = d->l[r];
    }
    m->dual_known = 1;
    return NULL;
}

/* An imaginary part of `seed` in a variable, beside what is there. */
static int duoti_seed(duoti_model *m, unsigned k, double seed) {
    duoti_dual *d = m->dual;
    if (k >= FIRST_STATE && k < FIRST_RATE) {
        duoti_at(d, T_Y)[k - FIRST_STATE].im += TINY * seed;
        return 1;
    }
    if (k < FIRST_SETTABLE || k >= FIRST_OUTPUT) return 0;
    d->seed[k - FIRST_SETTABLE] += seed;
    return 1;
}

/* The derivatives in the direction that was seeded; imaginary parts are zero again. */
static void duoti_along(duoti_model *m) {
    duoti_dual *d = m->dual;
    for (int e = 0; e < N_SLOTS; e++) {
        double change = TINY * duoti_slot(e, 0.0, d->seed);
        int32_t place = duoti_t_slots[e];
        if (place >= 0) duoti_at(d, place)->im = change;
        else if (!m->r.initialised) duoti_at(d, T_Y)[-1 - place].im += change;
    }
    duoti_evaluate(d);
    duoti_observations((int64_t)(d->words + T_CONTEXT));
    for (int i = 0; i < N_V; i++) d->u[i] = -duoti_at(d, T_A_FREE)[i].im / TINY;
    duoti_forward(d, d->u);
    if (N_ROWS) {
        for (int r = 0; r < N_ROWS; r++) d->g[r] = duoti_at(d, T_GAMMA)[r].im / TINY;
        for (int k = 0; k < N_ENTRIES; k++) d->g[duoti_t_entries[k][0]] -= duoti_at(d, T_G)[k].im / TINY * d->a[duoti_t_entries[k][1]];
        for (int r = 0; r < N_ROWS; r++)
            for (int i = 0; i < N_V; i++) d->g[r] -= d->W[i][r] * d->u[i];
        duoti_solve_rows(d, d->g);
        for (int i = 0; i < N_V; i++)
            for (int r = 0; r < N_ROWS; r++) d->u[i] += d->W[i][r] * d->g[r];
    }
    duoti_backward(d, d->u);
    for (int i = 0; i < N_Y; i++) duoti_at(d, T_Y)[i].im = 0.0;
    memset(d->seed, 0, sizeof d->seed);
}

/* What a variable changes by in this direction. */
static int duoti_change(duoti_model *m, unsigned k, double *value) {
    duoti_dual *d = m->dual;
    if (k >= FIRST_OUTPUT && k < FIRST_STATE) *value = duoti_at(d, T_EVENT)[N_EVENTS + k - FIRST_OUTPUT].im / TINY;
    else if (k >= FIRST_RATE && k < FIRST_INDICATOR) {
        unsigned i = k - FIRST_RATE;
        *value = i >= N_Q && i < N_Q + N_V ? d->u[i - N_Q] : duoti_at(d, T_YDOT)[i].im / TINY;
    } else if (k >= FIRST_INDICATOR && k < N_VARIABLES) *value = duoti_at(d, T_EVENT)[k - FIRST_INDICATOR].im / TINY;
    else return 0;
    return 1;
}

static const char *const duoti_no_known = "derivatives are by states, inputs and parameters";
static const char *const duoti_no_unknown = "derivatives are of outputs, event indicators and rates of states";

/* Changes of the unknowns u for the changes `seed` of the knowns k. NULL, or why there are none. */
static const char *duoti_directional(duoti_model *m, const unsigned u[], size_t nu, const unsigned k[], size_t nk, const double seed[],
                                     double value[]) {
    const char *fault = duoti_prepare(m);
    if (fault) return fault;
    for (size_t j = 0; j < nk; j++)
        if (!duoti_seed(m, k[j], seed[j])) fault = duoti_no_known;
    duoti_along(m);
    for (size_t i = 0; i < nu; i++)
        if (!duoti_change(m, u[i], value + i)) fault = duoti_no_unknown;
    return fault;
}

/* Sums over the unknowns u of their derivatives by each of the knowns k, times `seed`. */
__attribute__((unused)) static const char *duoti_adjoint(duoti_model *m, const unsigned u[], size_t nu, const unsigned k[], size_t nk,
                                                         const double seed[], double value[]) {
    const char *fault = duoti_prepare(m);
    if (fault) return fault;
    for (size_t j = 0; j < nk; j++) {
        if (!duoti_seed(m, k[j], 1.0)) return duoti_no_known;
        duoti_along(m);
        value[j] = 0.0;
        for (size_t i = 0; i < nu; i++) {
            double change = 0.0;
            if (!duoti_change(m, u[i], &change)) return duoti_no_unknown;
            value[j] += seed[i] * change;
        }
    }
    return NULL;
}
#else
static const char *const duoti_none = "directional derivatives are not provided";
#define duoti_directional(...) duoti_none
#define duoti_adjoint(...) duoti_none
#endif
#endif
