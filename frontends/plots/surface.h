#pragma once

#include <functional>
#include <string>
#include <vector>

namespace wmi::frontends {

/// A function of two numbers as a hilly sheet above a square.
struct Surface {
  std::string title;
  std::string across, along;  // what the sides count
  double x_from = 0, x_to = 1;
  double y_from = 0, y_to = 1;
  std::function<double(double x, double y)> height;
};

/// Side by side, on one scale, as an SVG document of its own.
std::string to_svg(const std::string& title, const std::vector<Surface>& surfaces);

}  // namespace wmi::frontends
