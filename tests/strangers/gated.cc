#include "gated.h"
#include "stranger.h"

static void once(Draw &d) {
  Matrix<float> gate(d, d.size(40), d.length(900)), x(d, gate.rows, gate.columns), h = x;
  for (float &g : gate.at) g = fabsf(g) / 8;
  const Matrix<float> before = h;
  call(gated_float, gated_workspace_init, gate.at.data(), gate.rows, gate.columns, gate.leading, x.at.data(), x.leading,
       h.at.data(), h.leading);
  for (uint64_t r = 0; r < x.rows; r++) {
    double state = 0;
    for (uint64_t t = 0; t < x.columns; t++) {
      state = gate(r, t) * state + (1 - gate(r, t)) * x(r, t);
      agree("h", r * x.columns + t, h(r, t), state, 16);
    }
  }
  intact("between the rows of h", h, before);
}
