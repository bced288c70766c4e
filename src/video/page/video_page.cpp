#include "video/page/video_page.hpp"

#include <fmt/format.h>

#include "report/html.hpp"
#include "report/page.hpp"
#include "report/sections/section_data.hpp"

namespace sunder {

namespace {

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

ImagesData images_of(const FrameAlbum& album, Index frames) {
  ImageView view;
  const auto every = [&](Index count) {
    std::vector<Index> indices;
    for (Index k = 0; k < count; ++k) indices.push_back(k * album.step());
    return indices;
  };
  view.frames = {"frame", frames, {}};
  for (const FrameAlbum::Picture& picture : album.pictures())
    view.frames.indices.push_back(picture.number);
  view.rows = {"row", album.format().height, every(album.rows())};
  view.columns = {"column", album.format().width, every(album.columns())};
  const auto stack = [&](const char* name, Palette palette, double high, auto member) {
    ImageStack one;
    one.name = name;
    one.palette = palette;
    one.low = 0;
    one.high = high;
    for (const FrameAlbum::Picture& picture : album.pictures()) {
      const std::vector<float>& values = picture.*member;
      one.values.insert(one.values.end(), values.begin(), values.end());
    }
    return one;
  };
  view.stacks = {stack("frame", Palette::grey, 255, &FrameAlbum::Picture::frame),
                 stack("background", Palette::grey, 255, &FrameAlbum::Picture::background),
                 stack("objects", Palette::grey, 255, &FrameAlbum::Picture::frame),
                 stack("mask", Palette::heat, 1, &FrameAlbum::Picture::mask)};
  ImageStack& objects = view.stacks[2];
  for (std::size_t k = 0; k < objects.values.size(); ++k) {
    if (view.stacks[3].values[k] == 0) objects.values[k] = 0;
  }
  view.stacks[3].over = 0;
  if (album.step() > 1)
    view.note = fmt::format("One pixel of the pictures is {0} x {0} of the clip.", album.step());
  return {"", {view}, 0, "grey levels"};
}

}  // namespace

std::string render_video(const VideoPage& about, const FrameAlbum& album, const ActivityLog& log) {
  Page page("Moving objects");
  page.add_html(fmt::format("<h1>Moving objects</h1>\n<p>{}</p>\n<p><strong>{}</strong></p>\n",
                            html::escape(about.input), html::escape(about.verdict)));
  for (const std::string& warning : about.warnings) {
    page.add_html(fmt::format("<p class=\"note\">{}</p>\n", html::escape(warning)));
  }
  page.add_heading("Frames");
  page.add(images_of(album, about.frames), "Choose a frame by the slider or the arrow keys.");
  page.add_heading("Activity");
  page.add(curve(log.object_shares(), about.fps, "share of the pixels",
                 "Share of the pixels that are objects"),
           "Share of the pixels that belong to objects.");
  page.add_heading("Light");
  page.add(curve(log.gains(), about.fps, "gain", "Gain of each frame"),
           "Brightness of a frame over that of the background image.");
  return page.render();
}

}  // namespace sunder
