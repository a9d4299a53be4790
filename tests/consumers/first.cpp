#include <logitope/logitope.hpp>
#include <cstdio>
int main() {
  xt::xtensor<float, 2> Z = {{1.f, 2.f, 3.f, 4.f}};
  auto P = logitope::softmax(Z);
  std::printf("%.4f\n", double(P(0, 3)));
}
