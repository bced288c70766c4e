/// A job on a tensor that stays in its file, by one process or several. What only the first process
/// does, it does while the others wait to hear how it ended.

#include <fmt/format.h>

#include <limits>

#include "engine/source/reader_source.hpp"
#include "job/checkpoint.hpp"
#include "job/first_process.hpp"
#include "job/job_setup.hpp"
#include "report/report.hpp"
#include "sunder/io/result_folder.hpp"
#include "sunder/io/sparse_part.hpp"
#include "sunder/io/sparse_writer.hpp"

namespace sunder {

namespace {

class StoredRun {
 public:
  StoredRun(const JobSetup& setup, const TensorFile& file, JobResult done)
      : setup_(setup), job_(setup.job()), processes_(setup.processes()), done_(std::move(done)) {
    processes_.together([&] {
      open_tensor(file);
      open_truth();
      if (setup_.is_first()) open_folder();
    });
    // The first process writes S to the staged folder, the others to a part each beside it.
    staging_ = text_of_first(processes_, folder_ ? folder_->path().string() : "");
    if (!setup_.is_first() && !job_.output.empty()) part_.emplace(part_path(processes_.rank()));
  }

  JobResult run() {
    decompose();
    if (done_.decomposition.outcome == Outcome::cancelled) return std::move(done_);
    processes_.together([&] {
      if (part_) part_->finish();
    });
    bool cancelled = false;
    processes_.together([&] {
      if (!setup_.is_first()) return;
      finish_sparse();
      evaluate();
      done_.summary = render_summary(done_.run, done_.decomposition);
      cancelled = folder_ && !write();
    });
    if (number_of_first(processes_, cancelled ? 1 : 0) != 0) {
      done_.decomposition.outcome = Outcome::cancelled;
    }
    return std::move(done_);
  }

 private:
  void open_tensor(const TensorFile& file) {
    tensor_.reader = file.reader();
    tensor_.layout = tensor_.reader->layout();
    tensor_.window_entries = done_.plan.window_entries;
    if (!job_.group.empty()) tensor_.layout = tensor_.layout.grouped(job_.group);
    require_decomposable(shape());
  }

  void open_truth() {
    if (!job_.truth.empty()) known_ = read_low_rank(job_.truth);
    if (truth() != nullptr) setup_.require_truth_of(*truth(), shape());
    if (known_) support_.emplace(job_.truth, shape());
  }

  void open_folder() {
    if (job_.output.empty()) return;
    folder_.emplace(job_.output, result_file_names(), job_.force);
    writer_.emplace(folder_->path(), support_ ? &*support_ : nullptr);
  }

  void decompose() {
    ReaderSource source(tensor_.reader, tensor_.reader->layout(), 1);
    const std::unique_ptr<StateKeeper> keeper =
        open_checkpoint(job_, setup_.method(), source, processes_);
    RunOptions run = setup_.run_options();
    run.true_low_rank = truth();
    run.state_keeper = keeper.get();
    run.collect_sparse = false;
    run.communicator = setup_.shared_processes();
    // All processes must decide alike what fits.
    run.memory = number_of_first(processes_, done_.plan.core_memory);
    if (support_) run.sparse_receiver = &*support_;
    if (writer_) run.sparse_receiver = &*writer_;
    if (part_) run.sparse_receiver = &*part_;
    done_.decomposition = setup_.method().decompose(tensor_, run);
  }

  void finish_sparse() {
    if (!writer_) return;
    for (int other = 1; other < processes_.size(); ++other) {
      fetch_part(part_path(other), *writer_);
    }
    writer_->finish(shape());
  }

  void evaluate() {
    if (!known_) return;
    constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
    const bool all = support_->known() && (writer_ || processes_.size() == 1);
    done_.run.evaluation = evaluate_low_rank(done_.decomposition, *known_);
    done_.run.evaluation->support = all ? support_->score() : SupportScore{unknown, unknown};
  }

  /// False: cancelled, and nothing is written.
  bool write() {
    const Decomposition& result = done_.decomposition;
    const ReportPictures pictures{std::nullopt, shape(),
                                  "The tensor was read part by part, and none was kept."};
    write_low_rank(folder_->path(), result.low_rank);
    write_standard_errors(folder_->path(), result.errors.factors, result.errors.weights);
    write_text(folder_->path() / "report.html", render_report(done_.run, result, pictures));
    write_text(folder_->path() / "summary.json", done_.summary);
    if (setup_.cancelled_before_writing(result)) return false;
    folder_->publish();
    done_.folder = folder_->target();
    return true;
  }

  Shape shape() const { return tensor_.layout.shape(); }
  const CpModel* truth() const { return known_ ? &*known_ : job_.true_low_rank; }
  std::filesystem::path part_path(int process) const {
    return staging_ / fmt::format(".part-{}", process);
  }

  const JobSetup& setup_;
  const DecomposeJob& job_;
  const Communicator& processes_;
  JobResult done_;
  StoredTensor tensor_;
  std::optional<CpModel> known_;
  std::optional<SupportCounter> support_;
  std::optional<StagedFolder> folder_;  ///< of the first process
  std::optional<SparseWriter> writer_;  ///< of the first process
  std::filesystem::path staging_;       ///< where the first process writes
  std::optional<SparsePart> part_;      ///< of every other process
};

}  // namespace

JobResult run_stored(const JobSetup& setup, const TensorFile& file, JobResult done) {
  return StoredRun(setup, file, std::move(done)).run();
}

}  // namespace sunder
