#include "sunder/video/video_job.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "python/bindings.hpp"
#include "python/progress.hpp"

namespace sunder::python {

namespace {

FrameOptions reading_of(const py::dict& given) {
  FrameOptions reading;
  reading.first = given["first"].cast<Index>();
  reading.last = given["last"].cast<Index>();
  reading.stride = given["stride"].cast<Index>();
  reading.scale = given["scale"].cast<double>();
  reading.grey = given["grey"].cast<bool>();
  reading.layout = given["layout"].cast<std::string>();
  reading.fps = given["fps"].cast<double>();
  return reading;
}

VideoJobOptions options_of(const py::dict& given) {
  VideoJobOptions options;
  options.reading = reading_of(given);
  options.model = given["model"].cast<std::string>();
  options.rank = given["rank"].cast<int>();
  options.seed = given["seed"].cast<std::uint64_t>();
  options.online = given["online"].cast<bool>();
  options.load_state = given["load_state"].cast<std::string>();
  options.save_state = given["save_state"].cast<std::string>();
  options.format = given["format"].cast<std::string>();
  options.background_format = given["background_format"].cast<std::string>();
  options.foreground_format = given["foreground_format"].cast<std::string>();
  options.mask_format = given["mask_format"].cast<std::string>();
  options.lossless = given["lossless"].cast<bool>();
  options.threads = given["threads"].cast<int>();
  options.force = given["force"].cast<bool>();
  return options;
}

/// (what was found in a sentence, the text of summary.json).
py::tuple segment(const std::string& clip, const std::string& folder, const py::dict& given,
                  const py::object& progress) {
  VideoJobOptions options = options_of(given);
  Watch watch(progress);
  options.progress = watch.callback();
  const VideoJobResult result = watch.run([&] { return run_video_job(clip, folder, options); });
  return py::make_tuple(result.verdict, result.summary_json);
}

}  // namespace

void bind_video_job(py::module_& module) {
  module.def("segment", &segment, py::arg("clip"), py::arg("folder"), py::arg("options"),
             py::arg("progress"));
}

}  // namespace sunder::python
