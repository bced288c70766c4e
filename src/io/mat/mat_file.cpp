#include "io/mat/mat_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "io/files/formats.hpp"
#include "io/files/mapped_file.hpp"
#include "io/files/memory.hpp"
#include "io/hdf5/hdf5_catalog.hpp"
#include "io/mat/mat5_check.hpp"
#include "io/mat/mat_catalog.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"

namespace sunder {

namespace {

/// Replaces matio's default handler, which prints.
void silence_matio() {
  Mat_LogInitFunc("sunder", [](int, char*) {});
}

constexpr const char* damaged = "the file is damaged; copy or save it again";

}  // namespace

MatFile::MatFile(const std::filesystem::path& path, const std::string& variable)
    : name_(path.string()) {
  require_readable_file(path);
  require_no_driver(path);
  silence_matio();
  const Hdf5Silence silence("libmatio");
  file_.reset(Mat_Open(path.c_str(), MAT_ACC_RDONLY));
  if (!file_) fail(damaged);
  if (Mat_GetVersion(file_.get()) == MAT_FT_MAT5) require_sound_mat5(path);
  open_variable(variable);
  describe(static_cast<Index>(std::filesystem::file_size(path)));
}

void MatFile::fail(const std::string& what) const {
  throw InputError(fmt::format("cannot read {}: {}", name_, what));
}

std::string MatFile::format() const {
  return Mat_GetVersion(file_.get()) == MAT_FT_MAT73 ? "MATLAB 7.3" : "MATLAB 5";
}

void MatFile::open_variable(const std::string& variable) {
  const std::vector<MatEntry> entries = list_variables(*file_);
  std::string chosen = variable;
  if (variable.empty()) {
    const auto numeric = [](const MatEntry& entry) { return entry.type.has_value(); };
    const auto count = std::count_if(entries.begin(), entries.end(), numeric);
    if (count != 1) {
      fail(fmt::format("it holds {} numeric arrays; choose one with FILE:NAME ({})",
                       count == 0 ? "no" : "several", describe_entries(entries)));
    }
    chosen = std::find_if(entries.begin(), entries.end(), numeric)->name;
  }
  const bool known = std::any_of(entries.begin(), entries.end(),
                                 [&](const MatEntry& entry) { return entry.name == chosen; });
  if (!known) {
    fail(fmt::format("there is no variable '{}' ({})", chosen, describe_entries(entries)));
  }
  variable_.reset(Mat_VarReadInfo(file_.get(), chosen.c_str()));
  name_ += ":" + chosen;
  if (!variable_) fail(damaged);
}

void MatFile::describe(Index file_bytes) {
  const MatEntry entry = describe_variable(*variable_);
  if (!entry.type) {
    fail(
        fmt::format("its class is {}, which is not one of double, single, uint8, uint16, int16, "
                    "int32 and logical; convert it, with double(full(real(X))) for example, and "
                    "save it again",
                    entry.class_name));
  }
  type_ = *entry.type;
  if (entry.extents.empty()) fail(damaged);
  for (const Index extent : entry.extents) {
    if (extent > std::numeric_limits<int>::max()) {
      fail(
          fmt::format("a mode has {} indices, and MATLAB files are read up to 2^31 - 1; save it "
                      "as .npy or HDF5",
                      extent));
    }
  }
  try {
    shape_ = Shape(entry.extents);
  } catch (const InputError& error) {
    fail(error.what());
  }
  // Deflate compresses at most 1032 times, and each entry takes at least one byte.
  constexpr Index largest_ratio = 1032;
  if (Mat_GetVersion(file_.get()) == MAT_FT_MAT5 && shape_.entries() / largest_ratio > file_bytes) {
    fail(fmt::format("its shape {} cannot fit in a file of {} bytes; {}", to_string(shape_),
                     file_bytes, damaged));
  }
}

LoadedTensor MatFile::load() const {
  require_memory(shape_, type_, name_);
  const auto tensor = std::make_shared<DenseTensor>(shape_, type_, StorageOrder::fortran);
  if (shape_.entries() > 0) read_slab(0, shape_[shape_.order() - 1], tensor->data());
  return {tensor->view(), tensor};
}

LoadedTensor MatFile::load_slab(int mode, Index begin, Index end) const {
  if (!slices(mode)) return TensorFile::load_slab(mode, begin, end);
  const Shape shape = with_extent(shape_, mode, end - begin);
  require_memory(shape, type_, name_);
  const auto tensor = std::make_shared<DenseTensor>(shape, type_, StorageOrder::fortran);
  if (shape.entries() > 0) read_slab(begin, end - begin, tensor->data());
  return {tensor->view(), tensor};
}

void MatFile::scan(const std::function<Continue(const TensorView& slab)>& visit) const {
  if (shape_.entries() == 0) return;
  const int last = shape_.order() - 1;
  const Index length = slab_length(shape_, type_, last);
  require_memory(with_extent(shape_, last, length), type_, name_);
  for (Index begin = 0; begin < shape_[last]; begin += length) {
    const Index count = std::min(length, shape_[last] - begin);
    DenseTensor slab(with_extent(shape_, last, count), type_, StorageOrder::fortran);
    read_slab(begin, count, slab.data());
    if (visit(slab.view()) == Continue::cancel) return;
  }
}

// Each version uses the one of matio's two interfaces that is correct for it. By hyperslab, matio
// 1.5.23 misplaces entries of compressed version 5 arrays of order 4 and more, and seeks for every
// column; by linear position, it selects single points of a version 7.3 dataset.
void MatFile::read_slab(Index begin, Index count, void* out) const {
  silence_matio();
  const Hdf5Silence silence("libmatio");
  const bool read = Mat_GetVersion(file_.get()) == MAT_FT_MAT73 ? read_hyperslab(begin, count, out)
                                                                : read_linear(begin, count, out);
  if (!read) fail(damaged);
}

bool MatFile::read_hyperslab(Index begin, Index count, void* out) const {
  std::array<int, max_order> start{};
  std::array<int, max_order> stride{};
  std::array<int, max_order> edge{};
  stride.fill(1);
  std::transform(shape_.begin(), shape_.end(), edge.begin(),
                 [](Index extent) { return static_cast<int>(extent); });
  const auto last = static_cast<std::size_t>(shape_.order() - 1);
  start[last] = static_cast<int>(begin);
  edge[last] = static_cast<int>(count);
  return Mat_VarReadData(file_.get(), variable_.get(), out, start.data(), stride.data(),
                         edge.data()) == MATIO_E_NO_ERROR;
}

bool MatFile::read_linear(Index begin, Index count, void* out) const {
  if (shape_.entries() > std::numeric_limits<int>::max()) {
    fail("it has more than 2^31 - 1 entries; save it with -v7.3, or as .npy or HDF5");
  }
  const Index one = shape_.entries() / shape_[shape_.order() - 1];
  return Mat_VarReadDataLinear(file_.get(), variable_.get(), out, static_cast<int>(begin * one), 1,
                               static_cast<int>(count * one)) == MATIO_E_NO_ERROR;
}

std::unique_ptr<TensorFile> open_mat(const TensorLocation& location) {
  return std::make_unique<MatFile>(location.path, location.name);
}

}  // namespace sunder
