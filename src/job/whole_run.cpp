/// A job on a tensor that is all in memory.

#include "engine/source/source.hpp"
#include "job/checkpoint.hpp"
#include "job/job_setup.hpp"
#include "report/report.hpp"
#include "sunder/io/result_folder.hpp"

namespace sunder {

namespace {

class WholeRun {
 public:
  WholeRun(const JobSetup& setup, JobResult done)
      : setup_(setup), job_(setup.job()), done_(std::move(done)) {
    if (!job_.truth.empty()) known_ = read_low_rank_plus_sparse(job_.truth);
    if (!job_.output.empty()) folder_.emplace(job_.output, result_file_names(), job_.force);
  }

  JobResult run(const TensorView& stored) {
    const TensorView tensor = job_.group.empty() ? stored : stored.grouped(job_.group);
    require_decomposable(tensor.shape());
    if (truth() != nullptr) setup_.require_truth_of(*truth(), tensor.shape());
    decompose(stored, tensor);
    if (done_.decomposition.outcome == Outcome::cancelled) return std::move(done_);
    if (known_) {
      done_.run.evaluation = evaluate(done_.decomposition, known_->low_rank, known_->sparse);
    }
    done_.summary = render_summary(done_.run, done_.decomposition);
    if (folder_) write(tensor);
    return std::move(done_);
  }

 private:
  const CpModel* truth() const { return known_ ? &known_->low_rank : job_.true_low_rank; }

  void decompose(const TensorView& stored, const TensorView& tensor) {
    MemorySource source(stored);
    const std::unique_ptr<StateKeeper> keeper =
        open_checkpoint(job_, setup_.method(), source, setup_.processes());
    RunOptions run = setup_.run_options();
    run.collect_sparse = job_.keep_sparse || folder_ || known_;
    run.true_low_rank = truth();
    run.state_keeper = keeper.get();
    done_.decomposition = setup_.method().decompose(tensor, run);
  }

  void write(const TensorView& tensor) {
    const Decomposition& result = done_.decomposition;
    write_low_rank_plus_sparse(folder_->path(), result.low_rank, result.sparse);
    write_sparse_q(folder_->path(), result.sparse_q);
    write_standard_errors(folder_->path(), result.errors.factors, result.errors.weights);
    const ReportPictures pictures{sample_slices(tensor, result.low_rank, result.sparse),
                                  tensor.shape(), ""};
    write_text(folder_->path() / "report.html", render_report(done_.run, result, pictures));
    write_text(folder_->path() / "summary.json", done_.summary);
    if (setup_.cancelled_before_writing(result)) {
      done_.decomposition.outcome = Outcome::cancelled;
      return;
    }
    folder_->publish();
    done_.folder = folder_->target();
  }

  const JobSetup& setup_;
  const DecomposeJob& job_;
  JobResult done_;
  std::optional<LowRankPlusSparse> known_;
  std::optional<StagedFolder> folder_;
};

}  // namespace

JobResult run_whole(const JobSetup& setup, const TensorView& tensor, JobResult done) {
  return WholeRun(setup, std::move(done)).run(tensor);
}

JobResult run_whole(const JobSetup& setup, const TensorFile& file, JobResult done) {
  WholeRun run(setup, std::move(done));
  const LoadedTensor loaded = file.load();
  return run.run(loaded.view);
}

}  // namespace sunder
