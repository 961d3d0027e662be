// The world's truths: scenes whose outcome is known, built with the public API alone.
//
// A row is a scene; a variant is the scene with one set of parameters; running it states claims, each
// a measured number with the range that it has to lie in. The variants named "main..." are the ones
// that the table of truths is about; the others are of the same kind, with other sizes, masses,
// speeds, frictions and rates.
#ifndef TRV_BENCH_TRUTH_H
#define TRV_BENCH_TRUTH_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <trivet/mesh.h>
#include <trivet/trivet.h>

#define TRUTH_PI      3.14159265358979323846
#define TRUTH_GRAVITY 9.81

// Zero stands for the row's usual value.
typedef struct truth_variant {
    const char *name;
    float scale;   // of every length
    float density; // kg/m^3
    float rate;    // steps per second
    float friction;
    float restitution;
    float speed;  // m/s, or rad/s
    float angle;  // degrees
    float ratio;  // of masses, or to a critical value
    float gap;    // m
    float height; // m
    float bound;  // what the row's main claim requires, where variants differ in it
    float time;   // s
    int count;
    int kind;     // which of the row's scenes
    int substeps; // of a step; 0: four
} truth_variant;

typedef struct truth_report truth_report;

typedef struct truth_row {
    int number;
    const char *scene;
    void (*run)(const truth_variant *variant, truth_report *report);
    const truth_variant *variants;
    int count;
} truth_row;

#define TRUTH_ROW(number, scene, run, variants)                                                    \
    {                                                                                              \
        number, scene, run, variants, (int)(sizeof variants / sizeof *variants)                    \
    }

// The rows of one file; the last one has no scene.
extern const truth_row truth_motion_rows[];
extern const truth_row truth_slope_rows[];
extern const truth_row truth_stack_rows[];
extern const truth_row truth_balance_rows[];
extern const truth_row truth_bounce_rows[];
extern const truth_row truth_ball_rows[];
extern const truth_row truth_fast_rows[];
extern const truth_row truth_heap_rows[];
extern const truth_row truth_state_rows[];
extern const truth_row truth_call_rows[];

// States that `measured` lies in [least, most]; NaN does not.
void truth_claim(truth_report *report, const char *claim, double measured, double least,
                 double most, const char *unit);

// The first of two that is not zero.
static inline float truth_or(float value, float usual)
{
    return value != 0.0f ? value : usual;
}

static inline double truth_max(double a, double b)
{
    return a > b || a != a ? a : b; // NaN stays
}

static inline trv_vec3 truth_v(double x, double y, double z)
{
    return trv_make_vec3((float)x, (float)y, (float)z);
}

// Ends the program, naming the call, where the world refuses something.
#define truth_ok(call) truth_check((call), #call)
void truth_check(trv_result result, const char *call);

// A world with the default settings and gravity (0, -9.81, 0), or without gravity.
trv_world *truth_world(void);
trv_world *truth_empty_space(void);

// Steps at the variant's rate, or 60 per second, with its sub-steps, or four.
float truth_dt(const truth_variant *variant);
int truth_steps(const truth_variant *variant, double seconds);
void truth_step(const truth_variant *variant, trv_world *world);

// A body and its one shape.
typedef struct truth_part {
    trv_body_kind kind;
    trv_shape shape;
    trv_vec3 position;
    trv_quat rotation; // all zero: none
    trv_vec3 velocity;
    trv_vec3 spin;
    float friction; // 0 is none
    float restitution;
    float density; // 0: 1000
} truth_part;

trv_body_id truth_add(trv_world *world, const truth_part *part);
// One more shape on a body; density 0 adds no mass.
void truth_add_shape(trv_world *world, trv_body_id body, trv_shape shape, float friction,
                     float density);
trv_body_id truth_ground(trv_world *world, float friction, float restitution, float half);
trv_shape truth_box(double x, double y, double z);
trv_shape truth_cube(double half);
trv_shape truth_ball(double radius);

trv_pose truth_pose(const trv_world *world, trv_body_id body);
trv_vec3 truth_position(const trv_world *world, trv_body_id body);
trv_vec3 truth_velocity(const trv_world *world, trv_body_id body);
trv_vec3 truth_spin(const trv_world *world, trv_body_id body);
bool truth_awake(const trv_world *world, trv_body_id body);
// The angle between a body's axis and the world's, rad.
double truth_tilt(const trv_world *world, trv_body_id body, trv_vec3 axis);

double truth_dot(trv_vec3 a, trv_vec3 b);
double truth_length(trv_vec3 v);
trv_vec3 truth_minus(trv_vec3 a, trv_vec3 b);
trv_vec3 truth_unturn(trv_quat rotation, trv_vec3 v);

// Deterministic noise, uniform in [-1, 1).
double truth_noise(uint64_t *state);

#endif
