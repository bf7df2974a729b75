#include "frontends/ciber/pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "encoders/density.h"
#include "frontends/ciber/learning.h"
#include "frontends/ciber/network_query.h"
#include "frontends/common/line.h"
#include "frontends/common/write_file.h"
#include "frontends/wmi/options.h"

namespace wmi::frontends {
namespace {

/// What `query` and `encode` have in common.
std::vector<ManualOption> network_options() {
  std::string laws = "[from, to]";
  for (const encoders::DensityEntry& entry : encoders::densities())
    laws += fmt::format(", {}", entry.usage);
  std::vector<ManualOption> result{
      {"--input", "NUMBERS", "the input, in row-major order: 1,0.5 (default: all 0)"},
      {"--unknown", "NAME=LAW",
       "an entry that is not a number: 'fc2.weight[0,3]=[-1,1]',\n"
       "'fc2.bias[0]=triangular(-1,0,1)', 'input[1]=gaussian(0,1/2)'; laws:\n" +
           laws},
      {"--likelihood", "LAW",
       "of an outcome y around the first output: triangular(RADIUS);\n"
       "cubic(REACH): of a class, by a cubic sigmoid; ask --class"},
      {"--output", "NAME", "asks about this one: out[0], y, a unit (default: all outputs, or y)"},
      {"--given", "EVENT", "conditions all questions"},
      {"--width", "W",
       "of the bounds of each smooth layer (tanh, ...), between which answers\n"
       "then are: 1/1000 (default: as the layers say)"},
  };
  for (const QuestionEntry& entry : question_table())
    result.push_back({"--" + std::string(entry.name), std::string(entry.argument),
                      std::string(entry.description)});
  result.push_back({"--config", "FILE", "options in TOML or JSON; the command line wins"});
  result.push_back({"--print-config", "", "print the options as the JSON that --config reads"});
  return result;
}

/// Those of wmi that a page does not have itself.
std::vector<ManualOption> with_options_of_wmi(std::vector<ManualOption> options) {
  for (ManualOption& option : option_table()) {
    if (option.name == "--write-smtlib" || option.name == "--format" || option.name == "--version")
      continue;
    if (std::ranges::find(options, option.name, &ManualOption::name) == options.end())
      options.push_back(std::move(option));
  }
  return options;
}

std::vector<std::string> titles(std::span<const ManualPage> pages) {
  std::vector<std::string> result;
  for (const ManualPage& page : pages) {
    const std::size_t space = page.name.find(' ');
    result.push_back(space == std::string::npos ? page.name : page.name.substr(space + 1));
  }
  return result;
}

void write_all_pages(const std::string& directory, std::span<const ManualPage> pages) {
  const std::filesystem::path root = directory;
  const auto write = [&](const std::filesystem::path& file, const std::string& text) {
    std::error_code error;  // that it could not be made is told by the file in it
    std::filesystem::create_directories((root / file).parent_path(), error);
    save((root / file).string(), text);
  };
  for (const ManualPage& page : pages) write("man/man1/" + page.title() + ".1", roff(page, pages));
  // Under the names that the shells look for: bash finds a file by the name of the program.
  write("bash-completion/completions/ciber", completion("bash", pages));
  write("bash-completion/completions/wmi", completion("bash", pages));
  write("zsh/site-functions/_ciber", completion("zsh", pages));
  write("fish/vendor_completions.d/ciber.fish", completion("fish", pages));
  write("fish/vendor_completions.d/wmi.fish", completion("fish", pages));
}

}  // namespace

ManualPage query_page() {
  return {.name = "ciber query",
          .summary = "answers questions about a partly unknown network",
          .usage = "NET.safetensors [options]",
          .description =
              "Answers questions about a partly unknown network: exactly, or, with smooth\n"
              "layers, by an enclosure that certainly holds the true answer.",
          .options = network_options(),
          .examples =
              "ciber query net.safetensors --input 1,0.5 --unknown 'fc2.bias[0]=[-1,1]' "
              "--mean\n"};
}

ManualPage encode_page() {
  ManualPage page{.name = "ciber encode",
                  .summary = "writes such a network as an SMT-LIB file",
                  .usage = "NET.safetensors [options]",
                  .description =
                      "Writes the problem of a partly unknown network as an SMT-LIB file.\n"
                      "Of a run directory: see ciber encode RUN --help.",
                  .options = network_options()};
  page.options.push_back({"--out", "FILE", "where to (default: standard output)"});
  page.options.push_back({"--pure", "", "without weights and questions, for other solvers"});
  return page;
}

std::vector<ManualOption> network_query_options(bool write) {
  return with_options_of_wmi((write ? encode_page() : query_page()).options);
}

std::string query_help(const ManualPage& page) {
  std::string text = fmt::format("usage: {} {}\n{}\n{}", page.name, page.usage, page.description,
                                 option_lines(page.options, 24));
  if (!page.examples.empty())
    text += fmt::format(
        "The options of wmi hold as well: --json, --digits, --threads, --timeout, --plot, ...\n"
        "Example: {}",
        page.examples);
  return text;
}

std::vector<ManualPage> all_pages(std::span<const ManualPage> learning) {
  std::vector<ManualPage> pages;
  pages.push_back({.name = "wmi",
                   .summary = "exact weighted model integration",
                   .usage = "[options] FILE...",
                   .description = "Answers the queries of each FILE; without queries, its weighted "
                                  "model integral.\nFILE may be - for standard input.",
                   .options = option_table(),
                   .examples = "wmi problem.smt2\nwmi --digits 10 --json problem.smt2\n"});
  pages.push_back(
      {.name = "ciber",
       .summary = "Bayesian model averaging of neural networks, exact where it can be",
       .usage = "COMMAND ...",
       .description = "Trains networks, samples their weights, collapses some of them "
                      "and averages over these exactly; answers exact questions about "
                      "networks that are partly unknown.",
       .options = {{"--help", "", "print the commands"}, {"--version", "", "print the version"}}});
  for (const LearningCommand& command : learning_commands) {
    const std::string name = "ciber " + std::string(command.name);
    const auto found = std::ranges::find(learning, name, &ManualPage::name);
    if (found == learning.end()) continue;
    pages.push_back(*found);
    pages.back().summary = command.description;
  }
  for (ManualPage page : {query_page(), encode_page()}) {
    page.options = with_options_of_wmi(std::move(page.options));
    pages.push_back(std::move(page));
  }
  std::vector<std::string> shell_names(std::begin(shells), std::end(shells));
  pages.push_back({.name = "ciber completion",
                   .summary = "completion of command lines for a shell",
                   .usage = "bash|zsh|fish",
                   .description = "Prints a completion of ciber and wmi, to be sourced by the "
                                  "shell.",
                   .examples = "source <(ciber completion bash)\n"
                               "ciber completion fish > ~/.config/fish/completions/ciber.fish\n",
                   .words = std::move(shell_names)});
  pages.push_back({.name = "ciber man",
                   .summary = "the manual page of a command",
                   .usage = "[COMMAND] [--write DIR]",
                   .description = "Prints a manual page; without COMMAND, that of ciber.",
                   .options = {{"--write", "DIR",
                                "instead, write all pages and completions under DIR, as they are "
                                "installed in share/"}},
                   .examples = "ciber man query | man -l -\n"});
  pages.back().words = titles(pages);
  return pages;
}

int manual(const std::vector<std::string>& arguments, std::span<const ManualPage> learning,
           Terminal& terminal) {
  const std::vector<ManualPage> pages = all_pages(learning);
  const std::string command = "ciber " + arguments[0];
  const std::vector<std::string> words(arguments.begin() + 1, arguments.end());
  const ManualPage& page = *std::ranges::find(pages, command, &ManualPage::name);
  if (std::ranges::any_of(words, [](const auto& w) { return w == "--help" || w == "-h"; })) {
    terminal.print(fmt::format("usage: {} {}\n{}\n{}Examples:\n{}", page.name, page.usage,
                               page.description, option_lines(page.options, 24), page.examples));
    return 0;
  }
  if (arguments[0] == "completion") {
    if (words.size() != 1 || std::ranges::find(shells, words[0]) == std::end(shells))
      throw UsageError("completion: name a shell: bash, zsh or fish");
    terminal.print(completion(words[0], pages));
    return 0;
  }
  if (words.size() == 2 && words[0] == "--write") {
    write_all_pages(words[1], pages);
    return 0;
  }
  if (words.size() > 1) throw UsageError("man: takes one COMMAND, or --write DIR");
  const std::string wanted = words.empty() ? "ciber" : words[0];
  const std::vector<std::string> names = titles(pages);
  const auto found = std::ranges::find(names, wanted);
  if (found == names.end())
    throw UsageError(fmt::format("man: no page about '{}'; choose {}", one_line(wanted),
                                 fmt::join(names, ", ")));
  terminal.print(roff(pages[static_cast<std::size_t>(found - names.begin())], pages));
  return 0;
}

}  // namespace wmi::frontends
