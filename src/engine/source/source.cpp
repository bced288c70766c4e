#include "engine/source/source.hpp"

#include <algorithm>

namespace sunder {

void MemorySource::read_at(std::span<const Index> offsets, std::span<double> out) {
  with_scalar_type(tensor_.type(), [&]<class T>() {
    const T* entries = tensor_.typed<T>();
    std::transform(offsets.begin(), offsets.end(), out.begin(),
                   [&](Index offset) { return static_cast<double>(entries[offset]); });
  });
}

}  // namespace sunder
