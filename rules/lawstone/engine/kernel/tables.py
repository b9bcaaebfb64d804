"""Helpers that work by tables of a board: slides cut at the first obstacle, and comparisons with many shapes at once."""

from __future__ import annotations

from collections.abc import Sequence

from lawstone.board import Board
from lawstone.engine.kernel.layout import WORD, Layout


def fill(board: Board, layout: Layout, way: str) -> str:
    """All of a set that is reached from one site by steps in one direction: the ray up to the first site not in the set."""
    kind, bits, name = f"i{layout.bits}", layout.bits, way.replace(" ", "_")
    steps = [(s, t) for s, t in enumerate(board.steps[way]) if t is not None]
    upward = all(layout.place[t] > layout.place[s] for s, t in steps)
    rays = [0] * bits
    for s, b in enumerate(layout.place):
        rays[b] = sum(1 << layout.place[t] for t in board.ray(s, way))
    listed = ", ".join(f"{kind} {r}" for r in rays)
    if upward:
        stop = [
            f"  %g = sub {kind} 0, %stops",
            f"  %first = and {kind} %stops, %g",
            f"  %before = sub {kind} %first, 1",
        ]
    elif bits == WORD:
        stop = [
            f"  %z = call {kind} @llvm.ctlz.{kind}({kind} %stops, i1 false)",
            f"  %up = sub {kind} {bits}, %z",
            f"  %before = shl {kind} -1, %up",
        ]
    else:
        stop = [
            f"  %z = call {kind} @llvm.ctlz.{kind}({kind} %stops, i1 false)",
            f"  %up = sub {kind} {bits}, %z",
            f"  %upw = trunc {kind} %up to i64",
            f"  %abovep = getelementptr {kind}, ptr @above, i64 %upw",
            f"  %before = load {kind}, ptr %abovep",
        ]
    at = "%b" if bits == WORD else "%bw"
    lines = [
        f"@rays_{name} = internal constant [{bits} x {kind}] [{listed}], align 64",
        f"define internal {kind} @fill_{name}({kind} %seed, {kind} %over) alwaysinline nounwind {{",
        f"  %none = icmp eq {kind} %seed, 0",
        f"  %c = call {kind} @llvm.cttz.{kind}({kind} %seed, i1 false)",
        f"  %b = and {kind} %c, {bits - 1}" if bits & (bits - 1) == 0 else f"  %b = select i1 %none, {kind} 0, {kind} %c",
        "" if bits == WORD else f"  %bw = trunc {kind} %b to i64",
        f"  %rayp = getelementptr {kind}, ptr @rays_{name}, i64 {at}",
        f"  %ray0 = load {kind}, ptr %rayp",
        f"  %ray = select i1 %none, {kind} 0, {kind} %ray0",
        f"  %clear = xor {kind} %over, -1",
        f"  %stops = and {kind} %ray, %clear",
        *stop,
        f"  %found = and {kind} %ray, %before",
        f"  ret {kind} %found",
        "}",
    ]
    return "\n".join(x for x in lines if x)


def above(layout: Layout) -> str:
    """For each number k the bits from k upward."""
    kind, full = f"i{layout.bits}", (1 << layout.bits) - 1
    return (
        f"@above = internal constant [{layout.bits + 1} x {kind}] ["
        + ", ".join(f"{kind} {full ^ ((1 << k) - 1)}" for k in range(layout.bits + 1))
        + "], align 64"
    )


def shapes(number: int, table: Sequence[tuple[int, int]], layout: Layout) -> str:
    """Which shapes of a table a set of one word holds (their union), and what those that contain a site are worth in all."""
    narrow = max(layout.place) < 32
    lane = "i32" if narrow else "i64"
    masks = [m for m, _ in table]
    full = _vector(masks, lane, len(masks))
    wide = f"<{_padded(len(masks))} x {lane}>"
    by_bit = [[(m, w) for m, w in table if m >> b & 1] for b in range(layout.bits)]
    most = _padded(max(map(len, by_bit)))
    row = f"<{most} x {lane}>"
    rows = ", ".join(f"{row} {_vector([m for m, _ in r], lane, most)}" for r in by_bit)
    worth = ", ".join(f"{row} {_vector([w for _, w in r], lane, most, 0)}" for r in by_bit)
    cut = f"  %w = trunc i64 %whole to {lane}" if narrow else "  %w = or i64 %whole, 0"
    back = f"  %f = zext {lane} %r to i64" if narrow else "  %f = or i64 %r, 0"
    count = _padded(len(masks))
    return "\n".join(
        [
            f"declare {lane} @llvm.vector.reduce.or.v{count}{lane}({wide})",
            f"define internal i64 @held_{number}(i64 %whole) nounwind {{",
            cut,
            f"  %i = insertelement {wide} poison, {lane} %w, i32 0",
            f"  %s = shufflevector {wide} %i, {wide} poison, <{count} x i32> zeroinitializer",
            f"  %a = and {wide} %s, {full}",
            f"  %e = icmp eq {wide} %a, {full}",
            f"  %k = select <{count} x i1> %e, {wide} {full}, {wide} zeroinitializer",
            f"  %r = call {lane} @llvm.vector.reduce.or.v{count}{lane}({wide} %k)",
            back,
            "  ret i64 %f",
            "}",
            f"@shapes_{number} = internal constant [{layout.bits} x {row}] [{rows}], align 64",
            f"@worths_{number} = internal constant [{layout.bits} x {row}] [{worth}], align 64",
            f"declare {lane} @llvm.vector.reduce.add.v{most}{lane}({row})",
            f"define internal i64 @worth_{number}(i64 %site, i64 %whole) alwaysinline nounwind {{",
            "  %c = call i64 @llvm.cttz.i64(i64 %site, i1 false)",
            f"  %b = and i64 %c, {layout.bits - 1}",
            cut,
            f"  %p = getelementptr {row}, ptr @shapes_{number}, i64 %b",
            f"  %m = load {row}, ptr %p",
            f"  %q = getelementptr {row}, ptr @worths_{number}, i64 %b",
            f"  %v = load {row}, ptr %q",
            f"  %i = insertelement {row} poison, {lane} %w, i32 0",
            f"  %s = shufflevector {row} %i, {row} poison, <{most} x i32> zeroinitializer",
            f"  %a = and {row} %s, %m",
            f"  %e = icmp eq {row} %a, %m",
            f"  %k = select <{most} x i1> %e, {row} %v, {row} zeroinitializer",
            f"  %r = call {lane} @llvm.vector.reduce.add.v{most}{lane}({row} %k)",
            back,
            "  %none = icmp eq i64 %site, 0",
            "  %g = select i1 %none, i64 0, i64 %f",
            "  ret i64 %g",
            "}",
        ]
    )


def _padded(n: int) -> int:
    """A length that is a multiple of eight; padding shapes are never held and worth nothing."""
    return max(8, (n + 7) // 8 * 8)


def _vector(values: Sequence[int], lane: str, length: int, pad: int = -1) -> str:
    width = _padded(length)
    return "<" + ", ".join(f"{lane} {v}" for v in [*values, *[pad] * (width - len(values))]) + ">"
