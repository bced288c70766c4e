// replay TARGET FOLDER COUNT: gives a target of fuzz/ every file of a folder, and COUNT inputs made
// from them by chance, the same ones each time. Anything but an answer or a sunder::Error ends it.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

using Target = int(const std::uint8_t* data, std::size_t size);
extern "C" {
Target fuzz_array;
Target fuzz_checkpoint;
Target fuzz_corpus;
Target fuzz_hdf5;
Target fuzz_location;
Target fuzz_options;
Target fuzz_result_folder;
Target fuzz_state;
Target fuzz_video;
}

namespace {

using Bytes = std::vector<std::uint8_t>;

const std::map<std::string, Target*> targets = {
    {"array", &fuzz_array},
    {"checkpoint", &fuzz_checkpoint},
    {"corpus", &fuzz_corpus},
    {"options", &fuzz_options},
    {"result_folder", &fuzz_result_folder},
#if SUNDER_WITH_HDF5
    {"hdf5", &fuzz_hdf5},
#endif
#if SUNDER_WITH_MATIO
    {"location", &fuzz_location},
#endif
#if SUNDER_WITH_VIDEO
    {"state", &fuzz_state},
    {"video", &fuzz_video},
#endif
};

class Mutations {
 public:
  explicit Mutations(std::vector<Bytes> seeds) : seeds_(std::move(seeds)) {}

  Bytes next() {
    Bytes bytes = seeds_[below(seeds_.size())];
    for (std::size_t k = 1 + below(4); k > 0; --k) change(bytes);
    return bytes;
  }

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }

  void change(Bytes& bytes) {
    constexpr std::array<std::uint8_t, 6> telling = {0, 1, 0x7f, 0x80, 0xff, '9'};
    if (bytes.empty()) return;
    const std::size_t at = below(bytes.size());
    switch (below(5)) {
      case 0:
        bytes[at] ^= static_cast<std::uint8_t>(1U << below(8));
        break;
      case 1:
        bytes[at] = telling[below(telling.size())];
        break;
      case 2:
        bytes.resize(at);
        break;
      case 3: {  // the rest of another
        const Bytes& other = seeds_[below(seeds_.size())];
        bytes.resize(at);
        const std::size_t from = std::min(at, other.size());
        bytes.insert(bytes.end(), other.begin() + static_cast<std::ptrdiff_t>(from), other.end());
        break;
      }
      default: {  // a piece once more
        const std::size_t end = std::min(bytes.size(), at + 1 + below(16));
        const Bytes piece(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                          bytes.begin() + static_cast<std::ptrdiff_t>(end));
        bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(below(bytes.size())),
                     piece.begin(), piece.end());
      }
    }
  }

  std::vector<Bytes> seeds_;
  std::mt19937_64 random_{1};
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4 || !targets.contains(argv[1])) {
    std::fprintf(stderr, "usage: replay TARGET FOLDER COUNT\n");
    return 2;
  }
  Target* const target = targets.at(argv[1]);
  std::set<std::filesystem::path> files;  // in an order that no file system chooses
  for (const auto& entry : std::filesystem::directory_iterator(argv[2])) files.insert(entry.path());
  std::vector<Bytes> seeds;
  for (const std::filesystem::path& path : files) {
    std::ifstream file(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    target(seeds.back().data(), seeds.back().size());
  }
  if (seeds.empty()) return 2;
  Mutations mutations(seeds);
  for (int k = std::stoi(argv[3]); k > 0; --k) {
    const Bytes bytes = mutations.next();
    target(bytes.data(), bytes.size());
  }
  std::printf("%s: %zu files and %s inputs made from them\n", argv[1], seeds.size(), argv[3]);
  return 0;
}
