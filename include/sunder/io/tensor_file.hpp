#pragma once
/// Tensors in files, independent of the format.

#include <functional>
#include <memory>
#include <string>

#include "sunder/core/entry_reader.hpp"
#include "sunder/core/progress.hpp"
#include "sunder/core/tensor_view.hpp"

namespace sunder {

/// A tensor in memory (owned or mapped), which stays alive as long as a copy of this exists.
struct LoadedTensor {
  TensorView view;
  std::shared_ptr<const void> owner;
};

/// A tensor in a file that is open and described, but whose entries are not read yet.
class TensorFile {
 public:
  virtual ~TensorFile() = default;

  virtual std::string format() const = 0;  ///< "NumPy .npy 1.0", "MATLAB 5", "HDF5", "video (h264)"
  virtual Shape shape() const = 0;
  virtual ScalarType type() const = 0;
  virtual StorageOrder storage_order() const = 0;
  /// Describes the layout for people: "C order" or "Fortran order"; "frames" for videos.
  virtual std::string layout() const {
    return storage_order() == StorageOrder::c ? "C order" : "Fortran order";
  }

  /// Returns the whole tensor, mapped without a copy if the format allows it and read otherwise.
  /// Throws InputError if it does not fit in memory.
  virtual LoadedTensor load() const = 0;

  /// Returns the indices [begin, end) of one mode. If slices(mode) is true, only those are read;
  /// otherwise the whole tensor is loaded first.
  virtual LoadedTensor load_slab(int mode, Index begin, Index end) const;
  virtual bool slices(int /*mode*/) const { return false; }

  /// Returns a reader for ranges of entries, for a tensor that does not fit in memory. Throws
  /// InputError for a format that can only be read as a whole.
  virtual std::unique_ptr<EntryReader> reader() const;

  /// Returns true if the entries are booleans, which are read as 0 and 1 of type u8.
  virtual bool boolean() const { return false; }

  /// Visits every entry once, in slabs of bounded size along the slowest mode, in order. If `visit`
  /// returns `cancel`, scan() returns early.
  virtual void scan(const std::function<Continue(const TensorView& slab)>& visit) const = 0;
};

/// Opens a file by content and name: `.npy`; `.mat` (versions 5 and 7.3; `file.mat:name` selects a
/// variable, which may be omitted if there is only one numeric array); HDF5 as
/// `file.h5:/group/name` (the same holds if there is only one dataset); videos. Throws InputError
/// with one clear sentence.
std::unique_ptr<TensorFile> open_tensor(const std::string& location);

/// The shape and type of a raw file, which does not contain them; its entries are in C order.
struct RawLayout {
  Shape shape;
  ScalarType type = ScalarType::f64;
};
/// Opens a file that contains only entries, in the byte order of the machine. Throws InputError
/// unless the file has exactly their size.
std::unique_ptr<TensorFile> open_raw(const std::string& path, const RawLayout& layout);

}  // namespace sunder
