// Mass of a body from its shapes: closed forms for the simple solids, the mesh layer's integrals
// for hulls, joined by the parallel-axis theorem in double.
#include "world_data.h"

#include <string.h>

static const double PI = 3.14159265358979323846;

typedef struct mass_sum {
    double mass;
    trvi_dvec3 center;
    double inertia[6]; // about `center`, axes of the body
} mass_sum;

// R diag(i) R^T, order xx yy zz xy xz yz.
static void turn_diagonal(const trvi_dmat3 *r, const double diagonal[3], double out[6])
{
    static const int rows[6] = {0, 1, 2, 0, 0, 1}, columns[6] = {0, 1, 2, 1, 2, 2};
    for (int e = 0; e < 6; e++) {
        out[e] = 0.0;
        for (int k = 0; k < 3; k++)
            out[e] += r->m[rows[e]][k] * diagonal[k] * r->m[columns[e]][k];
    }
}

static mass_sum sphere_mass(trv_sphere sphere)
{
    double r = sphere.radius;
    double mass = 4.0 / 3.0 * PI * r * r * r;
    double i = 0.4 * mass * r * r;
    return (mass_sum){mass, trvi_dvec3_from(sphere.center), {i, i, i, 0.0, 0.0, 0.0}};
}

static mass_sum box_mass(trv_obb box)
{
    double x = box.half.x, y = box.half.y, z = box.half.z;
    double mass = 8.0 * x * y * z;
    const double diagonal[3] = {mass / 3.0 * (y * y + z * z), mass / 3.0 * (x * x + z * z),
                                mass / 3.0 * (x * x + y * y)};
    mass_sum sum = {mass, trvi_dvec3_from(box.center), {0}};
    trvi_dmat3 r = trvi_dmat3_from_quat(box.rotation);
    turn_diagonal(&r, diagonal, sum.inertia);
    return sum;
}

// A cylinder and two half balls; the half balls' centroids lie 3/8 r beyond the ends.
static mass_sum capsule_mass(trv_capsule capsule)
{
    trvi_dvec3 a = trvi_dvec3_from(capsule.a), b = trvi_dvec3_from(capsule.b);
    trvi_dvec3 axis = trvi_dsub(b, a);
    double r = capsule.radius, length = trvi_dlength(axis);
    double cylinder = PI * r * r * length, ball = 4.0 / 3.0 * PI * r * r * r;
    double along = 0.5 * cylinder * r * r + 0.4 * ball * r * r;
    double half = 0.5 * length;
    double across = cylinder * (r * r / 4.0 + length * length / 12.0) +
                    ball * (0.4 * r * r + half * half + 0.75 * half * r);
    mass_sum sum = {cylinder + ball, trvi_dscale(trvi_dadd(a, b), 0.5), {0}};
    trvi_dvec3 u = length > 0.0 ? trvi_dscale(axis, 1.0 / length) : (trvi_dvec3){0.0, 1.0, 0.0};
    double more = along - across; // inertia = across * identity + more * u u^T
    const double entries[6] = {across + more * u.x * u.x, across + more * u.y * u.y,
                               across + more * u.z * u.z, more * u.x * u.y,
                               more * u.x * u.z,          more * u.y * u.z};
    memcpy(sum.inertia, entries, sizeof entries);
    return sum;
}

// At unit density.
static mass_sum solid_mass(const trv_shape *solid)
{
    switch (solid->kind) {
    case TRV_SHAPE_SPHERE:
        return sphere_mass(solid->as.sphere);
    case TRV_SHAPE_CAPSULE:
        return capsule_mass(solid->as.capsule);
    case TRV_SHAPE_BOX:
        return box_mass(solid->as.box);
    default: {
        const trvi_solid *hull = &solid->as.hull->solid;
        mass_sum sum = {hull->volume, hull->centroid, {0}};
        memcpy(sum.inertia, hull->inertia, sizeof sum.inertia);
        return sum;
    }
    }
}

// Adds the inertia of a mass that sits `d` away from the axis point.
static void shift_inertia(double inertia[6], double mass, trvi_dvec3 d)
{
    inertia[0] += mass * (d.y * d.y + d.z * d.z);
    inertia[1] += mass * (d.x * d.x + d.z * d.z);
    inertia[2] += mass * (d.x * d.x + d.y * d.y);
    inertia[3] -= mass * d.x * d.y;
    inertia[4] -= mass * d.x * d.z;
    inertia[5] -= mass * d.y * d.z;
}

// R I R^T.
static void turn_inertia(const trvi_dmat3 *r, const double i[6], double out[6])
{
    const double full[3][3] = {{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}};
    static const int rows[6] = {0, 1, 2, 0, 0, 1}, columns[6] = {0, 1, 2, 1, 2, 2};
    for (int e = 0; e < 6; e++) {
        out[e] = 0.0;
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                out[e] += r->m[rows[e]][j] * full[j][k] * r->m[columns[e]][k];
    }
}

// Of part `index`, in the compound's frame.
static mass_sum part_mass(const trv_compound *compound, uint32_t index)
{
    trv_compound_part part;
    (void)trv_compound_part_get(compound, index, &part);
    mass_sum own = solid_mass(&part.shape), placed = own;
    trvi_dmat3 r = trvi_dmat3_from_quat(part.pose.rotation);
    trvi_dvec3 turned = trvi_dmat3_mul(&r, own.center);
    placed.center = trvi_dadd(turned, trvi_dvec3_from(part.pose.position));
    turn_inertia(&r, own.inertia, placed.inertia);
    return placed;
}

static mass_sum compound_mass(const trv_compound *compound)
{
    mass_sum total = {0};
    uint32_t count = trv_compound_part_count(compound);
    for (uint32_t i = 0; i < count; i++) { // first the centre, then the inertia about it
        mass_sum part = part_mass(compound, i);
        total.mass += part.mass;
        total.center = trvi_dmul_add(total.center, part.center, part.mass);
    }
    if (total.mass > 0.0)
        total.center = trvi_dscale(total.center, 1.0 / total.mass);
    for (uint32_t i = 0; i < count; i++) {
        mass_sum part = part_mass(compound, i);
        for (int e = 0; e < 6; e++)
            total.inertia[e] += part.inertia[e];
        shift_inertia(total.inertia, part.mass, trvi_dsub(part.center, total.center));
    }
    return total;
}

trv_result trv_mass_of_shape(const trv_shape *shape, float density, trv_mass *out)
{
    if (out == NULL)
        return TRV_ERROR_NULL;
    memset(out, 0, sizeof *out);
    trv_result result = trv_shape_check(shape);
    if (result != TRV_OK)
        return result;
    if (shape->kind == TRV_SHAPE_PLANE)
        return TRV_ERROR_KIND;
    mass_sum sum =
        shape->kind == TRV_SHAPE_COMPOUND ? compound_mass(shape->as.compound) : solid_mass(shape);
    trvi_solid solid = {sum.mass, sum.center, {0}};
    memcpy(solid.inertia, sum.inertia, sizeof solid.inertia);
    return trvi_mass_of_solid(&solid, density, out);
}

static mass_sum sum_shapes(const trv_world *world, const trvi_body *body)
{
    mass_sum total = {0};
    for (int pass = 0; pass < 2; pass++) { // first the centre, then the inertia about it
        for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next) {
            const trvi_shape *shape = &trvi_shapes(world)[s];
            if (shape->flags & TRV_SHAPE_SENSOR)
                continue;
            double density = trvi_material_of(world, shape)->density;
            mass_sum part = solid_mass(&shape->solid);
            double mass = density * part.mass;
            if (pass == 0) {
                total.mass += mass;
                total.center = trvi_dmul_add(total.center, part.center, mass);
                continue;
            }
            for (int e = 0; e < 6; e++)
                total.inertia[e] += density * part.inertia[e];
            shift_inertia(total.inertia, mass, trvi_dsub(part.center, total.center));
        }
        if (pass == 0 && total.mass > 0.0)
            total.center = trvi_dscale(total.center, 1.0 / total.mass);
    }
    return total;
}

static trvi_symmetric to_symmetric(const double m[6])
{
    return (trvi_symmetric){(float)m[0], (float)m[1], (float)m[2],
                            (float)m[3], (float)m[4], (float)m[5]};
}

// False where the matrix is not positive definite.
static bool invert_symmetric(const double m[6], double out[6])
{
    double xx = m[1] * m[2] - m[5] * m[5], xy = m[4] * m[5] - m[3] * m[2];
    double xz = m[3] * m[5] - m[4] * m[1];
    double determinant = m[0] * xx + m[3] * xy + m[4] * xz;
    if (!(determinant > 0.0) || !(m[0] > 0.0) || !(m[0] * m[1] - m[3] * m[3] > 0.0))
        return false;
    const double entries[6] = {xx, m[0] * m[2] - m[4] * m[4], m[0] * m[1] - m[3] * m[3], xy,
                               xz, m[3] * m[4] - m[0] * m[5]};
    for (int e = 0; e < 6; e++)
        out[e] = entries[e] / determinant;
    return true;
}

// The farthest that any point of a solid is from `from`.
static float extent_of(const trv_shape *solid, trv_vec3 from)
{
    switch (solid->kind) {
    case TRV_SHAPE_SPHERE:
        return trvi_length(trvi_sub(solid->as.sphere.center, from)) + solid->as.sphere.radius;
    case TRV_SHAPE_CAPSULE:
        return trvi_larger(trvi_length(trvi_sub(solid->as.capsule.a, from)),
                           trvi_length(trvi_sub(solid->as.capsule.b, from))) +
               solid->as.capsule.radius;
    case TRV_SHAPE_BOX:
        return trvi_length(trvi_sub(solid->as.box.center, from)) + trvi_length(solid->as.box.half);
    case TRV_SHAPE_HULL:
        return trvi_length(trvi_sub(solid->as.hull->center, from)) + solid->as.hull->radius;
    default:
        return TRV_COORD_MAX; // a half-space has no end, and never moves
    }
}

// The radius of a ball inside the solid.
static float thickness_of(const trv_shape *solid)
{
    switch (solid->kind) {
    case TRV_SHAPE_SPHERE:
        return solid->as.sphere.radius;
    case TRV_SHAPE_CAPSULE:
        return solid->as.capsule.radius;
    case TRV_SHAPE_BOX:
        return trvi_smaller(trvi_smaller(solid->as.box.half.x, solid->as.box.half.y),
                            solid->as.box.half.z);
    case TRV_SHAPE_HULL:
        return trvi_larger(solid->as.hull->thickness, 1.0e-3f * solid->as.hull->radius);
    default:
        return TRV_COORD_MAX;
    }
}

static void measure_body(const trv_world *world, trvi_body *body, const trvi_mobile *mobile)
{
    body->extent = 0.0f;
    body->thickness = TRV_COORD_MAX;
    for (uint32_t s = body->first_shape; s != TRVI_NONE; s = trvi_shapes(world)[s].next) {
        float extent = extent_of(&trvi_shapes(world)[s].solid, mobile->local_center);
        body->extent = trvi_larger(body->extent, extent);
        body->thickness = trvi_smaller(body->thickness, thickness_of(&trvi_shapes(world)[s].solid));
    }
}

static void move_center(trvi_body *body, trvi_mobile *mobile, trv_vec3 local_center)
{
    trv_vec3 before = body->center;
    mobile->local_center = local_center;
    body->center = trvi_pose_apply(body->frame, local_center);
    mobile->center_rest = trvi_vec3(0.0f, 0.0f, 0.0f);
    trv_vec3 moved = trvi_sub(body->center, before);
    trv_vec3 carried = trvi_cross(mobile->angular_velocity, moved);
    trv_vec3 velocity = trvi_add(mobile->linear_velocity, carried);
    if (trvi_check_vec3(velocity) == TRV_OK) // else it is beyond what anything may have
        mobile->linear_velocity = velocity;
    trvi_mobile_rests(mobile, body);
}

// Largest difference of the principal moments that still counts as none, relative to the largest.
static bool is_round(const double i[6])
{
    double largest = fmax(i[0], fmax(i[1], i[2]));
    double off = fmax(fabs(i[3]), fmax(fabs(i[4]), fabs(i[5])));
    double spread = largest - fmin(i[0], fmin(i[1], i[2]));
    return fmax(off, spread) <= TRVI_ROUND_INERTIA * largest;
}

// About the axes that are columns.
static void find_moments(const double i[6], const trvi_dmat3 *axes, double moments[3])
{
    for (int k = 0; k < 3; k++) {
        double x = axes->m[0][k], y = axes->m[1][k], z = axes->m[2][k];
        moments[k] = i[0] * x * x + i[1] * y * y + i[2] * z * z +
                     2.0 * (i[3] * x * y + i[4] * x * z + i[5] * y * z);
    }
}

// The principal axes, as float32 has them, and the moments about these.
static void find_principal(trvi_mobile *mobile, const double i[6])
{
    trvi_dmat3 axes = trvi_principal_axes(i);
    mobile->principal = trvi_quat_from_dmat3(&axes);
    axes = trvi_dmat3_from_quat(mobile->principal);
    double moments[3];
    find_moments(i, &axes, moments);
    mobile->moments = trvi_vec3((float)moments[0], (float)moments[1], (float)moments[2]);
}

// Raises principal moments to TRVI_LEAST_INERTIA of the largest; false where none is less.
static bool raise_least(double i[6])
{
    bool raised = false;
    trvi_dmat3 axes = trvi_principal_axes(i);
    double moments[3];
    find_moments(i, &axes, moments);
    double least = TRVI_LEAST_INERTIA * fmax(moments[0], fmax(moments[1], moments[2]));
    for (int k = 0; k < 3; k++) {
        double x = axes.m[0][k], y = axes.m[1][k], z = axes.m[2][k], more = least - moments[k];
        if (!(more > 0.0))
            continue;
        const double squares[6] = {x * x, y * y, z * z, x * y, x * z, y * z};
        for (int e = 0; e < 6; e++)
            i[e] += more * squares[e];
        raised = true;
    }
    return raised;
}

void trvi_move_inertia(trvi_mobile *mobile, trvi_dvec3 way)
{
    const trvi_symmetric *i = &mobile->inertia;
    double inertia[6] = {i->xx, i->yy, i->zz, i->xy, i->xz, i->yz};
    shift_inertia(inertia, (double)mobile->mass, way);
    find_principal(mobile, inertia);
}

// None of the body's fields changes on TRV_ERROR_VOLUME.
static trv_result give_mass(const trv_world *world, trvi_body *body, trvi_mobile *mobile,
                            mass_sum sum)
{
    double inverse[6] = {0};
    if (sum.mass > 0.0) {
        if (!invert_symmetric(sum.inertia, inverse))
            return TRV_ERROR_VOLUME;
        if (raise_least(sum.inertia))
            invert_symmetric(sum.inertia, inverse);
        const double largest = 3.0e38, smallest = 1.0e-30;
        if (!(sum.mass < largest) || !(sum.mass > smallest))
            return TRV_ERROR_VOLUME;
        for (int e = 0; e < 6; e++)
            if (!(fabs(inverse[e]) < largest) || !(fabs(sum.inertia[e]) < largest))
                return TRV_ERROR_VOLUME;
    }
    mobile->mass = (float)sum.mass;
    mobile->inverse_mass = sum.mass > 0.0 ? (float)(1.0 / sum.mass) : 0.0f;
    mobile->inertia = to_symmetric(sum.inertia);
    mobile->inverse_inertia = to_symmetric(inverse);
    body->flags &= (uint8_t)~TRVI_BODY_ROUND_INERTIA;
    mobile->principal = trv_identity_quat();
    mobile->moments = trvi_vec3(0.0f, 0.0f, 0.0f);
    if (sum.mass > 0.0)
        find_principal(mobile, sum.inertia);
    if (is_round(sum.inertia))
        body->flags |= TRVI_BODY_ROUND_INERTIA;
    move_center(body, mobile, trvi_vec3_from_double(sum.center));
    measure_body(world, body, mobile);
    return TRV_OK;
}

// Mass, centre and inertia from the shapes that are no sensors; none of them changes on
// TRV_ERROR_VOLUME (mass or inertia that float32 cannot hold). A dynamic body without any mass
// falls, but nothing turns or pushes it. What the caller has set stays.
trv_result trvi_mass_update(const trv_world *world, trvi_body *body, trvi_mobile *mobile)
{
    const mass_sum none = {0};
    if (body->kind != TRV_BODY_DYNAMIC)
        return give_mass(world, body, mobile, none);
    if (!(body->settings & TRVI_BODY_MASS_SET))
        return give_mass(world, body, mobile, sum_shapes(world, body));
    measure_body(world, body, mobile);
    return TRV_OK;
}

trv_result trvi_body_update_mass(trv_world *world, trvi_body *body)
{
    if (body->mobile != TRVI_IMMOBILE)
        return trvi_mass_update(world, body, trvi_own_mobile(world, body));
    trvi_mobile none = *trvi_mobile_of(world, body);
    return trvi_mass_update(world, body, &none);
}

// What is left may be too little for float32: then it is none.
void trvi_body_lose_mass(trv_world *world, trvi_body *body)
{
    const mass_sum none = {0};
    if (trvi_body_update_mass(world, body) != TRV_OK) // a dynamic body's
        give_mass(world, body, trvi_own_mobile(world, body), none);
}

trv_result trvi_body_take_mass(trv_world *world, trvi_body *body, float mass, trv_vec3 center,
                               const float inertia[6])
{
    mass_sum sum = {mass, trvi_dvec3_from(center), {0}};
    for (int e = 0; e < 6; e++)
        sum.inertia[e] = inertia[e];
    trv_result result = give_mass(world, body, trvi_own_mobile(world, body), sum);
    if (result == TRV_OK)
        body->settings |= TRVI_BODY_MASS_SET;
    return result;
}
