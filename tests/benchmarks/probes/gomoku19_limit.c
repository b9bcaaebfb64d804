// Physical-limit probe: Gomoku 19x19, exact five, uniform random playouts, hand-written C.
// Build: gcc -O3 -march=native -o gomoku19_limit gomoku19_limit.c -lm
// Use:   ./gomoku19_limit list 1 <cpu seconds>
// As the 15x15 probe: legal moves kept as a shrinking list, the four lines through the stone tested at once, here in two words of
// two lanes of 32 bits.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#define N 19
#define CELLS (N * N)
typedef struct { uint16_t r, c, d, a; uint32_t br, bc, bd, ba; } Cell;
static Cell T[CELLS];
static uint16_t iota[CELLS];
static uint64_t S[2] = {0x9E3779B97F4A7C15ull, 0xD1B54A32D192ED03ull};
static inline uint64_t rng(void) { // xoroshiro128+
  uint64_t s0 = S[0], s1 = S[1], r = s0 + s1; s1 ^= s0;
  S[0] = ((s0 << 24) | (s0 >> 40)) ^ s1 ^ (s1 << 16); S[1] = (s1 << 37) | (s1 >> 27); return r;
}
static inline uint32_t below(uint32_t n) { // Lemire, exactly uniform
  uint64_t m = (uint64_t)(uint32_t)(rng() >> 32) * n; uint32_t l = (uint32_t)m;
  if (__builtin_expect(l < n, 0)) { uint32_t t = (0u - n) % n; while (l < t) { m = (uint64_t)(uint32_t)(rng() >> 32) * n; l = (uint32_t)m; } }
  return m >> 32;
}
static inline uint64_t five(uint64_t x) { uint64_t y = x & (x >> 1), z = y & (y >> 2); return z & (x >> 4) & ~(x << 1) & ~(x >> 5); }
static int playout(int *win) {
  uint32_t l[2][6 * N]; memset(l, 0, sizeof l); uint16_t L[CELLS]; memcpy(L, iota, sizeof L);
  for (int n = CELLS, k = 0; n > 0; n--, k++) {
    int j = below(n), i = L[j]; L[j] = L[n - 1];
    const Cell *t = &T[i]; uint32_t *m = l[k & 1];
    uint64_t x = (uint64_t)(m[t->r] |= t->br) | (uint64_t)(m[t->c] |= t->bc) << 32;
    uint64_t y = (uint64_t)(m[t->d] |= t->bd) | (uint64_t)(m[t->a] |= t->ba) << 32;
    if (five(x) | five(y)) { *win = k & 1; return k + 1; }
  }
  *win = -1; return CELLS;
}
int main(int argc, char **argv) {
  double lim = argc > 3 ? atof(argv[3]) : 1, sq = 0, s;
  for (int i = 0; i < CELLS; i++) { int r = i / N, c = i % N, d = r - c + N - 1, a = r + c;
    iota[i] = i; T[i] = (Cell){r, N + c, 2 * N + d, 4 * N - 1 + a, 1u << c, 1u << r, 1u << (d < N ? r : c), 1u << (a < N ? r : N - 1 - c)}; }
  uint64_t n = 0, moves = 0, w1 = 0; clock_t t0 = clock();
  do { for (int q = 0; q < 1000; q++) { int w, l = playout(&w); n++; moves += l; sq += (double)l * l; w1 += w == 0; }
    s = (double)(clock() - t0) / CLOCKS_PER_SEC; } while (s < lim);
  double m = (double)moves / n;
  printf("C list exact=1 n=%llu cpu=%.2f po/s=%.0f moves/s=%.0f len=%.3f sd=%.2f p1=%.4f\n", (unsigned long long)n, s, n / s, moves / s, m, sqrt(sq / n - m * m), (double)w1 / n);
}
