#include "channel_bins.h"
#include "stranger.h"

static void once(Draw &d) {
  const uint64_t rows = d.size(60), columns = d.size(60), channels = d.size(5);
  std::vector<unsigned> image(rows * columns * channels), bins(channels * 64);
  for (unsigned &x : image) x = (unsigned)d.bits();
  for (unsigned &x : bins) x = (unsigned)(d.bits() % 9);
  std::vector<unsigned> want = bins;
  call(channel_bins_int, channel_bins_workspace_init, image.data(), rows, columns, channels, columns * channels, channels,
       bins.data(), 64, 64);
  for (uint64_t i = 0; i < image.size(); i++) want[i % channels * 64 + image[i] % 64]++;
  for (uint64_t i = 0; i < bins.size(); i++) agree("bins", i, bins[i], want[i]);
}
