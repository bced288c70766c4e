/// `sunder learn`: models with hidden variables, from data or from their moments.

#include <CLI/CLI.hpp>

#include "cli/cli.hpp"

namespace sunder::cli {

namespace {

struct Entry {
  const char* name;
  const char* description;
  Command (*add)(CLI::App&);
};

constexpr Entry subcommands[] = {
    {"topics", "topics of documents, by moments that may be corrupted", &add_learn_topics},
    {"mixture", "means of a mixture of spherical Gaussians, by moments", &add_learn_mixture},
};

}  // namespace

Command add_learn(CLI::App& command) {
  command.require_subcommand(1);
  auto registered = std::make_shared<std::vector<std::pair<CLI::App*, Command>>>();
  for (const Entry& entry : subcommands) {
    CLI::App* const sub = command.add_subcommand(entry.name, entry.description);
    registered->emplace_back(sub, entry.add(*sub));
  }
  return [registered] {
    for (const auto& [sub, action] : *registered) {
      if (sub->parsed()) return action();
    }
    return usage;
  };
}

}  // namespace sunder::cli
