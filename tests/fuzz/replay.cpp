// Runs a fuzz target without libFuzzer: on files and on all files of directories (seeds, and what
// once failed), and then on changed ones, always the same.
//
//     smtlib [--changes COUNT] [--dict FILE] FILE...
//
// An input that fails is written to finding-PROGRAM in the working directory.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <vector>

#include "tests/fuzz/target.h"

namespace fs = std::filesystem;

namespace {

constexpr std::size_t longest = 8192;  // of what is changed, so that all is soon done

// What the handler of signals needs.
std::string current;
std::string finding;

extern "C" void keep_finding(int signal) {
  const int file = open(finding.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  [[maybe_unused]] const ssize_t written = write(file, current.data(), current.size());
  close(file);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void feed(std::string bytes) {
  current = std::move(bytes);
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(current.data()), current.size());
}

/// The words of a dictionary of libFuzzer: one a line, in quotes, with \" \\ and \xNN in them.
std::vector<std::string> read_words(const std::string& file) {
  std::vector<std::string> result;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find('"'), last = line.rfind('"');
    if (line.starts_with('#') || first == last) continue;
    std::string word;
    for (std::size_t i = first + 1; i < last; ++i) {
      if (line[i] == '\\' && line[i + 1] == 'x') {
        word += static_cast<char>(std::stoi(line.substr(i + 2, 2), nullptr, 16));
        i += 3;
      } else {
        if (line[i] == '\\') ++i;
        word += line[i];
      }
    }
    result.push_back(word);
  }
  return result;
}

/// Changes bytes, words, numbers and whole parts of inputs.
class Changer {
 public:
  Changer(std::vector<std::string> seeds, std::vector<std::string> words)
      : seeds_(std::move(seeds)), words_(std::move(words)) {
    for (const char* number : {"0", "-1", "1e9999", "-1e-9999", "99999999999999999999", "1/0", "",
                               "0.1", "2147483648", "18446744073709551616", "nan"})
      words_.emplace_back(number);
  }

  std::string next() {
    std::string text = any(seeds_);
    const std::size_t changes = 1 + below(4);
    for (std::size_t i = 0; i < changes; ++i) change(text);
    if (text.size() > longest) text.resize(longest);
    return text;
  }

 private:
  std::size_t below(std::size_t count) { return count == 0 ? 0 : random_() % count; }
  const std::string& any(const std::vector<std::string>& list) { return list[below(list.size())]; }

  void change(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = std::min(below(below(2) == 0 ? 4 : 64), text.size() - at);
    switch (below(8)) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        break;
      case 1:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 2:
        text.erase(at, length);
        break;
      case 3:
        text.insert(at, text.substr(at, length));
        break;
      case 4:
        text.replace(at, length, any(words_));
        break;
      case 5: {  // a number or a word as a whole
        const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
        std::size_t first = at, last = at;
        while (first > 0 && part(text[first - 1])) --first;
        while (last < text.size() && part(text[last])) ++last;
        text.replace(first, last - first, any(words_));
        break;
      }
      case 6: {
        const std::string& other = any(seeds_);
        const std::size_t from = below(other.size());
        text.replace(at, length, other.substr(from, below(200)));
        break;
      }
      default:
        text.resize(at);
    }
  }

  std::vector<std::string> seeds_;
  std::vector<std::string> words_;
  std::mt19937_64 random_{20'260'731};
};

}  // namespace

int main(int argc, char** argv) {
  finding = "finding-" + fs::path(argv[0]).filename().string();
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE}) std::signal(signal, keep_finding);
  std::vector<fs::path> files;
  std::vector<std::string> words;
  std::size_t changes = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--changes" && i + 1 < argc) {
      changes = std::stoul(argv[++i]);
    } else if (word == "--dict" && i + 1 < argc) {
      words = read_words(argv[++i]);
    } else if (!fs::is_directory(word)) {
      files.emplace_back(word);
    } else {
      for (const fs::directory_entry& entry : fs::directory_iterator(word))
        if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> seeds;
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    if (!in) {
      std::cerr << file.string() << ": cannot be read\n";
      return 1;
    }
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::cout << file.filename().string() << std::endl;  // said before it may fail
    // Cut off anywhere, it is bad input as well.
    for (const std::size_t size : {bytes.size(), bytes.size() / 2, bytes.size() / 3})
      feed(bytes.substr(0, size));
    if (bytes.size() <= longest) seeds.push_back(bytes);
  }
  if (seeds.empty()) {
    std::cerr << "no files\n";
    return 1;
  }
  Changer changer(std::move(seeds), std::move(words));
  for (std::size_t i = 0; i < changes; ++i) feed(changer.next());
  std::cout << 3 * files.size() + changes << " inputs\n";
  return 0;
}
