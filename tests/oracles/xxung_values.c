/* Who wins XXung on a small board from each first square, by a program of its own.

   Written from the founding text, sharing nothing with the toolkit: a stone is set in the row or column of the last one with nothing
   in between; five in a row, column or diagonal wins, and so does leaving the opponent no square. No symmetry is used. Positions are
   remembered in a table; a position that is pushed out is looked at again.

   gcc -O2 -o values xxung_values.c && ./values 5 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int n, cells;
static uint64_t *keys;
static char *worth;
static const uint64_t SLOTS = 1u << 24;

static int reach(uint64_t all, int last, int *to) {
    static const int dx[4] = {1, -1, 0, 0}, dy[4] = {0, 0, 1, -1};
    int found = 0;
    for (int d = 0; d < 4; d++)
        for (int x = last % n + dx[d], y = last / n + dy[d]; x >= 0 && x < n && y >= 0 && y < n; x += dx[d], y += dy[d]) {
            if (all >> (y * n + x) & 1) break;
            to[found++] = y * n + x;
        }
    return found;
}

static int five(uint64_t own, int at) {
    static const int dx[4] = {1, 0, 1, 1}, dy[4] = {0, 1, 1, -1};
    for (int d = 0; d < 4; d++) {
        int run = 1;
        for (int side = -1; side <= 1; side += 2)
            for (int x = at % n + side * dx[d], y = at / n + side * dy[d]; x >= 0 && x < n && y >= 0 && y < n; x += side * dx[d], y += side * dy[d]) {
                if (!(own >> (y * n + x) & 1)) break;
                run++;
            }
        if (run >= 5) return 1;
    }
    return 0;
}

/* 1 if the player to act wins, 0 if not; `mine` are their stones. */
static int wins(uint64_t mine, uint64_t theirs, int last) {
    uint64_t key = ((mine << cells | theirs) << 5 | (uint64_t)last) + 1;
    uint64_t slot = (key * 0x9E3779B97F4A7C15ull) >> 40;
    if (keys[slot] == key) return worth[slot];
    int to[64], more[64], few[64], count = reach(mine | theirs, last, to), result = 0;
    for (int i = 0; i < count && !result; i++) {
        uint64_t own = mine | 1ull << to[i];
        few[i] = reach(own | theirs, to[i], more);
        if (five(own, to[i]) || !few[i]) result = 1;
    }
    for (int left = count; left && !result; left--) {
        int best = -1;
        for (int i = 0; i < count; i++)
            if (few[i] >= 0 && (best < 0 || few[i] < few[best])) best = i;
        few[best] = -1;
        if (!wins(theirs, mine | 1ull << to[best], to[best])) result = 1;
    }
    keys[slot] = key;
    worth[slot] = (char)result;
    return result;
}

int main(int argc, char **argv) {
    n = argc > 1 ? atoi(argv[1]) : 5;
    cells = n * n;
    if (n < 2 || n > 5) return 2;
    keys = calloc(SLOTS, sizeof *keys);
    worth = calloc(SLOTS, 1);
    printf("{");
    for (int s = 0; s < cells; s++)
        printf("%s\"%c%d\": \"%s\"", s ? ", " : "", 'a' + s % n, s / n + 1, wins(0, 1ull << s, s) ? "second" : "first");
    printf("}\n");
    return 0;
}
