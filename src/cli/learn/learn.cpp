#include "cli/learn/learn.hpp"

#include <CLI/CLI.hpp>
#include <vector>

namespace sunder::cli {

namespace {

struct Model {
  const char* name;
  const char* description;
  Command (*add)(CLI::App&);
};

constexpr Model models[] = {
    {"topics", "topics of documents, from moments that may be corrupted", &add_learn_topics},
    {"mixture", "means of a mixture of spherical Gaussians, from moments", &add_learn_mixture},
    {"bayesnet", "related linear Bayesian networks, from samples or covariances",
     &add_learn_bayesnet},
};

}  // namespace

Command add_learn(CLI::App& command) {
  command.require_subcommand(1);
  std::vector<std::pair<CLI::App*, Command>> registered;
  for (const Model& model : models) {
    CLI::App* chosen = command.add_subcommand(model.name, model.description);
    registered.emplace_back(chosen, model.add(*chosen));
  }
  return [registered] {
    for (const auto& [chosen, action] : registered) {
      if (chosen->parsed()) return action();
    }
    return usage;
  };
}

}  // namespace sunder::cli
