#include "cli/video/video_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/html.hpp"
#include "report/page.hpp"

namespace sunder::cli {

namespace {

constexpr Index longest_side = 200;  // of a picture
constexpr std::size_t most_pictures = 60;
constexpr std::size_t album_bytes = 2'600'000;  // before encoding; the page stays below 5 MB

std::vector<double> times(const ThinnedSeries& series, double fps) {
  std::vector<double> list;
  for (std::size_t k = 0; k < series.values().size(); ++k) {
    const auto frame = static_cast<double>(static_cast<Index>(k) * series.stride());
    list.push_back(fps > 0 ? frame / fps : frame);
  }
  return list;
}

CurvesData curve(const ThinnedSeries& series, double fps, const std::string& label,
                 const std::string& description) {
  Plot plot;
  plot.description = description;
  plot.x = {{.label = fps > 0 ? "seconds" : "frame"}};
  plot.y = {.label = label};
  Curve one;
  one.x = {times(series, fps)};
  one.y = series.values();
  plot.curves = {one};
  return {{}, {plot}};
}

}  // namespace

void ThinnedSeries::add(double value) {
  if (seen_++ % stride_ != 0) return;
  values_.push_back(value);
  if (values_.size() <= most_) return;
  for (std::size_t k = 0; 2 * k < values_.size(); ++k) values_[k] = values_[2 * k];
  values_.resize((values_.size() + 1) / 2);
  stride_ *= 2;
}

FrameAlbum::FrameAlbum(const FrameFormat& format)
    : format_(format),
      step_((std::max(format.height, format.width) + longest_side - 1) / longest_side),
      rows_(std::max<Index>(1, format.height / step_)),
      columns_(std::max<Index>(1, format.width / step_)),
      most_(std::clamp<std::size_t>(album_bytes / static_cast<std::size_t>(3 * rows_ * columns_), 8,
                                    most_pictures)) {}

bool FrameAlbum::wants(Index number) const { return number % stride_ == 0; }

std::vector<float> FrameAlbum::reduced(const Frame& frame) const {
  std::vector<float> small(static_cast<std::size_t>(rows_ * columns_), 0.0F);
  const double unit = 255 / format_.peak() / static_cast<double>(step_ * step_ * format_.channels);
  for (Index i = 0; i < rows_ * step_ && i < format_.height; ++i) {
    for (Index j = 0; j < columns_ * step_ && j < format_.width; ++j) {
      double sum = 0;
      for (Index c = 0; c < format_.channels; ++c) {
        const auto k = static_cast<std::size_t>((i * format_.width + j) * format_.channels + c);
        sum += format_.bits == 8 ? frame.codes8()[k] : frame.codes16()[k];
      }
      small[static_cast<std::size_t>(i / step_ * columns_ + j / step_)] +=
          static_cast<float>(unit * sum);
    }
  }
  return small;
}

void FrameAlbum::add(Index number, const Frame& frame, const Frame& background,
                     const std::vector<std::uint8_t>& mask) {
  Picture picture;
  picture.number = number;
  picture.frame = reduced(frame);
  picture.background = reduced(background);
  picture.mask.resize(picture.frame.size());
  for (Index i = 0; i < rows_; ++i) {
    for (Index j = 0; j < columns_; ++j) {
      const auto from = static_cast<std::size_t>((i * step_) * format_.width + j * step_);
      picture.mask[static_cast<std::size_t>(i * columns_ + j)] = mask[from] != 0 ? 1.0F : 0.0F;
    }
  }
  pictures_.push_back(std::move(picture));
  if (pictures_.size() <= most_) return;
  stride_ *= 2;
  std::erase_if(pictures_, [&](const Picture& one) { return one.number % stride_ != 0; });
}

ImagesData FrameAlbum::images(Index frames) const {
  ImageView view;
  const auto every = [&](Index count) {
    std::vector<Index> indices;
    for (Index k = 0; k < count; ++k) indices.push_back(k * step_);
    return indices;
  };
  view.frames = {"frame", frames, {}};
  for (const Picture& picture : pictures_) view.frames.indices.push_back(picture.number);
  view.rows = {"row", format_.height, every(rows_)};
  view.columns = {"column", format_.width, every(columns_)};
  const auto stack = [&](const char* name, Palette palette, double high, auto member) {
    ImageStack one;
    one.name = name;
    one.palette = palette;
    one.low = 0;
    one.high = high;
    for (const Picture& picture : pictures_) {
      const std::vector<float>& values = picture.*member;
      one.values.insert(one.values.end(), values.begin(), values.end());
    }
    return one;
  };
  view.stacks = {stack("frame", Palette::grey, 255, &Picture::frame),
                 stack("background", Palette::grey, 255, &Picture::background),
                 stack("objects", Palette::grey, 255, &Picture::frame),
                 stack("mask", Palette::heat, 1, &Picture::mask)};
  ImageStack& objects = view.stacks[2];
  for (std::size_t k = 0; k < objects.values.size(); ++k) {
    if (view.stacks[3].values[k] == 0) objects.values[k] = 0;
  }
  view.stacks[3].over = 0;
  if (step_ > 1)
    view.note = fmt::format("One pixel of the pictures is {0} x {0} of the clip.", step_);
  return {"", {view}, 0, "grey levels"};
}

std::string render_video(const VideoPage& about, const FrameAlbum& album,
                         const ThinnedSeries& activity, const ThinnedSeries& gains) {
  Page page("Moving objects");
  page.add_html(fmt::format("<h1>Moving objects</h1>\n<p>{}</p>\n<p><strong>{}</strong></p>\n",
                            html::escape(about.input), html::escape(about.verdict)));
  for (const std::string& warning : about.warnings) {
    page.add_html(fmt::format("<p class=\"note\">{}</p>\n", html::escape(warning)));
  }
  page.add_heading("Frames");
  page.add(album.images(about.frames), "Choose a frame by the slider or the arrow keys.");
  page.add_heading("Activity");
  page.add(
      curve(activity, about.fps, "share of the pixels", "Share of the pixels that are objects"),
      "Share of the pixels that belong to objects.");
  page.add_heading("Light");
  page.add(curve(gains, about.fps, "gain", "Gain of each frame"),
           "Brightness of a frame over that of the background image.");
  return page.render();
}

}  // namespace sunder::cli
