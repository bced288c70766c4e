#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cstring>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "sunder/core/error.hpp"
#include "sunder/video/background.hpp"

namespace sunder::python {

namespace {

using namespace py::literals;

/// Returns the shape of a frame as an array: height x width [x channels].
std::vector<Index> extents_of(const FrameFormat& format) {
  std::vector<Index> extents{format.height, format.width};
  if (format.channels > 1) extents.push_back(format.channels);
  return extents;
}

std::string text_of(const FrameFormat& format) {
  return fmt::format("{} of {}", to_string(Shape(extents_of(format))),
                     format.bits == 8 ? "uint8" : "uint16");
}

FrameFormat format_of(const py::array& frame) {
  const TensorView view = view_of(frame);
  const bool grey = view.order() == 2;
  if (!grey && !(view.order() == 3 && view.shape()[2] == 3)) {
    throw InputError(
        fmt::format("a frame is height x width, or height x width x 3, but this one has shape {}",
                    to_string(view.shape())));
  }
  if (view.type() != ScalarType::u8 && view.type() != ScalarType::u16) {
    throw InputError(
        fmt::format("a frame is of uint8 or uint16, but this one of {}", to_string(view.type())));
  }
  FrameFormat format;
  format.height = view.shape()[0];
  format.width = view.shape()[1];
  format.channels = grey ? 1 : 3;
  format.bits = view.type() == ScalarType::u8 ? 8 : 16;
  if (format.pixels() == 0) throw InputError("the frame has no pixels");
  return format;
}

Frame frame_of(const py::array& array) {
  const py::array frame = py::array::ensure(array, py::array::c_style);
  Frame result;
  result.bytes.resize(frame.nbytes());
  std::memcpy(result.bytes.data(), frame.data(), result.bytes.size());
  return result;
}

py::array array_of_bytes(const FrameFormat& format, const std::vector<Index>& extents,
                         const std::vector<std::uint8_t>& bytes) {
  const py::dtype type =
      format.bits == 8 ? py::dtype::of<std::uint8_t>() : py::dtype::of<std::uint16_t>();
  return {type, std::vector<py::ssize_t>(extents.begin(), extents.end()), bytes.data()};
}

/// A stream that starts with its first frame, which determines the format.
class Background {
 public:
  explicit Background(const py::dict& given) {
    options_.interval = given["interval"].cast<double>();
    options_.least_noise = given["least_noise"].cast<double>();
    options_.most_noise = given["most_noise"].cast<double>();
    options_.saturation = given["saturation"].cast<double>();
    options_.threshold = given["threshold"].cast<double>();
    options_.smallest_object = given["smallest_object"].cast<double>();
    options_.largest_hole = given["largest_hole"].cast<double>();
    options_.warm_up = given["warm_up"].cast<int>();
    options_.memory = given["memory"].cast<int>();
    options_.threads = given["threads"].cast<int>();
    options_.alignment = given["align"].cast<bool>() ? Alignment::automatic : Alignment::off;
  }

  py::list push(const py::array& array) {
    const FrameFormat format = format_of(array);
    if (!stream_) stream_.emplace(format, options_);
    if (!(format == stream_->format())) {
      throw InputError(fmt::format("frames before were {}, but this one is {}: give frames alike",
                                   text_of(stream_->format()), text_of(format)));
    }
    Frame frame = frame_of(array);
    std::vector<JudgedFrame> judged;
    {
      const py::gil_scoped_release release;
      judged = stream_->push(std::move(frame));
    }
    return decided(judged);
  }

  py::list finish() { return stream_ ? decided(stream_->finish()) : py::list(); }
  Index frames_seen() const { return stream_ ? stream_->frames_seen() : 0; }
  bool warming_up() const { return !stream_ || stream_->warming_up(); }

  void save(const std::string& path) const {
    if (!stream_) throw InputError("there is nothing to save: push a frame first");
    stream_->save(path);
  }
  void load(const std::string& path) {
    stream_.emplace(BackgroundStream::load(path, options_.threads));
  }

 private:
  py::list decided(const std::vector<JudgedFrame>& judged) const {
    const FrameFormat& format = stream_->format();
    const FrameFormat grey8{format.height, format.width, 1, 8, 0, 1};
    py::list list;
    for (const auto& [frame, decision] : judged) {
      list.append(py::dict("mask"_a = array_of_bytes(grey8, extents_of(grey8), decision.mask),
                           "background"_a = array_of_bytes(format, extents_of(format),
                                                           stream_->background(decision).bytes),
                           "gain"_a = decision.gain, "object_share"_a = decision.object_share,
                           "shift"_a = py::make_tuple(decision.shift.y, decision.shift.x)));
    }
    return list;
  }

  BackgroundOptions options_;
  std::optional<BackgroundStream> stream_;
};

}  // namespace

void bind_video(py::module_& module) {
  py::class_<Background>(module, "Background")
      .def(py::init<const py::dict&>())
      .def("push", &Background::push)
      .def("finish", &Background::finish)
      .def_property_readonly("frames_seen", &Background::frames_seen)
      .def_property_readonly("warming_up", &Background::warming_up)
      .def("save", &Background::save)
      .def("load", &Background::load);
}

}  // namespace sunder::python
