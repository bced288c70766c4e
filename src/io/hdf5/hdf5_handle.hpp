#pragma once
/// Ownership of HDF5 identifiers, and error messages of the library.

#include <hdf5.h>

#include <string>
#include <utility>

#include "io/files/foreign_code.hpp"

namespace sunder {

/// While an object lives, HDF5 prints no errors; afterwards the caller's own handler is restored.
class Hdf5Silence {
 public:
  explicit Hdf5Silence(const char* library = "libhdf5") : at_work_(library) {
    H5Eget_auto2(H5E_DEFAULT, &handler_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Hdf5Silence() { H5Eset_auto2(H5E_DEFAULT, handler_, data_); }
  Hdf5Silence(const Hdf5Silence&) = delete;
  Hdf5Silence& operator=(const Hdf5Silence&) = delete;

 private:
  ForeignCode at_work_;
  H5E_auto2_t handler_ = nullptr;
  void* data_ = nullptr;
};

/// An identifier of the library, released at the end of its scope.
class Hdf5Handle {
 public:
  Hdf5Handle() = default;
  explicit Hdf5Handle(hid_t id) : id_(id) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)) {}
  Hdf5Handle& operator=(Hdf5Handle&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Hdf5Handle() {
    if (id_ >= 0) H5Idec_ref(id_);
  }
  Hdf5Handle(const Hdf5Handle&) = delete;
  Hdf5Handle& operator=(const Hdf5Handle&) = delete;

  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  hid_t id_ = H5I_INVALID_HID;
};

/// Returns the innermost reason of the library's latest failure.
std::string hdf5_reason();

}  // namespace sunder
