#pragma once
/// The number of components under noise: description length proposes, and core consistency and
/// blocks object (docs/inference.md).

#include "algorithms/robust_cp/inference/ranks/rank_fit.hpp"

namespace sunder {

template <class Archive>
void describe(Archive& archive, RankRecord& record) {
  archive(record.rank);
  archive(record.nats);
  archive(record.description);
  archive(record.consistency);
  archive(record.agreement);
  archive(record.halves);
  archive(record.held_out);
  archive(record.boxes);
  archive(record.outlier_share);
  archive(record.sigma);
}
template <class Archive>
void describe(Archive& archive, RankStudy& study) {
  archive(study.records);
  archive(study.recommended);
  archive(study.reason);
  archive(study.seconds);
}

}  // namespace sunder

namespace sunder::robust {

struct RankStudyOptions {
  ModeConstraints constraints = {};
  int most = 1;             ///< components
  bool all = false;         ///< also the figures that the recommendation does not need
  double nats_of_unit = 0;  ///< log of the unit of the part
};

struct StudiedRanks {
  RankStudy study;
  /// Whether the best rank has an end: a larger one was fitted and is worse. Otherwise the data may
  /// have more components than were tried.
  bool is_bounded = true;
  double noise = 0;  ///< at the best rank, in spreads of the data
};

StudiedRanks study_ranks(const DenseCore& part, const RankStudyOptions& options, Rng& rng,
                         Monitor& monitor);

/// The recommendation and its reason, from the records alone. `shortest`: the extent of the
/// shortest mode.
void recommend(Index shortest, RankStudy& study);

}  // namespace sunder::robust
