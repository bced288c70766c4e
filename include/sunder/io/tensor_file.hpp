#pragma once
/// Tensors in files, whatever the format.

#include <functional>
#include <memory>
#include <string>

#include "sunder/core/entry_reader.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// A tensor in memory (owned or mapped), kept alive as long as a copy of this exists.
struct LoadedTensor {
  TensorView view;
  std::shared_ptr<const void> owner;
};

/// A tensor in a file: opened and described, its entries not read yet.
class TensorFile {
 public:
  virtual ~TensorFile() = default;

  virtual std::string format() const = 0;  ///< "NumPy .npy 1.0", "MATLAB 5", "HDF5", "video (h264)"
  virtual Shape shape() const = 0;
  virtual ScalarType type() const = 0;
  virtual StorageOrder storage_order() const = 0;
  /// How the entries lie in the file, for people: "C order", "Fortran order"; "frames" for videos.
  virtual std::string layout() const {
    return storage_order() == StorageOrder::c ? "C order" : "Fortran order";
  }

  /// The whole tensor: mapped without a copy where the format allows it, read otherwise. Throws
  /// InputError if it cannot fit in memory.
  virtual LoadedTensor load() const = 0;

  /// Indices [begin, end) of one mode. Where slices(mode) holds only these are read; otherwise all
  /// is loaded first.
  virtual LoadedTensor load_slab(int mode, Index begin, Index end) const;
  virtual bool slices(int /*mode*/) const { return false; }

  /// The entries some at a time, for a tensor that does not fit in memory. Throws InputError for a
  /// format that is read as a whole only.
  virtual std::unique_ptr<EntryReader> reader() const;

  /// Whether the entries are truth values, which are read as 0 and 1 of type u8.
  virtual bool boolean() const { return false; }

  /// Every entry once, in slabs of bounded size along the slowest mode, in order. `visit` answers
  /// whether to go on; after `cancel` scan returns early.
  virtual void scan(const std::function<Continue(const TensorView& slab)>& visit) const = 0;
};

/// Opens by content and name: `.npy`; `.mat` (versions 5 and 7.3; `file.mat:name` chooses a
/// variable, which may be left out when there is only one numeric array); HDF5 as
/// `file.h5:/group/name` (likewise when there is only one dataset); videos. Throws InputError with
/// one clear sentence.
std::unique_ptr<TensorFile> open_tensor(const std::string& location);

/// What a raw file does not say about itself; its entries are in C order.
struct RawLayout {
  Shape shape;
  ScalarType type = ScalarType::f64;
};
/// A file of nothing but entries, in the byte order of the machine. Throws InputError unless it has
/// exactly their size.
std::unique_ptr<TensorFile> open_raw(const std::string& path, const RawLayout& layout);

}  // namespace sunder
