#include "job/stream_log.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/statistics.hpp"

namespace sunder {

namespace {

using Json = nlohmann::ordered_json;

/// One index of the last mode of a model.
CpModel last_mode_slice(const CpModel& model, Index at) {
  const std::vector<Matrix> factors(model.factors().begin(), model.factors().end() - 1);
  return {model.weights().cwiseProduct(model.factors().back().row(at).transpose()), factors};
}

/// There is no model yet, or none any more: nothing is known of L.
bool undecided(const SliceDecision& decision) { return decision.warming_up || decision.relearning; }

}  // namespace

StreamLog::StreamLog(const Shape& shape, int rank, Index first, const CpModel* truth)
    : shape_(shape), rank_(rank), first_(first), truth_(truth) {}

void StreamLog::add(const RobustCpStream& stream, const SliceDecision& decision) {
  decisions_.emplace_back();
  errors_.push_back(-1);
  for (const SliceDecision& late : stream.late_decisions()) {
    if (late.slice >= first_) take(stream, late);  // the others belong to an earlier run
  }
  take(stream, decision);
  if (decision.subspace_changed) changes_.push_back({decision.slice, decision.changed_at});
}

void StreamLog::take(const RobustCpStream& stream, const SliceDecision& decision) {
  const Index at = decision.slice - first_;
  decisions_[at] = decision;
  if (truth_ == nullptr || undecided(decision)) return;
  const CpModel truth = last_mode_slice(*truth_, at);
  const double size = truth.norm();
  const CpModel found = decision.explained ? stream.slice_model(decision.slice)
                                           : CpModel(decision.coefficients, stream.factors());
  errors_[at] = size > 0 ? found.distance(truth) / size : 0;
}

Decomposition StreamLog::result(const RobustCpStream& stream) const {
  const Index slices = shape_[shape_.order() - 1];
  Matrix history = Matrix::Zero(slices, rank_);
  Decomposition result;
  std::vector<Index> positions;
  std::vector<double> values;
  for (Index t = 0; t < this->slices(); ++t) {
    const SliceDecision& decision = decisions_[t];
    result.missing_count += decision.missing;
    if (undecided(decision)) continue;
    history.row(t) = decision.coefficients.transpose();
    values.insert(values.end(), decision.values.begin(), decision.values.end());
    for (const Index position : decision.positions) positions.push_back(position * slices + t);
  }
  result.set_sparse(SparseTensor(shape_, std::move(positions), std::move(values)));
  std::vector<Matrix> factors = stream.factors();
  for (int mode = 0; factors.size() + 1 < static_cast<std::size_t>(shape_.order()); ++mode) {
    factors.emplace_back(Matrix::Zero(shape_[mode], rank_));
  }
  factors.push_back(std::move(history));
  result.low_rank = CpModel(Vector::Ones(rank_), std::move(factors));
  result.low_rank.normalise();
  result.low_rank.sort_by_weight();
  result.outcome = stream.has_model() ? Outcome::converged : Outcome::stalled;
  result.certificate.explanation =
      "a stream gives no certificate; L is made of the factors at the last slice and of the "
      "coefficients that each slice had at its own time, so that slices from before a movement or "
      "a change are not reproduced: their residuals are listed under 'stream'";
  result.passes = 1;
  return result;
}

Json StreamLog::json() const {
  Json residual = Json::array();
  Json sparse = Json::array();
  Json explained = Json::array();
  Json error = Json::array();
  const double entries =
      static_cast<double>(shape_.entries()) / static_cast<double>(shape_[shape_.order() - 1]);
  for (std::size_t t = 0; t < decisions_.size(); ++t) {
    const SliceDecision& decision = decisions_[t];
    const double observed = entries - static_cast<double>(decision.missing);
    const bool known = !undecided(decision) && observed > 0;
    residual.push_back(known ? Json(decision.residual) : Json());
    sparse.push_back(known ? Json(static_cast<double>(decision.positions.size()) / observed)
                           : Json());
    explained.push_back(decision.explained);
    error.push_back(errors_[t] >= 0 ? Json(errors_[t]) : Json());
  }
  Json changes = Json::array();
  for (const StreamChange& change : changes_) {
    changes.push_back({{"changed_at", change.changed_at}, {"reported_at", change.reported_at}});
  }
  Json all;
  all["first_slice"] = first_;
  all["slices"] = slices();
  all["explained"] = this->explained();
  all["changes"] = changes;
  all["slice_residual"] = residual;
  all["slice_sparse_fraction"] = sparse;
  all["slice_explained"] = explained;
  if (truth_ != nullptr) all["slice_error"] = error;
  return all;
}

Index StreamLog::explained() const {
  return std::count_if(decisions_.begin(), decisions_.end(),
                       [](const SliceDecision& decision) { return decision.explained; });
}

std::optional<SliceFigures> StreamLog::figures_of(const std::vector<double>& values) const {
  std::vector<double> known;
  SliceFigures figures;
  for (std::size_t t = 0; t < values.size(); ++t) {
    if (values[t] < 0) continue;
    known.push_back(values[t]);
    if (values[t] < figures.largest) continue;
    figures.largest = values[t];
    figures.worst = first_ + static_cast<Index>(t);
  }
  if (known.empty()) return std::nullopt;
  figures.median = median(std::move(known));
  return figures;
}

std::optional<SliceFigures> StreamLog::residuals() const {
  std::vector<double> values;
  for (const SliceDecision& decision : decisions_) {
    values.push_back(undecided(decision) ? -1 : decision.residual);
  }
  return figures_of(values);
}

std::optional<SliceFigures> StreamLog::errors() const { return figures_of(errors_); }

}  // namespace sunder
