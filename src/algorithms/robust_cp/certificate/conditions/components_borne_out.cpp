#include "algorithms/robust_cp/certificate/conditions/components_borne_out.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "algorithms/robust_cp/certificate/conditions/conditions.hpp"
#include "algorithms/robust_cp/certificate/evidence.hpp"
#include "algorithms/robust_cp/levels/certificate.hpp"
#include "algorithms/robust_cp/levels/shared.hpp"

namespace sunder::robust {

namespace {

/// Draws rows of one column with probability proportional to |x|^power, or alike among those that
/// are not zero.
class RowDraw {
 public:
  RowDraw(const Eigen::VectorXd& column, double power) {
    const double largest = column.cwiseAbs().maxCoeff();
    double sum = 0;
    for (const double x : column) {
      const double size = largest > 0 ? std::abs(x) / largest : 0;
      const bool alive = size > levels::zero_entry;
      alive_ += alive ? 1 : 0;
      sum += alive ? std::pow(size, power) : 0;
      cumulative_.push_back(sum);
    }
  }
  double alive() const { return static_cast<double>(alive_); }
  Index draw(Rng& rng) const {
    const double at = rng.uniform(0, cumulative_.back());
    const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end() - 1, at);
    return static_cast<Index>(found - cumulative_.begin());
  }

 private:
  std::vector<double> cumulative_;
  Index alive_ = 0;
};

/// The entries of one component under one law.
class ComponentSample {
 public:
  ComponentSample(const CpModel& model, Index component, double power) : model_(model) {
    for (const Matrix& factor : model.factors()) {
      rows_.emplace_back(factor.col(component), power);
      unknowns_ += rows_.back().alive();
      support_ *= rows_.back().alive();
    }
  }
  bool is_zero() const { return support_ == 0; }
  double unknowns() const { return unknowns_; }

  void draw(Engine& engine, double level, Rng& rng) {
    std::vector<ModeIndices> drawn(levels::components::draws);
    for (ModeIndices& index : drawn) {
      for (std::size_t m = 0; m < rows_.size(); ++m) index[m] = rows_[m].draw(rng);
    }
    const std::vector<double> entries = engine.gather_entries(drawn);
    for (std::size_t k = 0; k < drawn.size(); ++k) {
      if (std::isnan(entries[k])) continue;
      ++seen_;
      const double model_entry =
          model_.entry(std::span<const Index>(drawn[k].data(), rows_.size()));
      fitted_ += std::abs(entries[k] - model_entry) < level ? 1 : 0;
    }
  }
  bool nothing_seen() const { return seen_ == 0; }
  double fitted_share() const { return static_cast<double>(fitted_) / static_cast<double>(seen_); }
  /// An estimate of the number of all entries of the component that are fitted.
  double fitted_in_all() const {
    return fitted_share() * support_ * static_cast<double>(seen_) /
           static_cast<double>(levels::components::draws);
  }

 private:
  const CpModel& model_;
  std::vector<RowDraw> rows_;
  double unknowns_ = 0;
  double support_ = 1;
  Index seen_ = 0;
  Index fitted_ = 0;
};

}  // namespace

ComponentEvidence examine_components(Engine& engine, const Factors& factors, double level,
                                     double share, Rng& rng) {
  const CpModel model(Vector::Ones(factors.front().cols()), factors);
  const double least = std::max(levels::components::least_share, levels::share_of_usual * share);
  ComponentEvidence evidence;
  for (Index component = 0; component < model.rank(); ++component) {
    bool bad = false;
    for (const double power : {2.0, 1.0, 0.0}) {
      ComponentSample sample(model, component, power);
      if (sample.is_zero()) break;
      sample.draw(engine, level, rng);
      if (sample.nothing_seen()) continue;
      evidence.weakest_share = std::min(evidence.weakest_share, sample.fitted_share());
      const double enough = levels::evidence_per_unknown * sample.unknowns();
      bad = bad || sample.fitted_share() < least || (power == 0 && sample.fitted_in_all() < enough);
    }
    evidence.bad += bad ? 1 : 0;
  }
  return evidence;
}

Check conditions::components_borne_out(Evidence& evidence) {
  const ComponentEvidence components =
      examine_components(evidence.engine(), evidence.factors(), evidence.fit().level,
                         evidence.usual_share(), evidence.rng());
  return Check::passes_if_none(components.bad);
}

}  // namespace sunder::robust
