#include "io/video/ffv1_check.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "io/temporary_folder.hpp"
#include "io/video/libav.hpp"
#include "io/write_video.hpp"
#include "video/clip.hpp"

namespace sunder {
namespace {

using testing::TemporaryFolder;
using Packet = std::vector<std::uint8_t>;

std::vector<Packet> packets_of(const std::filesystem::path& path) {
  AVFormatContext* context = nullptr;
  EXPECT_GE(avformat_open_input(&context, path.c_str(), nullptr, nullptr), 0);
  const LibavOwned<AVFormatContext> container(context);
  const LibavOwned<AVPacket> packet = new_packet();
  std::vector<Packet> packets;
  while (av_read_frame(context, packet.get()) >= 0) {
    packets.emplace_back(packet->data, packet->data + packet->size);
    av_packet_unref(packet.get());
  }
  return packets;
}

TEST(Ffv1Check, EveryByteCounts) {
  const TemporaryFolder folder;
  WriteOptions lossless;
  lossless.lossless = true;
  testing::write_clip(folder / "a.mkv", testing::clip_format(20, 30), 3, lossless);
  const std::vector<Packet> packets = packets_of(folder / "a.mkv");
  ASSERT_EQ(packets.size(), 3U);
  Ffv1Check check;
  for (const Packet& packet : packets) EXPECT_FALSE(check.damaged(packet));
  for (std::size_t p = 0; p < packets[1].size(); ++p) {
    Packet changed = packets[1];
    changed[p] ^= 0x10;
    EXPECT_TRUE(check.damaged(changed)) << p;
  }
  EXPECT_TRUE(check.damaged(std::span(packets[1]).first(packets[1].size() - 1)));
}

/// Version 1, which a small picture gets by default, has no sums.
TEST(Ffv1Check, StreamsWithoutSumsAreNotJudged) {
  const TemporaryFolder folder;
  testing::write_video(folder / "a.mkv", {AV_CODEC_ID_FFV1, AV_PIX_FMT_GRAY8, 20, 30, 3});
  Ffv1Check check;
  for (const Packet& packet : packets_of(folder / "a.mkv")) EXPECT_FALSE(check.damaged(packet));
}

}  // namespace
}  // namespace sunder
