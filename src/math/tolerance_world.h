// The tolerances of the world: value, unit, reason, and what breaks if it moves. Part of
// tolerance.h.
#ifndef TRVI_TOLERANCE_WORLD_H
#define TRVI_TOLERANCE_WORLD_H

// The contacts, the solver, and what rests.

// How near two surfaces must come for the solver to see them (m). A contact made 2 cm early
// costs little and lets the solver stop bodies at the surface instead of behind it. Larger:
// contacts that never touch slow the solver. Smaller: bodies sink before they are caught.
#define TRVI_SPECULATIVE_M 0.02f

// ... and no more than this share of the longest side of either one's bounding box (no unit). Larger:
// heaps of small bodies have many pairs that never touch, and cost several times as much. Smaller: the
// smallest sink into one another before they are caught.
#define TRVI_SPECULATIVE_SIZE 0.1f

// A body's motion in one step widens that margin, as far as it brings the two nearer along the
// direction in which they are known to be nearest; for each up to this share of the distance of its
// farthest point from its centre (no unit). More would let it meet the infinite planes of surfaces
// that it is going to pass by; less lets fast thin bodies sink into what they hit.
#define TRVI_SPECULATIVE_SHARE 0.5f

// Vectors whose largest component is not above this (2^-63, in their own unit) have no direction:
// it is the least whose square is an ordinary number still. Smaller: squares lose their digits.
#define TRVI_SQUARABLE 1.0842022e-19f

// A manifold is kept, and only its separations are measured anew, while the two bodies have
// moved no farther to one another since it was made than this part of the thinner one's inner
// radius; and than that length (m), which is well below TRVI_SPECULATIVE_M, so that nothing that
// has no point in it can have come to touch. Where a surface is round, while both together have
// moved no farther than the second part, wherever they went. Larger: contact points lag behind what
// rocks, slides or rolls, which may go on for ever, or, where it is round, faster and faster; from four times as
// much of the first on nothing is saved. Smaller: heaps are tested in every step while they come to rest, creeping
// by a millimetre or two in a second.
#define TRVI_REUSE        1.0e-3f
#define TRVI_REUSE_ROUND  1.0e-6
#define TRVI_REUSE_MOST_M 5.0e-3f

// ... and while what presses one on the other goes on to pass well within the points: which is asked of bodies
// that turn faster than this, rad/s, or are pushed. Slower: what only trembles is asked. Faster: what tilts
// together at less tips too early, where a face has many corners.
#define TRVI_REUSE_SPIN 1.0e-4f

// ... and while the margin asked for has not grown by more than this factor.
#define TRVI_REUSE_MARGIN 1.25f

// How much fatter than needed the broadphase keeps its boxes (m), so that bodies that
// tremble or creep change no pair. Larger: more pairs to test. Smaller: pairs come and go.
#define TRVI_BOUNDS_MARGIN_M 0.01f

// ... and by no more than this share of a box's longest side (no unit). Larger: heaps of small bodies
// have many pairs to test. Smaller: those come and go.
#define TRVI_BOUNDS_MARGIN_SIZE 0.1f

// A body is still while no point of it moves further than this (m) within the world's sleep
// time. Larger: slow sliding falls asleep. Smaller: heaps that settle stay awake.
#define TRVI_STILL_M 0.01f

// Nor is a body still that would leave that ball in the sleep time so many times over, by its speed
// (no unit). Larger: who is struck after a rest falls asleep on the spot. Smaller: so do heaps late
// that tremble.
#define TRVI_DASHES 10.0f

// But what nothing has held all that time must not have moved further than this (of its
// extent). Larger: what begins to slide slowly is stopped. Smaller: rounding keeps things awake.
#define TRVI_LOOSE 1.0e-4f

// Unless it has come below this part of its average speed in that time (no unit): it comes to
// rest by itself. Larger: what slides on evenly is stopped by rounding. Smaller: wedges that creep
// to a halt keep their heap awake.
#define TRVI_SLOWS 0.95f

// In islands of more than so many bodies it may sleep all the same while it takes out of its rest ball no
// more than this share of that in the sleep time: some body of a large heap always creeps, at a
// millimetre a second or two. Larger share, fewer bodies: what begins to slide together falls asleep.
// Smaller share, more bodies: large heaps are kept awake.
#define TRVI_CREEPS         0.25f
#define TRVI_CREEPS_COMPANY 64u

// In islands of up to so many bodies, one that has moved further than that and is this much
// faster than it was on average since (no unit) is not put to sleep: twice as fast is what begins
// from rest and quickens evenly. Larger: what begins to tip over or roll falls asleep. Smaller:
// what creeps evenly stays awake. More bodies: heaps in which one or another is always jostled stay
// awake. One that is alone is jostled by nothing, and for it the second holds: larger, and balls
// that roll down very gentle slopes fall asleep on the way; smaller, and rounding keeps awake what
// rolls on evenly and slowly.
#define TRVI_QUICKENS         1.5f
#define TRVI_QUICKENS_ALONE   1.01f
#define TRVI_QUICKENS_COMPANY 8u

// One that friction has held and that has been still, or has not left its ball below, for so many sleep
// times may sleep however its speed differs from one step to the next. Larger: few bodies far from the
// origin, where rounding makes them tremble, stay awake. Smaller: what tips over very slowly is stopped.
#define TRVI_TREMBLES 4.0f

// Of so few, one is still only while it stays within this (of its extent), but no less than the
// length (m). Larger: slow swings are stopped where they turn. Smaller: what trembles stays awake.
#define TRVI_STRAYS         7.0e-4f
#define TRVI_STRAYS_LEAST_M 1.0e-4f

// Surfaces this near count as touching in events (m), and those that touch cease to beyond
// the second distance. Contacts rest within some hundredths of a millimetre; the gap between the
// two keeps begin and end from alternating.
#define TRVI_TOUCH_M   0.0005f
#define TRVI_RELEASE_M 0.002f

// What meets within this share of a sub-step (no unit), and touches, meets at once. Larger: blows that are to
// follow one another are one. Smaller: rounding tells who of equals is first.
#define TRVI_AT_ONCE 1.0e-3f

// A blow goes on into another step while surfaces still close in by more than this share of the
// speed that it began with: its event tells all of its impulse but for such a part. Less, and what
// the solver leaves of speeds in heaps would put off their events by a step.
#define TRVI_BLOW_OVER 0.02f

// Principal moments of inertia that differ by less than this share of the largest are taken
// as equal (no unit), and the body then needs no gyroscopic torque. Rounding of a cube's is about
// 1e-16.
#define TRVI_ROUND_INERTIA 1.0e-6

// Principal moments of inertia are raised to this share of the largest (no unit). The inverse of a stick's is
// large along it, and float32 holds it to some 1e-7 of that: thinner sticks (1 : 1,400) would turn about their
// other axes by what the rounding leaves there, which gives them energy.
#define TRVI_LEAST_INERTIA 1.0e-6

// Stiffness of contacts, as the frequency (Hz) and damping ratio of the spring that removes
// overlap; the frequency is capped at a quarter of the sub-step rate, above which it would ring.
// Against bodies that do not yield it is doubled. Source: Catto 2024, "Solver2D".
#define TRVI_CONTACT_HZ      45.0f
#define TRVI_CONTACT_DAMPING 10.0f

// Contacts rise against the load that they have carried on average over this time (s), by at
// most that length (m): the springs may be soft, which keeps heaps calm, and yet nothing sinks.
// Shorter: the rise follows each tremble and feeds it. Longer: loads take longer to come up again.
#define TRVI_SAG_TIME_S 1.0f
#define TRVI_SAG_MAX_M  0.02f

// Where they would give under it by more than this part of the extent of the smaller body that can be
// pushed, they are so much stiffer. Larger: tall piles of small things lean and buckle. Smaller: large
// heaps are not calm.
#define TRVI_SAG_SHARE 0.01f

// Where the lighter body of a contact bears more than this many times its own weight (no
// unit), the heavier begins to count as lighter, and at twice that load as no more than so many
// times as heavy. Larger ratio: heavy bodies sink into light ones that carry them, and tremble.
// Smaller load: bodies that are pushed along feel heavier than they are.
#define TRVI_HEAVY_LOAD 1.0f
#define TRVI_MASS_RATIO 4.0f

// A body that locks hold counts as held altogether at contacts along whose normal they leave less than this
// of how it would yield without turning, were it free: its square root is the sine of the angle, here a bit
// less than two degrees. Larger: what is held to a rail is not stopped by what it meets at a slant. Smaller:
// what it overlaps with along a locked axis throws it far along the others.
#define TRVI_LOCKED_YIELD 1.0e-3f

// Islands of up to this many contacts are solved with care: hard contacts, which remove this
// share of an overlap in a sub-step, and sweeps until they settle. Larger: heaps that move about
// cost more, and a large one is not settled within the sweeps that it may take, which hard contacts
// do not forgive. Smaller: middling walls and pyramids sag and sway before they stand.
#define TRVI_CAREFUL_CONTACTS 2048
#define TRVI_HARD_SHARE       0.2f

// What is squeezed by more than this many times its weight, in an island of such masses, counts as
// heavier by as many times more (no unit). Larger: heavy bodies on far lighter ones tremble, hop and
// sink. Smaller: what rolls or slides under a heavy load is slow to start; the error is one part in so
// many of the load.
#define TRVI_BURDEN 100.0f

// Larger islands than those take one sweep more for so many layers of bodies that press on one another in
// each sub-step that a body takes to fall by its own thickness, but no more than so many, while they
// move, on average, faster than weight makes them in a sub-step (no units). More layers, or fewer sweeps:
// what was hit, or has fallen onto itself, swings on its springs for ever, or bursts. Fewer layers: large
// heaps cost more.
#define TRVI_LAYERS_SWEEP 0.15f
#define TRVI_MORE_SWEEPS  6u

// What stands anew is given its loads: where it is no faster than weight makes it in this part of a step,
// on faces that rise against the vertical by at least that cosine; points count as in a line that spread
// across it by no more than the third part of how they spread along it, squared; and contacts that are
// narrower than the last part of their length bear only where others cannot (no units). More of a step:
// what falls is held up. Smaller cosine: what leans against something counts as borne by it. Larger
// parts: what stands on an edge is not balanced across it. Smaller width: towers that stand side by side
// bear on one another's edges.
#define TRVI_FOOTING_FALLS  0.25f
#define TRVI_FOOTING_COSINE 0.5f
#define TRVI_FOOTING_LINE   1.0e-6f
#define TRVI_FOOTING_WIDTH  0.01f

// Arms of forces follow their bodies in a step where these have turned by more than this (rad), the second
// where a side is round. Larger: what rocks a little swings farther each time. Smaller: high piles of small
// things tremble.
#define TRVI_ARM_TURNED 1.0e-4f
#define TRVI_ARM_ROLLED 1.0e-6f

// Arms of what is still apart go to the surfaces, and not half-way between, where that is more than this (in
// parts of the arms). Larger: what lands spinning, or sliding, gets another spin. Smaller: what rests takes more
// sweeps.
#define TRVI_ARM_LONG 5.0e-4f

// Between faces, in small islands that stand, a gap of no more than this (of the thinner one's thickness) is none:
// what stands does not fall through it. Larger: one sees that it hovers. Smaller: columns of a few boxes that have
// landed tremble by millionths, and cost ten times as much, as what they bear is looked for anew in each step.
#define TRVI_GAP_LEAST 2.0e-5f

// The place where two bodies touch is followed in a step, and the normal turns, where neither is round, from
// this turn (rad) and this way past each other (in parts of the arms) on. Larger: angular momentum comes from
// hits. Smaller: high walls that settle move aside.
#define TRVI_PLACE_LEFT 0.01f

// The normal of what is round follows both in a step from this way past each other (in parts of the radii), or
// from this turn (rad), on. Larger: balls that hit one another, or an edge, go off aslant. Smaller: heaps of balls
// cost more.
#define TRVI_BALLS_LEFT 0.01f

// Where friction at a point of a contact may turn it past itself by more than this of how it moves it (no unit), in
// speeds at the point, the points of the contact learn that from one another within a sweep. Larger: thin bodies that
// are rubbed about their length are thrown. Smaller: flat contacts cost more.
#define TRVI_TILTS 0.01f

// What has not met yet, of what another point bears, is not slowed before it does, up to a speed that weight makes in
// this time (s). Longer: what lands fast sinks in deeper. Shorter: what rocks from edge to edge comes to rest too soon.
#define TRVI_UNMET_FALL 0.07f

// ... from a gap on of so many times what weight lets a body fall by in a sub-step, doubled (no unit). Larger: the
// same as shorter. Smaller: of what lands flat one point is struck for all, and what rests costs more.
#define TRVI_UNMET_LEAST 0.1f

// What turns in a sub-step by more than this (rad) is relaxed without being pulled back to what it left. Larger:
// what whirls gains energy. Smaller: what rocks fast is slowed where it is still apart.
#define TRVI_WHIRLS 0.5f

// The normal of a face turns with it in a step up to this (rad). Larger: what whirls pushes to where it looks
// by then, and gains energy. Smaller: what rocks in long steps swings farther each time.
#define TRVI_FACE_TURNS 0.5f

// A contact's normal is that of a box's or a hull's face where its part along that is less than 1 by no more than
// this (no unit): float32 normals differ by 1e-7. Larger: those of edges that are nearly faces turn with these.
// Smaller: those of faces do not.
#define TRVI_FACE_NORMAL 1.0e-6f

// What spins takes back more of it, by the first for each radian of its turn in a sub-step,
// up to the second. Larger: what rattles gains energy. Smaller: the tips of tops sink in, and roll
// about on what is over them.
#define TRVI_WHIRL_SHARE 1.0f
#define TRVI_WHIRL_MOST  0.8f

// Overlap at hard contacts that is left alone (of the smaller body's extent). Where bodies
// are jammed between each other, rounding makes them overlap here and gape there, and what pushes
// apart rounding errors finds no end. Larger: stacks sink by so much for each body. Smaller: more
// sweeps.
#define TRVI_SLOP 1.0e-4f

// Pieces of a floor ahead that a body would run into within so many times the step and one sub-step more, as
// far as speeds and planes tell, are looked at as they will be met (no unit). Larger: time. Smaller: what
// weight or a turn brings nearer is seen as from afar, and tripped over.
#define TRVI_AHEAD_MORE 1.5f

// What gets deeper than this in the step by turning, and shows nowhere (of the thinner body's thickness), is
// shown as it is by then, see turned.c. Larger: corners get that deep. Smaller: time, for all that tumbles.
#define TRVI_TURNED_DEPTH 0.05f

// Two points that are no farther from one another (of the smaller body's extent) are taken for the same one
// there. Larger: corners beside one another are. Smaller: a point that slides on is shown twice.
#define TRVI_TURNED_SAME 0.1f

// Such a point lies at the rim of a face, and not in it, where another is as near as this (of the smaller body's
// extent): far more than rounding.
#define TRVI_TURNED_RIM 1.0e-3f

// And points of both times are shown together where the normals are at no larger angle (cosine): they have one
// in common then. Smaller: what is held now is pushed another way. Larger: corners are not seen.
#define TRVI_TURNED_COSINE 0.8f

// What looks back at the body by less than this (sine) is what it is over already. Larger: small bends are
// felt. Smaller: what has left its floor by rounding is not held up by it.
#define TRVI_AHEAD_TILT 0.005f

// They count as that only where the body comes along by less than this part of how fast it would run into
// what was seen from afar (no unit). Larger: what tumbles down on a floor is taken for what comes along.
// Smaller: blunt bends are tripped over.
#define TRVI_AHEAD_LESS 0.95f

// There, what the body is in by no more than this at the end (of its extent) is what it is over by then,
// however it was met. Larger: low kerbs are rolled over at no cost. Smaller: what a bend hides makes a stop.
#define TRVI_AHEAD_LITTLE 0.01f

// What contacts have moved in a step by no more than this (of the largest coordinate of its centre),
// four times as far as its speed did, stays where it is. That is 2^-22, the rounding of the places of
// two bodies and of the points between them. Larger: what overlaps far from the origin stays so.
// Smaller: what rests there creeps, pushed to and fro by how its places are rounded.
#define TRVI_PLACE_ROUNDING 2.4e-7f
#define TRVI_PLACE_PUSHED   4.0f

// Friction holds bodies where they stuck while a contact's points stay this near to where
// they were on both surfaces (of the smaller extent). Larger: what rolls slowly is held back by
// where it was. Smaller: what sways a little creeps.
#define TRVI_ANCHOR_REACH 0.02f

// A body on a single point that friction holds spins on its tip, as a top, above this (rad/s), where
// the axis of its spin passes the arm from its centre of mass to the tip at an angle of no more than
// that sine, and the tip goes no faster than that share of what such a spin could make of it; below the
// last share it rests, whatever is told as a hit. Slower, or a larger sine: what tumbles over a corner
// passes for a top, and is held for the rest of its step. Faster, or smaller: tops nod and go round as
// sub-steps see them, which is too much, or nothing.
#define TRVI_TOP_SPIN 10.0f
#define TRVI_TOP_LEAN 0.3f
#define TRVI_TOP_SLIP 0.02f
#define TRVI_TOP_REST 1.0e-3f

// ... and while whatever else is near the ground stays over it all the way round, by this share of its
// way from the tip. Larger: wide tops are not seen as such. Smaller: their rims may dip in for a step.
#define TRVI_TOP_CLEAR 0.02f

// ... and while its tip is no deeper than this (of its extent) in the ground, out of which it rises by
// that share of the way in a step. Deeper: what was thrown in goes on as a top. Less deep, or a smaller
// share: tops that have landed rattle on. Larger: they jump out.
#define TRVI_TOP_DEEP 0.01f
#define TRVI_TOP_RISE 0.1f

// Corners of solids are blunt: where two such shapes meet in a single point, that resists
// turning as a patch does with this lever arm (of the smaller extent). Larger: what tips over a
// corner does so late. Smaller: what hangs between two corners swings and spins for ever. Above a spin
// of so many rad/s it gets less by as much as that is faster: what hangs is slow, and tops are to keep
// their spin. Larger: small tops slow down soon. Smaller: what tumbles comes to rest later.
// Other points of the manifold take from the lever arm what they are nearer than it, and this part of it: what stands
// on them tips over them. Larger: what hangs beside others swings for ever. Smaller: all that stands is asked.
#define TRVI_BLUNT_CORNER 0.01f
#define TRVI_BLUNT_LEAST  0.25f
#define TRVI_BLUNT_SPIN   10.0f

// A contact slides when friction gives this part of the most that it can (no unit). Larger:
// rounding decides. Smaller: what is held at the limit creeps.
#define TRVI_SLIDING 0.9999f

// What a body meets is flush with the surface that it bears on when it rises above it by no
// more than this (of the body's extent), and the two normals differ by more than the first sine, or
// the second where both meet face to face. Larger: low kerbs are slid over. Smaller: seams of tiles
// that are not quite level are felt.
#define TRVI_SEAM       1.0e-3f
#define TRVI_SEAM_SINE  1.0e-5f
#define TRVI_SEAM_FACES 0.05f

// By how much bounds of such sines, and of heights (of lengths that are at hand), are wider than what is
// rounded may be. Larger: time, where normals differ by less than the first sine. Smaller: rounding hides a
// seam from who is in a crowd.
#define TRVI_SEAM_ROUNDING 2.0e-6f

// Nor would the body sink past that surface in the step by more than this (of its extent). Larger: what
// rocks on the edge between two blocks sinks into either in turn, is thrown up again, and never rests.
// Smaller: seams are felt by what presses on them.
#define TRVI_SEAM_SINKS 2.5e-4f

// A body's way in a sub-step is that of the mean of its speeds before and after while these
// differ by no more than so many times what weight and forces make in that time (no unit). Larger:
// bodies enter what they hit by more. Smaller: braking on rough ground goes by the last speed, and
// stops short.
#define TRVI_SMOOTH 2.0f

// ... and no farther than the second times its thickness where they do not go on to change as in the sub-step
// before, within so many times that (no units). A larger share: small bodies enter what they come to lie on.
// Smaller: what rolls from edge to edge loses speed. Less: what only bends its way counts as stopped.
#define TRVI_STEADY     0.95f
#define TRVI_STEADY_WAY 2.0e-3f

// Such an island is settled when a sweep changes its speeds by less than this part of what
// gravity brings in a sub-step, or than that part of the speed at which its bodies are meeting, or
// by no more than rounding does, as part of the impulses (no unit). Of fewer than so many blocks,
// by as many times less, and below the lower number of them by the square of as many times less once
// more: else a block that just slides is too fast. Larger: card houses creep. Smaller: more sweeps,
// in vain below some thousandths. What gravity brings never counts by more than the last part: what
// is allowed is of the whole island, and where all of it comes to one of many towers that lean on one
// another, that sways for ever.
#define TRVI_SETTLED_WEIGHT   0.01f
#define TRVI_SETTLED_MEETING  0.02f
#define TRVI_SETTLED_ROUNDING 2.0e-6
#define TRVI_SETTLED_BLOCKS   32.0f
#define TRVI_SETTLED_FEW      8.0f
#define TRVI_SETTLED_LARGEST  0.002f

// What a sweep changes may grow by this factor from one to the next before the way is given up (no
// unit). Larger: islands are led astray, from 2 on pyramids burst. Smaller: what stands on something
// light and thin is not found in all its sweeps, and rocks.
#define TRVI_SETTLED_GROWS 1.25

// Slower than this (m/s and rad/s, 2^-50), along an axis, is not at all: in a year it would come to 30 nm. Nor do
// impulses that change speeds by less count where it is judged whether an island has settled. What rests has
// products of such below the least normal number, where some processors take a hundred times as long. Larger:
// small things that hardly move stop. Smaller: squares of it are no normal numbers.
// Nor is a turn (as a part of a quaternion, 2^-60), or what it moves a point by (m), or how a contact's sides give
// way along other axes than that of a push, beside how they do along it (no unit, 2^-40; rounding is 2^-24).
#define TRVI_SPEED_NONE    8.8817842e-16f
#define TRVI_TURN_NONE     8.6736174e-19f
#define TRVI_RESPONSE_NONE 9.0949470e-13f

// A single sweep, without the one back, is enough when it changes no more than this share of
// that energy. Larger: islands that rest begin to sway. Smaller: they cost more.
#define TRVI_SETTLED_AT_ONCE 0.1

// Large islands are relaxed twice in sub-steps longer than this (s): somewhat more than a quarter of
// a 60th. Longer: at 30 steps a second stacks in heaps sway for ever. Shorter: heaps at 60 cost more,
// and come to rest no sooner.
#define TRVI_LONG_SUBSTEP_S (1.0f / 200.0f)

// What stands in a stack, on faces, with a foot that presses on more than one edge of it, is damped while it
// loses speed, as what sways does half of the time: if it is slower than the first of these speeds (m/s), and its
// points move slower than the second about its centre. First speed larger: bodies that stand on one another
// are braked as they are hit; smaller: at 30 steps a second high towers sway for ever, and wide pyramids with
// gaps settle by more. Second larger: what rocks does so late; smaller: stacks settle in each sub-step anew.
// What gains speed may be toppling, and is damped only where it is slower than the third, a share of how fast a
// pendulum of its extent is after a swing of 1 rad (no unit). Larger: blocks 1 % beyond where they would stand fall
// late. Smaller: what large pyramids begin with, 3 mm/s, lasts.
#define TRVI_SWAY_FASTEST 0.5f
#define TRVI_SWAY_SPIN    0.05f
#define TRVI_SWAY_SLOWEST 7e-4f

// What gained speed by more than so many times its weight (no unit) was hit, and is not. Larger: what is hit is braked.
// Smaller: high towers that settle sway for ever.
#define TRVI_SWAY_JOLT 1.0f

// Nor is what friction held in the step before, and that goes past the other now, beyond what turning makes of
// that, faster than this part of what would have fallen by half its extent (no unit): it was set going. Larger:
// stacks that are kicked are braked. Smaller: those that settle are not, by the solver's errors.
#define TRVI_STICKS_SHARE 0.01f

// It is damped at the first of these rates (1/s), or at so many times the rate at which that pendulum
// swings under its weight (no unit), if that is more: small things sway and fall in less time. While it loses
// speed, at so many times that (no unit). Larger: stacks that rock on their feet do so late. Smaller: tall
// ones sway, and settle in each sub-step anew; small card houses fall.
#define TRVI_SWAY_DAMPING 10.0f
#define TRVI_SWAY_SWINGS  4.0f
#define TRVI_SWAY_LOSES   3.0f

// Islands of up to so many contacts are solved side by side. Larger: those that settle late
// make the others' lanes idle. Smaller: lanes stay empty.
#define TRVI_PACK_CONTACTS 48u

// How many sweeps an island may take in one pass: what that many blocks cost, within these
// limits. More: rarely of use, as the next sub-step goes on from there. Fewer: high stacks sink
// before their feet know the load.
#define TRVI_SWEEP_BLOCKS 8192u
#define TRVI_SWEEPS_MIN   4u
#define TRVI_SWEEPS_MAX   96u

// Where, after each so many sweeps, an island has more than so many times the energy that it had without
// contacts (no units), and its bodies as if they were faster than the speed (m/s), sweeping leads away from
// any solution. More: what runs away is thrown. Less, or sooner: an island that has not found its impulses
// yet counts as that; a lower speed: so does rounding where nothing moves.
#define TRVI_RUNAWAY_SWEEPS 8u
#define TRVI_RUNAWAY        4.0
#define TRVI_RUNAWAY_LEAST  1.0e-4f

// ... and where it has not settled in all its sweeps, and has more than so many times that (no unit), it gets so many
// sweeps more. More times: what runs away is thrown by a little. Fewer, or more sweeps: large islands that are all but
// settled take twice a step's time.
#define TRVI_RUNAWAY_LAST 1.1
#define TRVI_RUNAWAY_MORE 40u

// Bodies that overlap in a row are pushed apart no faster than that the last one goes so many times as fast
// as two are (no unit). More: stacks that were put together too tightly burst. Fewer: they part late.
#define TRVI_ROW_PUSHES 2.5f
// Of a row along a direction are contacts whose normals have so much of it (cosine). Less: what lies beside one
// another counts as above one another, and heaps part late. More: rows that lean burst.
#define TRVI_ROW_LIES 0.5f

// Where more than this share of an island's points is pushed out of one another as fast as may be, it may
// take what so many blocks cost instead, and no less than so many sweeps. Larger: what is spawned in one
// spot costs many times a step. Smaller share: what is jammed, but stands, is not settled. Fewer: a few bodies
// that overlap do not part calmly.
#define TRVI_KNOT_SHARE  0.25f
#define TRVI_KNOT_BLOCKS 1024u
#define TRVI_KNOT_SWEEPS 6u

// An island whose sweeps change less than so many times what counts as settled (no unit) is
// left as it is for this pass when that has not come down to half in as many sweeps as cost what
// that many blocks do, and no fewer than these. More blocks: islands that do not settle are stirred
// up by sweeping, sway, and cost more. A larger change, or fewer: loads of many times a body's
// weight are found late, and what friction just holds creeps.
#define TRVI_SETTLED_NEARLY 8.0
#define TRVI_VAIN_BLOCKS    200u
#define TRVI_VAIN_SWEEPS    12u

// A contact with a point that presses with more than so many times what weights, forces and blows come to
// in its island, where nobody is thrown by the second share of that, or with more than the third power of
// that many times, gives way where it overlaps, by as much as a body is that the last share of its
// impulse acts on (no units). More times, or less of the impulse: what is jammed between two things
// that do not yield is pressed harder and harder, and bursts when it comes loose. Fewer times: slim
// wedges slip. More to be thrown: blows that are over count.
#define TRVI_STRAIN   10.0f
#define TRVI_JAM_HELD 0.45f
#define TRVI_JAM_LEAK 0.2f

// What for a quarter of a second or so has borne more than the load of its island, or of so many pairs of
// bodies like its own, if that is less, and so many times what pushing overlap out takes (no units), is jammed
// from the first of these depths on, and wholly from the second (of the thickness of the thinner one). Less:
// high stacks, and what is spawned in overlap or is thin, are let go of. More: what a crusher closes on bursts
// at some hundred metres a second, and takes hundreds of times a step's time.
#define TRVI_JAM_BODIES  100.0f
#define TRVI_JAM_PUSHES  10.0f
#define TRVI_JAM_SHALLOW 0.1f
#define TRVI_JAM_DEEP    0.3f

// What turns.

// The solver takes a body's inertia anew where the square of its turn since the step began, times by how
// much its largest moment is above the least, as parts of that, is more than this (no unit). Larger: what
// spins about a long axis, or flat on ice about an axis that is none of its own, gains energy where it touches.
// Smaller: costs a little wherever things turn.
#define TRVI_INERTIA_OFF 1.0e-4f

// ... and of what rolls with its weight off the middle, which touches all the time. Larger: it gains energy, or
// loses it. Smaller: costs a little more.
#define TRVI_INERTIA_ROCKS 1.0e-6f

// What is round has its weight elsewhere where that is off its middle by more than this (of its radius). Larger: such
// lose energy as they roll. Smaller: balls count as such by rounding alone.
#define TRVI_CORE_OFF 1.0e-3f

// It rocks where its core goes about its weight faster than this part of the speed that weight makes in a sub-step
// (no unit). Larger: it loses energy where it turns back. Smaller: what hardly turns is lifted over the edges of tiles.
#define TRVI_CORE_SWINGS 0.03f

// What friction holds at a place turns about that where the square of its spin is more than this part of what its
// weight, over its extent, comes to (no unit). Larger: pendulums on edges swing farther each time when they are slow.
// Smaller: stacks that settle are taken to turn.
#define TRVI_TURNS_LEAST 1.0e-4f

// It turns about that place, and is no part of what it stands on, where its spin past that is more than this part of
// the larger spin. Larger: what rocks on a turntable swings farther each time. Smaller: rounding makes what lies on one
// creep inwards.
#define TRVI_TURNS_PAST 0.1f

// The gap of contacts that the solver is to leave alone (m): more than any speed can close.
#define TRVI_HELD_M 1.0e6f

// A spinning body's sub-step is split so that the turns about its two outer axes of inertia
// have a geometric mean of at most the first (rad), and neither is above the second; at most so
// many times. The energy then swings by some 1e-5 of itself. Larger: tumbling runs ahead of the
// truth. Smaller, or more: fast spin costs more. Beyond the most a body keeps its axis.
#define TRVI_SPIN_STEP    0.02
#define TRVI_SPIN_LARGEST 0.5
#define TRVI_SPIN_STEPS   64

// A body that contacts may push turns about a fixed axis in a sub-step that turns it by less
// than this (rad): the change of its spin would be a smaller share than that of itself. Larger:
// rolling hulls take wrong ways. Smaller: heaps at rest cost more.
#define TRVI_SPIN_STILL 1.0e-4f

// Below this (rad per sub-step) such a body turns by the midpoint rule in float32, whose
// error in a sub-step is a twelfth of the cube: less than rounding adds in a second. Larger:
// tumbling bodies gain or lose energy near others. Smaller: rolling heaps of hulls cost more.
#define TRVI_SPIN_GENTLE 0.02f

// What the outside calls.

// Frames of this part of a step less than a whole number of steps count as that number (no unit):
// the clock's rounding. Larger: steps come early. Smaller: a frame of one step now and then makes
// none.
#define TRVI_STEP_SLACK 1.0e-6

// A cast that starts in touch goes into what it touches where its way leads deeper by more than
// this part of its length. Larger: shapes sink in while they slide. Smaller: sliding along a floor
// hits the floor.
#define TRVI_CAST_SLIDE 1.0e-4f

// Questions.

// By how much boxes are taken to be nearer than they are, of the distance and of the coordinates that go
// into it (no unit), when only those are measured that can be nearer than what was found; and casts'
// boxes to be met earlier: some ten roundings of 6e-8. Larger: more shapes are measured. Smaller: of
// two equally near the wrong one may be told.
#define TRVI_NEARER_SLACK 1.0e-6f

#endif
