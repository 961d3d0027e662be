// The tolerances of impacts within a step, and of the guard that no body passes through another: value, unit,
// reason, and what breaks if it moves. Part of tolerance.h.
#ifndef TRVI_TOLERANCE_IMPACTS_H
#define TRVI_TOLERANCE_IMPACTS_H

// What a body may move by in a sub-step without being swept (of the radius of a ball inside each of
// its shapes). Larger: thin bodies get so deep into one another that they leave on the other side.
// Smaller: bodies are swept that would have been caught anyhow.
#define TRVI_SWEEP_SHARE 0.25f

// Who has been struck so often in a sub-step (no unit) may be so deep, too, in what it meets next; with fewer
// blows, less deep, and the less where one is a ball. More: heaps of thin bodies take many times a step's time.
// Fewer: rows of bodies that are hit enter one another.
#define TRVI_LEEWAY_BLOWS 8.0f

// Who has not been struck yet may be so deep in what it meets (of the smaller extent), and no deeper than who has
// been often: of what is slender that is as much, and it cannot be seen. Larger: boxes that fall on boxes enter
// them. Smaller: heaps of planks and rods take half as long again.
#define TRVI_LEEWAY_EXTENT 0.005f

// What is not swept may be so deep in what it meets before a contact is seen (of the inner radius of
// the thinner one). Larger: balls are seen to sink into the ground that they hit. Smaller: more
// sweeps.
#define TRVI_SWEEP_DEEP 0.125f

// Bodies that a plane between them keeps apart for this part of what is left of a sub-step are not swept
// before that. Larger: sweeps of what other blows send elsewhere before it meets. Smaller: what does
// meet is looked at in many small steps first.
#define TRVI_PUT_OFF 0.05f

// Of the room that is left between two that do not meet in a sub-step blows may take this part before they are
// looked at again (no unit): the rest is for rounding. Larger: who is on the other's way by rounding alone is not
// seen. Smaller: more looks in vain.
#define TRVI_ROOM_KEPT 0.99f

// What float32 makes of a place may be off by this part of its distance from the origin (no unit): two
// roundings. Smaller: far from the origin balls about bodies are taken to pass that do not, and balls that
// roll over seams to sink into them.
#define TRVI_PLACE_DOUBT 2.4e-7f

// What blows or pushes drive in a step beyond where contacts were looked for may be so deep in what it
// meets there (of the inner radius of the thinner one). Larger: rows of bodies that are hit enter one
// another. Smaller: more is looked at in heaps that fall.
#define TRVI_DRIVEN_DEEP 0.0625f

// Nor do bodies that come nearer by less than this part of the inner radii of both: the solver sees
// them inside one another and parts them. Larger: thin bodies pass through thin ones. Smaller:
// heaps are swept that need not be.
#define TRVI_SWEEP_THROUGH 0.5f

// How near swept bodies come to what stops them: a length (m), and at most this part of the smaller
// thickness. Larger: a gap to be seen. Smaller: rounding far from the origin makes them overlap.
#define TRVI_SWEEP_MARGIN_M     1.0e-4f
#define TRVI_SWEEP_MARGIN_SHARE 0.1f

// Sweeps that end within this part of the sub-step end where they begin (no unit): there it is asked
// how the shapes move. Larger: blows come early. Smaller: shapes that part, or pass by, are looked
// at again and again.
#define TRVI_SWEEP_AT_ONCE 1.0e-5f

// Swept bodies that close in slower than this (m/s) are left to the solver. Larger: they get deeper
// until it sees them. Smaller: rounding makes blows.
#define TRVI_SWEEP_CLOSING 0.01f

// Points of a manifold within this of the nearest one are struck together (of the smaller extent,
// but no less than the length, m, which is what rounding does to small bodies on large ground): a
// face that falls flat does not bounce off its first corner. Larger: tilted faces do not turn as
// they hit. Smaller: rounding tilts what fell flat.
#define TRVI_STRIKE_FACE         1.0e-3f
#define TRVI_STRIKE_FACE_LEAST_M 5.0e-5f

// By how much of its trace the inverse of a swept body's inertia may have changed since the step
// began for the solver to work with it (no unit). Larger: spinning sticks gain energy where they
// touch. Smaller: spinning bodies that rest on something are hit instead of held.
#define TRVI_STALE_INERTIA 0.05f

// ... and how much more the body may then yield along the axis of its largest moment, of what it does
// there (no unit). Larger: slender sticks gain energy by many times what they had. Smaller: as above.
#define TRVI_STALE_YIELD 2.0

// ... and by what angle what bounces may have turned since by a sub-step's end (rad), as its corners go round, and not
// straight on, as the solver has them. Larger: slender sticks that clatter, and hulls that meet again, lose energy by
// pushes that nothing met. Smaller: as above.
#define TRVI_STALE_TURN 0.25f

// A body whose extent is below this (m) bounces from less than the world's threshold, as the root of
// its extent: small things fall from small heights, and are as slow beside their size as large ones.
// At the default threshold none then loses a bounce that would raise it by a fifteenth of its
// extent. Larger: heaps of small bodies are long in coming to rest. Smaller: what is small loses its
// bounces.
#define TRVI_BOUNCE_EXTENT_M 0.2f

// But not from less than so many times the speed that gravity and forces give in a sub-step (no unit), which
// is what surfaces meet with that rest on one another; even where a world's threshold is lower than that. Larger:
// small bodies lose their bounces where steps are long. Smaller: heaps of them take long to rest, and what rests
// is taken for what bounces, and sinks.
#define TRVI_BOUNCE_RESTS 2.0f

// What the solver has been told to leave alone, or does not see, bounces from so much of that speed on (no unit):
// by the time that the two meet, along another normal, they may be slower than as the sub-step began, and nobody
// else stops them. Larger: small balls in long steps get into one another, by .3 of a diameter. Smaller: they
// keep bouncing where they crowd, and lose no less.
#define TRVI_BOUNCE_AWAITED 0.5f

// How far the even turn of a struck body may be from its spin (of that): beyond, it turns about its
// spin for the rest of the sub-step. Larger: spinning sticks get into what they hit. Smaller: less
// precession.
#define TRVI_FLIGHT_OFF 0.02f

// Surfaces that slide and turn into one another are parted for so much of a turn at a time (rad): a
// share of that of the slip's speed goes into the parting. Larger: they hop along one another, and
// gain energy for the while. Smaller: more blows than a sub-step has room for.
#define TRVI_STRIKE_TURN 0.05f

// They are parted again when they do so at less than this share of what they should (no unit). Larger:
// more blows than a sub-step has room for. Smaller: they are closing in by then.
#define TRVI_STRIKE_AGAIN 0.5f

// What is met as a seam, parts fast enough for now, or glides along is asked again when this part
// of a sub-step has passed. Larger: who slides fast from one piece to the next is in that by the
// time that it bears. Smaller: time.
#define TRVI_LOOK_AGAIN 0.125f

// What glides on when so much of a sub-step is left is not looked at again in it. Larger: it may be struck late,
// in the next one. Smaller: of what is overlapped, and parts, the rest is looked at in ever smaller pieces, until
// it is made to wait.
#define TRVI_LOOK_LAST (1.0f / 256.0f)

// Surfaces that touch and turn by more than this in what is left of a sub-step (rad) are followed
// until they are apart; others are looked at now and then. Larger: rods slip through what is thin
// between two looks. Smaller: time.
#define TRVI_STRIKE_FAR_TURN 1.5f

// A blow is resolved when no point's speed changes by more than this part of the fastest (no unit),
// or, where nothing bounces or others pass it on, by no more than the second (m/s): a fifth of what
// counts as closing in. Larger: what was struck is struck again. Smaller: rounds in vain.
#define TRVI_STRIKE_DONE 1.0e-7f
#define TRVI_STRIKE_REST 2.0e-3f

// ... or when that has come down to no less than this part (no unit) in the second quarter of its rounds. Larger:
// rounds in vain, between walls that close in. Smaller: what goes through long rows stops on its way.
#define TRVI_STRIKE_VAIN 0.97f

// Rounds of which a few leave no more than this part of what is missing are taken to where they lead (no unit).
// Larger: rounding leads them, too.
#define TRVI_STRIKE_EVENLY 0.9999f

// A blow goes on through whoever it sends by more than this part of their thickness until the sub-step ends
// (no unit), as far as these touch others; the second is for balls. Larger: what lies behind them is entered by as
// much. Smaller: time, where many lie close together, and more where these are not round.
#define TRVI_STRIKE_DRIVES       0.01f
#define TRVI_STRIKE_DRIVES_BALLS 0.003f

// Whom a blow sends another's way by more than this part of the thinner one's thickness, until the sub-step ends,
// is followed there; the second where one is a ball. Larger: what falls together is in one another. Smaller: time,
// as above, which heaps of what is not round have more need of. Not those that are as deep in one another as what
// is jammed: what a crusher closes on would take three times as long.
#define TRVI_STRIKE_SENDS       0.1f
#define TRVI_STRIKE_SENDS_BALLS 0.02f

// Who turns otherwise after a blow than as it began the step is swept against whom it met for the rest of that, where
// a corner gets farther by it in a step than this part of the thinner one's thickness (no unit). Larger: corners that
// contacts do not know come down unseen. Smaller: time.
#define TRVI_SWINGS 0.1f

// Parabolas leave their chords by up to an eighth of this, times the square of a sub-step (m/s^2):
// what is looked at where a sweep along the chords has ended. Larger: time. Smaller: under heavier
// gravity bounces are missed by the sweep, and left to the solver.
#define TRVI_REFINE_ACCELERATION 100.0f

// What a body may come in a sub-step without being looked at by the guard (of the radius of a ball
// inside each of its shapes). Larger: two of them may be through one another before it looks.
// Smaller: time.
#define TRVI_GUARD_WAY 0.25f

// How deep two bodies may be driven into one another in a sub-step (of what is inside the two, and
// no more than the second times the thinner one). Larger: the solver pushes them out on the other
// side. Smaller: the guard stops what the solver would part well.
#define TRVI_GUARD_DEPTH 0.5f
#define TRVI_GUARD_THICK 5.0f

// Bodies that are in one another deeper than this (of what is inside the two) are left to it, and
// those that are deep may get deeper by the second in each sub-step. Larger: they are held inside
// one another, or squeezed through. Smaller: who was squeezed deep passes; or rounding counts as
// deeper.
#define TRVI_GUARD_LOST 0.9f
#define TRVI_GUARD_MORE 1.0e-3f

#endif
