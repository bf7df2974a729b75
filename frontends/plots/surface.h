#pragma once

#include <functional>
#include <string>
#include <vector>

namespace wmi::frontends {

/// A function of two variables over a rectangle.
struct Surface {
  std::string title;
  std::string across, along;  // labels of the axes
  double x_from = 0, x_to = 1;
  double y_from = 0, y_to = 1;
  std::function<double(double x, double y)> height;
};

/// An SVG document with the surfaces side by side, on one scale.
std::string to_svg(const std::string& title, const std::vector<Surface>& surfaces);

}  // namespace wmi::frontends
