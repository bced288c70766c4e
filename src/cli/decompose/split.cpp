#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/cli.hpp"
#include "io/files/memory.hpp"
#include "io/files/parted_file.hpp"
#include "sunder/core/dense_tensor.hpp"
#include "sunder/core/error.hpp"
#include "sunder/io/npy.hpp"
#include "sunder/io/staged_folder.hpp"
#include "sunder/io/tensor_file.hpp"

namespace sunder::cli {

namespace {

struct SplitCommand {
  std::string input;
  int parts = 0;
  std::string output;
  bool force = false;
  ConsoleOptions talk;

  ExitCode run() const;

 private:
  void write_part(EntryReader& reader, const PartsList& list, const TensorPart& part,
                  const std::filesystem::path& folder, const ProgressCallback& progress) const;
};

void SplitCommand::write_part(EntryReader& reader, const PartsList& list, const TensorPart& part,
                              const std::filesystem::path& folder,
                              const ProgressCallback& progress) const {
  NpyWriter writer(folder / part.file, list.type,
                   with_extent(list.shape, 0, part.end - part.begin));
  const Index length = slab_length(list.shape, list.type, 0);
  const Index row = list.shape.entries() / list.shape[0];
  for (Index begin = part.begin; begin < part.end; begin += length) {
    const double fraction =
        static_cast<double>(begin - part.begin) / static_cast<double>(part.end - part.begin);
    if (report(progress, {.stage = part.file, .fraction = fraction, .pass = 0}) ==
        Continue::cancel) {
      throw Cancelled();
    }
    DenseTensor slab(with_extent(list.shape, 0, std::min(length, part.end - begin)), list.type);
    reader.read(begin * row, slab.entries(), slab.data());
    writer.add(slab.view());
  }
  writer.finish();
}

ExitCode SplitCommand::run() const {
  if (parts < 1) throw OptionError(fmt::format("--parts must be 1 or more, but is {}", parts));
  const std::unique_ptr<TensorFile> file = open_tensor(input);
  if (file->storage_order() != StorageOrder::c) {
    throw InputError(fmt::format(
        "{} is in Fortran order, and parts are cut along the first mode, which would cut through "
        "all of it: save it in C order",
        input));
  }
  PartsList list{file->shape(), file->type(), {}};
  if (list.shape.order() == 0 || list.shape[0] < parts) {
    throw InputError(
        fmt::format("{} cannot be cut into {} parts along its first mode: its shape is {}", input,
                    parts, to_string(list.shape)));
  }
  for (int k = 0; k < parts; ++k) list.parts.push_back(part_of(list.shape, k, parts));
  StagedFolder folder(output, {"part-*.npy", "parts.json"}, force);
  const std::unique_ptr<EntryReader> reader = file->reader();
  {
    ProgressBar bar(talk);
    for (const TensorPart& part : list.parts) {
      write_part(*reader, list, part, folder.path(), bar.callback());
    }
  }
  write_text(folder.path() / "parts.json", render_parts(list));
  stop_if_interrupted();
  folder.publish();
  if (talk.json) fmt::print("{}", render_parts(list));
  if (talk.for_people()) {
    fmt::print("{} parts in {}: mpirun -n {} sunder decompose {}/parts.json ...\n", parts, output,
               parts, output);
  }
  return done;
}

}  // namespace

Command add_split(CLI::App& command) {
  auto state = std::make_shared<SplitCommand>();
  command.add_option("tensor", state->input, "the tensor T, in C order")
      ->required()
      ->type_name("FILE");
  command.add_option("--parts", state->parts, "how many: one for each process of `mpirun`")
      ->required()
      ->type_name("N");
  add_output(command, state->output, "folder for the parts and their list, parts.json")->required();
  command.add_flag("--force", state->force, "replace parts that are already in the folder");
  state->talk.add_flags(command);
  command.footer(
      "Where machines have disks of their own, each needs the list and its own part only.\n"
      "The parts overlap a little, since where shares end depends on the pass.\n");
  return [state] { return state->run(); };
}

}  // namespace sunder::cli
