#include "cli/files/hostile_files.hpp"

#if SUNDER_WITH_MATIO
#include <hdf5.h>
#include <matio.h>
#endif

#include <limits>
#include <nlohmann/json.hpp>

#include "io/npy/npy_header.hpp"
#include "io/temporary_folder.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/io/npy.hpp"

namespace sunder::testing {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Make = std::function<void(const fs::path&)>;

Make bytes(const std::string& name, const std::string& text) {
  return [=](const fs::path& folder) { write_bytes(folder / name, text); };
}

Make cut(const std::string& from, const std::string& to, double share) {
  return [=](const fs::path& folder) {
    const std::string all = read_bytes(folder / from);
    const auto left = static_cast<std::size_t>(share * static_cast<double>(all.size()));
    write_bytes(folder / to, all.substr(0, left));
  };
}

Make flipped(const std::string& name, double where) {
  return [=](const fs::path& folder) {
    std::string all = read_bytes(folder / name);
    char& byte = all[where * static_cast<double>(all.size())];
    byte = static_cast<char>(byte ^ 0x55);
    write_bytes(folder / name, all);
  };
}

Make edited(const std::string& name, const std::function<void(Json&)>& edit) {
  return [=](const fs::path& folder) {
    Json json = Json::parse(read_bytes(folder / name));
    edit(json);
    write_bytes(folder / name, json.dump());
  };
}

Make array(const std::string& name, const Shape& shape, double value) {
  return [=](const fs::path& folder) {
    DenseTensor tensor(shape);
    for (double& x : tensor.typed<double>()) x = value;
    write_npy(folder / name, tensor.view());
  };
}

/// A header of our own, which is then spoilt, and 800 bytes of zeros.
std::string spoilt_header(const std::string& good, const std::string& bad,
                          const std::string& type = "<f8") {
  std::string header = format_npy_header(type, StorageOrder::c, {2, 5, 10});
  const std::size_t at = header.find(good);
  header.replace(at, good.size(), bad);
  const auto longer =
      static_cast<std::ptrdiff_t>(bad.size()) - static_cast<std::ptrdiff_t>(good.size());
  if (longer > 0)
    header.erase(header.size() - 1 - static_cast<std::size_t>(longer),
                 static_cast<std::size_t>(longer));
  if (longer < 0) header.insert(header.size() - 1, static_cast<std::size_t>(-longer), ' ');
  return header + std::string(800, '\0');
}

#if SUNDER_WITH_MATIO
Make bytes_at(const std::string& name, std::size_t position, const std::string& text) {
  return [=](const fs::path& folder) {
    std::string all = read_bytes(folder / name);
    write_bytes(folder / name, all.replace(position, text.size(), text));
  };
}

void write_mat(const fs::path& path, matio_compression compression) {
  mat_t* const file = Mat_CreateVer(path.c_str(), nullptr, MAT_FT_MAT5);
  std::size_t extents[] = {20, 30};
  std::vector<double> values(600);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<double>(k * k % 97);
  matvar_t* const variable =
      Mat_VarCreate("T", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, extents, values.data(), 0);
  Mat_VarWrite(file, variable, compression);
  Mat_VarFree(variable);
  Mat_Close(file);
}

void write_hdf5(const fs::path& path, hid_t type, const char* name = "T") {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t extents[] = {4, 5, 6};
  const hid_t space = H5Screate_simple(3, extents, nullptr);
  const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const std::vector<double> values(120, 1.0);
  if (H5Tget_class(type) == H5T_FLOAT) {
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }
  H5Dclose(set);
  H5Sclose(space);
  H5Fclose(file);
}
#endif

Arguments decompose(const std::string& file) {
  return {"decompose", file, "--rank", "1", "-o", "out"};
}
Arguments topics(const Arguments& further = {}) {
  Arguments command = {"learn", "topics", "docword.txt", "--topics", "1", "-o", "out"};
  command.insert(command.end(), further.begin(), further.end());
  return command;
}
const Arguments report = {"report", "result"};
const Arguments resume = {"decompose", "good.npy", "--rank", "1", "--resume", "checkpoint"};
const Arguments go_on = {"decompose", "good.npy", "--rank", "1", "--stream", "--state", "state"};
const Arguments parted = {"decompose", "parts/parts.json", "--rank", "1", "-o", "out"};

void add_npy(std::vector<HostileFile>& list) {
  const auto add = [&](const std::string& name, const std::string& wrong, const Make& make) {
    list.push_back({name, wrong, decompose(name), make});
  };
  const auto header = [](const std::string& name, const std::string& good, const std::string& bad) {
    return bytes(name, spoilt_header(good, bad));
  };
  add("empty.npy", "nothing in it", bytes("empty.npy", ""));
  add("folder.npy", "a folder",
      [](const fs::path& folder) { fs::create_directory(folder / "folder.npy"); });
  add("text.npy", "text", bytes("text.npy", "1 2 3\n"));
  add("magic.npy", "ends after the magic word", cut("good.npy", "magic.npy", 0.0025));
  add("cut.npy", "its last entries are gone", cut("good.npy", "cut.npy", 0.9));
  add("header.npy", "a header longer than the file",
      bytes("header.npy", std::string("\x93NUMPY\x01\x00\xff\xff{'descr'", 18)));
  add("huge.npy", "a shape of 8 PB", header("huge.npy", "(2, 5, 10)", "(100000, 100000, 100000)"));
  add("overflow.npy", "a shape whose product overflows",
      header("overflow.npy", "(2, 5, 10)", "(4294967296, 4294967296, 4294967296)"));
  add("negative.npy", "a negative extent", header("negative.npy", "(2, 5, 10)", "(-2, 5, 10)"));
  add("order.npy", "fortran_order is no truth value", header("order.npy", "False", "Maybe"));
  add("type.npy", "a type that does not exist", header("type.npy", "<f8", "<f9"));
  add("complex.npy", "complex numbers",
      bytes("complex.npy", spoilt_header("<c16", "<c16", "<c16")));
  add("object.npy", "a pickled object, which would run code",
      bytes("object.npy", spoilt_header("|O", "|O", "|O")));
  add("infinite.npy", "an infinite entry",
      array("infinite.npy", {3, 4, 5}, std::numeric_limits<double>::infinity()));
  add("missing.npy", "nothing but NaN",
      array("missing.npy", {3, 4, 5}, std::numeric_limits<double>::quiet_NaN()));
  add("large.npy", "entries whose squares are infinite", array("large.npy", {3, 4, 5}, 1e200));
  add("small.npy", "entries whose squares are zero", array("small.npy", {3, 4, 5}, 1e-200));
}

#if SUNDER_WITH_MATIO
void add_mat_and_hdf5(std::vector<HostileFile>& list) {
  const auto mat = [](matio_compression compression, const Make& spoil) {
    return [=](const fs::path& folder) {
      write_mat(folder / "T.mat", compression);
      spoil(folder);
    };
  };
  const Make nothing = [](const fs::path&) {};
  list.push_back({"T.mat:U", "a variable that is not there", decompose("T.mat:U"),
                  mat(MAT_COMPRESSION_NONE, nothing)});
  list.push_back({"cut.mat", "cut off", decompose("cut.mat"),
                  mat(MAT_COMPRESSION_NONE, cut("T.mat", "cut.mat", 0.5))});
  list.push_back({"T.mat", "a compressed block that does not begin as one", decompose("T.mat"),
                  mat(MAT_COMPRESSION_ZLIB, bytes_at("T.mat", 136, "...."))});
  const auto hdf5 = [](hid_t type, const Make& spoil) {
    return [=](const fs::path& folder) {
      write_hdf5(folder / "T.h5", type);
      spoil(folder);
    };
  };
  list.push_back({"T.h5:/U", "a dataset that is not there", decompose("T.h5:/U"),
                  hdf5(H5T_NATIVE_DOUBLE, nothing)});
  list.push_back({"T.h5", "a dataset of text", decompose("T.h5"), hdf5(H5T_C_S1, nothing)});
  list.push_back({"title.h5", "a name that would retitle the terminal", decompose("title.h5"),
                  [](const fs::path& folder) {
                    write_hdf5(folder / "title.h5", H5T_C_S1, "\x1b]0;title\x07");
                  }});
  list.push_back({"cut.h5", "cut off", decompose("cut.h5"),
                  hdf5(H5T_NATIVE_DOUBLE, cut("T.h5", "cut.h5", 0.5))});
}
#endif

void add_results(std::vector<HostileFile>& list) {
  const auto add = [&](const std::string& name, const std::string& wrong, const Make& make) {
    list.push_back({"result/" + name, wrong, report, make});
  };
  const auto summary = [](const std::function<void(Json&)>& edit) {
    return edited("result/summary.json", edit);
  };
  add("factors_1.npy", "more columns than there are weights",
      array("result/factors_1.npy", {7, 3}, 1));
  add("factors_2.npy", "another extent than that of the summary",
      array("result/factors_2.npy", {9, 1}, 1));
  add("weights.npy", "a weight that is NaN",
      array("result/weights.npy", {1}, std::numeric_limits<double>::quiet_NaN()));
  add("sparse_coords.npy", "indices outside of the tensor", [](const fs::path& folder) {
    std::string all = read_bytes(folder / "result/sparse_coords.npy");
    all[all.size() - 8] = 100;
    write_bytes(folder / "result/sparse_coords.npy", all);
  });
  add("sparse_values.npy", "fewer values than indices", array("result/sparse_values.npy", {3}, 1));
  add("summary.json", "no JSON", bytes("result/summary.json", "{\"shape\": [6, 7"));
  add("summary.json", "a shape that is text",
      summary([](Json& json) { json["shape"] = "6 x 7 x 8"; }));
  add("summary.json", "a hundred thousand brackets",
      bytes("result/summary.json", std::string(100'000, '[')));
  add("summary.json", "a trace that is a number", summary([](Json& json) { json["trace"] = 3; }));
}

void add_states(std::vector<HostileFile>& list) {
  const auto both = [](const Make& first, const Make& second) {
    return [=](const fs::path& folder) {
      first(folder);
      second(folder);
    };
  };
  const std::string newest = "checkpoint/checkpoint";
  const std::string before = "checkpoint/checkpoint.previous";
  list.push_back({newest, "of other data", resume, array("good.npy", {6, 7, 8}, 2)});
  list.push_back({newest, "a wrong byte, in the one before it too", resume,
                  both(flipped(newest, 0.6), flipped(before, 0.6))});
  list.push_back({newest, "cut off, and the one before it too", resume,
                  both(cut(newest, newest, 0.5), cut(before, before, 0.5))});
  list.push_back({"state", "a wrong byte", go_on, flipped("state", 0.6)});
  list.push_back({"state", "cut off", go_on, cut("state", "state", 0.3)});
  list.push_back({"state", "text", go_on, bytes("state", "state\n")});
}

void add_parts(std::vector<HostileFile>& list) {
  const auto add = [&](const std::string& wrong, const std::function<void(Json&)>& edit) {
    list.push_back({"parts/parts.json", wrong, parted, edited("parts/parts.json", edit)});
  };
  const auto file = [](const std::string& name) {
    return [=](Json& json) { json["parts"][0]["file"] = name; };
  };
  add("a row that no part has", [](Json& json) {
    for (Json& part : json["parts"]) part["end"] = 5;
  });
  add("a part with more rows than the tensor", [](Json& json) { json["parts"][0]["end"] = 70; });
  add("a part outside of its folder", file("../good.npy"));
  add("a part of an absolute path", file("/etc/passwd"));
  add("the folder above as a part", file(".."));
  add("a shape that overflows", [](Json& json) { json["shape"] = {6, 1L << 40, 1L << 40}; });
  add("no parts", [](Json& json) { json["parts"] = Json::array(); });
}

void add_documents(std::vector<HostileFile>& list) {
  const auto add = [&](const std::string& wrong, const std::string& text) {
    list.push_back({"docword.txt", wrong, topics(), bytes("docword.txt", text)});
  };
  add("no header", "1 1 2\n1 2 1\n");
  add("a negative count", "1\n3\n3\n1 1 2\n1 2 -1\n1 3 1\n");
  add("a word that there is not", "1\n3\n3\n1 1 2\n1 4 1\n1 3 1\n");
  add("a document 0, where they count from 1", "1\n3\n3\n0 1 2\n1 2 1\n1 3 1\n");
  add("a count beyond all numbers", "1\n3\n3\n1 1 99999999999999999999\n1 2 1\n1 3 1\n");
  add("more entries announced than there are", "1\n3\n5\n1 1 2\n1 2 1\n1 3 1\n");
  add("a vocabulary of 10^18 words", "1\n1000000000000000000\n1\n1 1 2\n");
  list.push_back({"vocabulary.txt", "fewer words than the documents have",
                  topics({"--vocabulary", "vocabulary.txt"}), [](const fs::path& folder) {
                    write_bytes(folder / "docword.txt",
                                "2\n3\n6\n1 1 2\n1 2 1\n1 3 1\n2 1 2\n2 2 2\n2 3 1\n");
                    write_bytes(folder / "vocabulary.txt", "one\ntwo\n");
                  }});
}

void add_videos(std::vector<HostileFile>& list) {
  const auto video = [](const std::string& name) { return Arguments{"video", name, "-o", "out"}; };
  std::string header = "RIFF";  // of an AVI file without a single stream
  header += std::string("\x04\x00\x00\x00", 4) + "AVI ";
  list.push_back({"text.mp4", "text", video("text.mp4"), bytes("text.mp4", "not a video\n")});
  list.push_back({"hollow.avi", "a container without frames", video("hollow.avi"),
                  bytes("hollow.avi", header)});
  list.push_back({"cut.mp4", "a header alone", video("cut.mp4"),
                  bytes("cut.mp4", std::string("\x00\x00\x00\x18"
                                               "ftypisom\x00\x00\x02\x00isommp41",
                                               24))});
}

}  // namespace

bool write_sound_files(const fs::path& folder) {
  const auto succeeds = [&](const Arguments& arguments) {
    return run_command(arguments, folder).code == 0;
  };
  if (!succeeds({"generate", "--shape", "6,7,8", "--rank", "1", "-o", "data", "-q"})) return false;
  fs::rename(folder / "data/T.npy", folder / "good.npy");
  fs::remove_all(folder / "data");
  const auto decomposed = [&](Arguments further) {
    further.insert(further.begin(), {"decompose", "good.npy", "--rank", "1", "-q"});
    return succeeds(further);
  };
  return decomposed({"-o", "result"}) &&
         decomposed({"--checkpoint", "checkpoint", "--checkpoint-interval", "0"}) &&
         decomposed({"--stream", "--state", "state"}) &&
         succeeds({"split", "good.npy", "--parts", "2", "-o", "parts", "-q"});
}

std::vector<HostileFile> hostile_files() {
  std::vector<HostileFile> list;
  add_npy(list);
#if SUNDER_WITH_MATIO
  add_mat_and_hdf5(list);
#endif
  add_results(list);
  add_states(list);
  add_parts(list);
  if (SUNDER_WITH_LEARN != 0) add_documents(list);
  if (SUNDER_WITH_VIDEO != 0) add_videos(list);
  return list;
}

}  // namespace sunder::testing
