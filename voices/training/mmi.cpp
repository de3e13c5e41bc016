// Forward-backward over graphs of words: how likely each output is at each time, given a graph.
//
// A state is one phone. It is entered from one place only, another state or a hub (-1 - hub), stays as long
// as it likes, and may leave for a hub. Its first frame has another output than those after it.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace {

struct Graph {
  int states, hubs, end;
  const int *from, *first, *later, *leaves_for;
  const float *enter, *leave;
};

// Likelihoods are kept in proportion: each frame's sum is 1, and the logarithms of the sums are added up.
// Adds `sign` times the share of each output in each frame to `shares`; returns the log likelihood.
double forward_backward(int frames, int outputs, const float *y, const Graph &g, float sign, float *shares) {
  const int S = g.states, H = g.hubs;
  std::vector<double> alpha(size_t(frames + 1) * S, 0.0), hub(size_t(frames + 1) * H, 0.0), scale(frames + 1, 1.0);
  std::vector<float> likely(size_t(frames) * outputs);
  double total_log = 0;
  for (int t = 0; t < frames; t++) {
    const float *row = y + size_t(t) * outputs;
    const float top = *std::max_element(row, row + outputs);
    total_log += top;
    for (int o = 0; o < outputs; o++) likely[size_t(t) * outputs + o] = std::exp(std::max(row[o] - top, -60.0f));
  }
  hub[0] = 1;
  for (int t = 1; t <= frames; t++) {
    const float *e = &likely[size_t(t - 1) * outputs];
    const double *before = &alpha[size_t(t - 1) * S], *hub_before = &hub[size_t(t - 1) * H];
    double *now = &alpha[size_t(t) * S], *hub_now = &hub[size_t(t) * H], sum = 0;
    for (int s = 0; s < S; s++) {
      const double in = g.from[s] >= 0 ? before[g.from[s]] : hub_before[-1 - g.from[s]];
      now[s] = in * g.enter[s] * e[g.first[s]] + before[s] * e[g.later[s]];
      sum += now[s];
    }
    if (!(sum > 0)) return -INFINITY;
    scale[t] = 1 / sum;
    total_log += std::log(sum);
    for (int s = 0; s < S; s++) {
      now[s] *= scale[t];
      if (g.leaves_for[s] >= 0) hub_now[g.leaves_for[s]] += now[s] * g.leave[s];
    }
  }
  const double at_end = hub[size_t(frames) * H + g.end];
  if (!(at_end > 1e-200)) return -INFINITY;
  std::vector<double> beta(S, 0.0), next(S), hub_beta(H);
  for (int s = 0; s < S; s++) beta[s] = g.leaves_for[s] == g.end ? g.leave[s] / at_end : 0;
  for (int t = frames; t >= 1; t--) {
    const float *e = &likely[size_t(t - 1) * outputs];
    const double *before = &alpha[size_t(t - 1) * S], *hub_before = &hub[size_t(t - 1) * H];
    float *row = shares + size_t(t - 1) * outputs;
    std::fill(next.begin(), next.end(), 0.0);
    std::fill(hub_beta.begin(), hub_beta.end(), 0.0);
    for (int s = 0; s < S; s++) {
      if (beta[s] == 0) continue;
      const double enters = g.enter[s] * e[g.first[s]] * beta[s] * scale[t];
      const double stays = e[g.later[s]] * beta[s] * scale[t];
      double in;
      if (g.from[s] >= 0) {
        in = before[g.from[s]];
        next[g.from[s]] += enters;
      } else {
        in = hub_before[-1 - g.from[s]];
        hub_beta[-1 - g.from[s]] += enters;
      }
      next[s] += stays;
      row[g.first[s]] += sign * float(in * enters);
      row[g.later[s]] += sign * float(before[s] * stays);
    }
    for (int s = 0; s < S; s++)
      if (g.leaves_for[s] >= 0) next[s] += g.leave[s] * hub_beta[g.leaves_for[s]];
    beta.swap(next);
  }
  return total_log + std::log(at_end);
}

} // namespace

extern "C" {

// Of each utterance: its graph (what was said) against another (what might be said). All arrays of all graphs
// stand one after the other; `sizes` has states, hubs and end of each; `begins` where its states begin.
// `slope` gets the difference of the shares, `said` and `sayable` the log likelihoods.
void compare(int utterances, int longest, int outputs, const float *y, const int *frames, const int *which_said,
             const int *which_sayable, const int *sizes, const int *begins, const int *from, const int *first,
             const int *later, const int *leaves_for, const float *enter, const float *leave, float *slope,
             double *said, double *sayable) {
#pragma omp parallel for schedule(dynamic, 1)
  for (int n = 0; n < utterances; n++) {
    auto graph = [&](int k) {
      const int b = begins[k];
      return Graph{sizes[3 * k], sizes[3 * k + 1], sizes[3 * k + 2], from + b, first + b, later + b,
                   leaves_for + b, enter + b, leave + b};
    };
    const size_t at = size_t(n) * longest * outputs;
    said[n] = forward_backward(frames[n], outputs, y + at, graph(which_said[n]), 1, slope + at);
    sayable[n] = std::isfinite(said[n])
                     ? forward_backward(frames[n], outputs, y + at, graph(which_sayable[n]), -1, slope + at)
                     : said[n];
    if (!std::isfinite(said[n]) || !std::isfinite(sayable[n]))
      std::memset(slope + at, 0, sizeof(float) * size_t(frames[n]) * outputs);
  }
}
}
