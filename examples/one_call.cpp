#include <cstdio>
#include <sunder/sunder.hpp>

int main(int, char** argv) {
  sunder::DecomposeJob job;
  job.input = argv[1];
  job.rank = 5;
  job.memory = 500 << 20;  // bytes; a larger tensor is read part by part
  job.checkpoint = argv[2];
  job.output = argv[3];
  const sunder::JobResult done = sunder::run(job);
  std::printf("%s: %s, certified %s\n", done.folder.c_str(),
              to_string(done.decomposition.outcome).data(),
              to_string(done.decomposition.certificate.level).data());
}
