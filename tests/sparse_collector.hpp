#pragma once
/// A receiver that keeps S.

#include <span>
#include <vector>

#include "sunder/core/sparse_receiver.hpp"

namespace sunder::test {

/// Forgets what came before S began anew.
class Collector final : public SparseReceiver {
 public:
  void begin(const Shape&, bool in_order) override {
    promised = in_order;
    positions.clear();
    values.clear();
  }
  void add(std::span<const Index> p, std::span<const double> v) override {
    positions.insert(positions.end(), p.begin(), p.end());
    values.insert(values.end(), v.begin(), v.end());
  }
  bool promised = false;
  std::vector<Index> positions;
  std::vector<double> values;
};

}  // namespace sunder::test
