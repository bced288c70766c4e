#include "video/frames/stream_input.hpp"

#include <fmt/format.h>

#include "sunder/core/error.hpp"

#ifdef SUNDER_HAS_LIBAVDEVICE
extern "C" {
#include <libavdevice/avdevice.h>
}
#include "io/files/delayed_library.hpp"
#endif

namespace sunder {

VideoInput network_input(const std::string& address) {
  VideoInput input;
  input.name = address;
  input.url = address;
  // Nothing that reads local files: a playlist from the network must not name them.
  input.protocols =
      "http,https,httpproxy,hls,crypto,data,tcp,tls,udp,udplite,rtp,srtp,rtmp,rtmps,rtmpt,rtmpts,"
      "ffrtmphttp,mmsh,mmst,ftp,sftp,srt,rist,sctp";
  input.live = true;
  return input;
}

#ifdef SUNDER_HAS_LIBAVDEVICE
namespace {
constexpr DelayedLibrary avdevice_library("libavdevice.so." AV_STRINGIFY(LIBAVDEVICE_VERSION_MAJOR),
                                          "cameras");
SUNDER_DELAYED(avdevice_library, avdevice_register_all);
}  // namespace

VideoInput camera_input(const std::filesystem::path& device, const FrameOptions& options) {
  avdevice_register_all();
  VideoInput input;
  input.name = device.string();
  input.url = input.name;
  input.format = "v4l2";
  input.live = true;
  if (options.raw_width > 0 && options.raw_height > 0) {
    input.options["video_size"] = fmt::format("{}x{}", options.raw_width, options.raw_height);
  }
  if (options.fps > 0) input.options["framerate"] = fmt::format("{}", options.fps);
  return input;
}
#else
VideoInput camera_input(const std::filesystem::path& device, const FrameOptions&) {
  throw InputError(fmt::format(
      "cannot read the camera {}: sunder was built without libavdevice; build it with that "
      "library, or pipe raw frames into standard input",
      device.string()));
}
#endif

}  // namespace sunder
