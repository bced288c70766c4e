#include "io/video/video_decoder.hpp"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <thread>

#include "io/expect_error.hpp"
#include "io/temporary_folder.hpp"
#include "io/video/video_file.hpp"
#include "io/write_video.hpp"
#include "sunder/core/error.hpp"
#include "video/clip.hpp"

namespace sunder {
namespace {

using testing::all_frames;
using testing::clip_format;
using ::testing::Contains;
using testing::expect_clip;
using testing::expect_error;
using ::testing::HasSubstr;
using testing::read_bytes;
using testing::TemporaryFolder;
using testing::write_bytes;

/// Whatever comes before the cut is delivered, exactly.
TEST(VideoDecoder, CutOffFilesGiveWhatTheyHold) {
  const TemporaryFolder folder;
  const FrameFormat format = clip_format(48, 64);
  for (const std::string name : {"a.avi", "a.mkv"}) {
    testing::write_clip(folder / name, format, 40, testing::lossless());
    const std::string whole = read_bytes(folder / name);
    for (const double part : {0.3, 0.5, 0.8}) {
      SCOPED_TRACE(name + " " + std::to_string(part));
      const auto length = static_cast<std::size_t>(part * static_cast<double>(whole.size()));
      write_bytes(folder / ("cut_" + name), whole.substr(0, length));
      const auto source = open_frames((folder / ("cut_" + name)).string(), {});
      const std::vector<Frame> frames = all_frames(*source);
      const auto count = std::ssize(frames);
      // An AVI file has a header of the size of some frames.
      EXPECT_GE(count, static_cast<Index>(40 * part) - 9);
      EXPECT_LT(count, 40);
      expect_clip(frames, format, count);
      const std::string end = "after frame " + std::to_string(count - 1);
      EXPECT_THAT(source->warnings(), Contains(HasSubstr(end)));
      // A tensor needs every frame: what is a warning here is an error there.
      expect_error<InputError>([&] { VideoFile(folder / ("cut_" + name)).load(); },
                               {source->warnings().front()});
    }
  }
}

/// The mp4 files of other programs have one table of contents, at their end; ours come in fragments
/// that have their own.
TEST(VideoDecoder, AFileWithoutItsTableIsRefused) {
  const TemporaryFolder folder;
  testing::write_clip(folder / "a.mp4", clip_format(48, 64), 20, testing::lossless());
  std::string bytes = read_bytes(folder / "a.mp4");
  const std::size_t table = bytes.find("moov");
  ASSERT_NE(table, std::string::npos);
  bytes.replace(table, 4, "free");
  write_bytes(folder / "b.mp4", bytes);
  expect_error<InputError>([&] { open_frames((folder / "b.mp4").string(), {}); }, {"b.mp4"});
}

/// One byte of a frame in the middle: it is left out, those around it are exact.
TEST(VideoDecoder, ADamagedFrameIsLeftOut) {
  const TemporaryFolder folder;
  const FrameFormat format = clip_format(48, 64);
  for (const std::string name : {"a.avi", "a.mkv"}) {
    SCOPED_TRACE(name);
    testing::write_clip(folder / name, format, 20, testing::lossless());
    std::string bytes = read_bytes(folder / name);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x3c);
    write_bytes(folder / name, bytes);
    const auto source = open_frames((folder / name).string(), {});
    const std::vector<Frame> frames = all_frames(*source);
    ASSERT_EQ(frames.size(), 19U);
    Index lost = 0;
    while (lost < 19 && testing::distance(frames[lost], format, lost) == 0) ++lost;
    EXPECT_LT(lost, 19);
    for (Index k = lost; k < 19; ++k) {
      EXPECT_EQ(testing::distance(frames[k], format, k + 1), 0);
    }
    const std::string damage = "frame " + std::to_string(lost) + " is damaged";
    EXPECT_THAT(source->warnings(), ::testing::ElementsAre(HasSubstr(damage)));
    expect_error<InputError>([&] { VideoFile(folder / name).load(); }, {name, damage});
  }
}

/// Noise over H.264: never an exception, and some frames come.
TEST(VideoDecoder, NoiseDoesNotStopDecoding) {
  const TemporaryFolder folder;
  testing::write_clip(folder / "a.mp4", clip_format(64, 96, 3), 60);
  const std::string whole = read_bytes(folder / "a.mp4");
  for (unsigned seed = 1; seed <= 10; ++seed) {
    std::string bytes = whole;
    unsigned state = seed;
    for (int k = 0; k < 40; ++k) {
      state = state * 1664525U + 1013904223U;
      bytes[bytes.size() / 4 + state % (bytes.size() / 2)] = static_cast<char>(state >> 24);
    }
    write_bytes(folder / "b.mp4", bytes);
    const auto source = open_frames((folder / "b.mp4").string(), {});
    const std::size_t frames = all_frames(*source).size();
    EXPECT_GE(frames, 5U) << seed;
    EXPECT_LE(frames, 60U) << seed;
    EXPECT_EQ(frames < 60, !source->warnings().empty()) << seed;
  }
}

/// A WAV file: 8000 samples of silence.
TEST(VideoDecoder, SoundAloneIsNoVideo) {
  const TemporaryFolder folder;
  std::string wav = "RIFF";
  const auto number = [&](unsigned value, int bytes) {
    for (int k = 0; k < bytes; ++k) wav += static_cast<char>(value >> (8 * k) & 0xff);
  };
  number(36 + 16000, 4);
  wav += "WAVEfmt ";
  number(16, 4), number(1, 2), number(1, 2), number(8000, 4), number(16000, 4), number(2, 2);
  number(16, 2);
  wav += "data";
  number(16000, 4);
  write_bytes(folder / "a.wav", wav + std::string(16000, '\0'));
  expect_error<InputError>([&] { open_frames((folder / "a.wav").string(), {}); },
                           {"a.wav", "there is no video in it"});
}

/// The rate in the header of an AVI file, made nonsense.
TEST(VideoDecoder, AnAbsurdRateIsUnknown) {
  const TemporaryFolder folder;
  testing::write_video(folder / "a.avi", {AV_CODEC_ID_RAWVIDEO, AV_PIX_FMT_BGR24, 8, 6, 5});
  std::string bytes = read_bytes(folder / "a.avi");
  const std::size_t stream = bytes.find("strh");
  for (const auto& [scale, rate] : std::vector<std::pair<char, std::string>>{
           {1, std::string("\xff\xff\xff\x7f", 4)}, {1, std::string("\x90\x5f\x01\x00", 4)}}) {
    std::string changed = bytes;
    changed.replace(stream + 8 + 20, 8, std::string(1, scale) + std::string(3, '\0') + rate);
    write_bytes(folder / "b.avi", changed);
    const auto source = open_frames((folder / "b.avi").string(), {});
    EXPECT_EQ(source->frames_per_second(), 0);
    EXPECT_EQ(all_frames(*source).size(), 5U);
  }
}

TEST(VideoDecoder, StopEndsTheClip) {
  const TemporaryFolder folder;
  testing::write_clip(folder / "a.mkv", clip_format(16, 16), 30, testing::lossless());
  bool stopped = false;
  FrameOptions options;
  options.stop = [&] { return stopped; };
  const auto source = open_frames((folder / "a.mkv").string(), options);
  Frame frame;
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(source->next(frame));
  stopped = true;
  EXPECT_LE(all_frames(*source).size(), 2U);
  EXPECT_TRUE(source->warnings().empty());
  EXPECT_THROW(open_frames((folder / "a.mkv").string(), options), Cancelled);
}

/// Sends some bytes over HTTP to everyone who asks, then closes or stays silent.
class Server {
 public:
  Server(std::string body, bool silent) : body_(std::move(body)), silent_(silent) {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), length), 0);
    EXPECT_EQ(::listen(listener_, 8), 0);
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~Server() {
    ending_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
    for (const int open : silent_connections_) ::close(open);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  std::string address(const std::string& name) const {
    return "http://127.0.0.1:" + std::to_string(port_) + "/" + name;
  }

 private:
  void serve() {
    while (!ending_) {
      const int connection = ::accept(listener_, nullptr, nullptr);
      if (connection < 0) continue;
      std::string request(4096, '\0');
      ::recv(connection, request.data(), request.size(), 0);
      const std::string answer =
          "HTTP/1.0 200 OK\r\nContent-Type: video/x-matroska\r\n\r\n" + body_;
      ::send(connection, answer.data(), answer.size(), MSG_NOSIGNAL);
      if (silent_) {
        silent_connections_.push_back(connection);
      } else {
        ::close(connection);
      }
    }
  }

  std::string body_;
  bool silent_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> ending_ = false;
  std::vector<int> silent_connections_;
  std::thread thread_;
};

TEST(VideoDecoder, OverTheNetwork) {
  const TemporaryFolder folder;
  const FrameFormat format = clip_format(48, 64);
  testing::write_clip(folder / "a.mkv", format, 30, testing::lossless());
  const Server server(read_bytes(folder / "a.mkv"), false);
  FrameOptions options;
  options.timeout_seconds = 0.4;
  const auto source = open_frames(server.address("a.mkv"), options);
  // Slow work of the caller is no silence of the source.
  std::this_thread::sleep_for(std::chrono::milliseconds(600));
  expect_clip(all_frames(*source), format, 30);
  EXPECT_FALSE(source->rewind());
}

TEST(VideoDecoder, AStreamThatFallsSilentEndsTheClip) {
  const TemporaryFolder folder;
  const FrameFormat format = clip_format(200, 300);
  testing::write_clip(folder / "a.mkv", format, 60, testing::lossless());
  const std::string whole = read_bytes(folder / "a.mkv");
  const Server server(whole.substr(0, whole.size() / 2), true);
  FrameOptions options;
  options.timeout_seconds = 0.7;
  const auto source = open_frames(server.address("a.mkv"), options);
  const std::vector<Frame> frames = all_frames(*source);
  EXPECT_GE(frames.size(), 20U);
  EXPECT_LT(frames.size(), 60U);
  expect_clip(frames, format, std::ssize(frames));
  EXPECT_THAT(source->warnings(), Contains(HasSubstr("nothing came for 0.7 s")));
}

TEST(VideoDecoder, AnAddressThatDoesNotAnswer) {
  const Server server("", true);
  FrameOptions options;
  options.timeout_seconds = 0.5;
  expect_error<InputError>([&] { open_frames(server.address("a.mkv"), options); },
                           {"nothing came for 0.5 s"});
  int questions = 0;
  options.timeout_seconds = 60;
  options.stop = [&] { return ++questions > 3; };
  EXPECT_THROW(open_frames(server.address("a.mkv"), options), Cancelled);
}

/// A playlist from the network must not name files of this machine.
TEST(VideoDecoder, TheNetworkDoesNotReadFiles) {
  const TemporaryFolder folder;
  testing::write_clip(folder / "a.mkv", clip_format(16, 16), 5, testing::lossless());
  const Server server("#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile://" +
                          (folder / "a.mkv").string() + "\n#EXT-X-ENDLIST\n",
                      false);
  FrameOptions options;
  options.timeout_seconds = 3;
  EXPECT_THROW(open_frames(server.address("a.m3u8"), options), InputError);
}

}  // namespace
}  // namespace sunder
