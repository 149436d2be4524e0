// A group-by: docs/by_key.md.

// [example]
#include <warpfold/warpfold.hpp>

#include <cstdint>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

constexpr char csv[] = R"(account,amount
1007,100000000000000.00
1007,0.10
1007,-100000000000000.00
1012,19.99
1031,250.00
1031,-75.25
)";

int main() {
  std::vector<std::uint32_t> account;
  std::vector<double> amount;
  std::istringstream rows(csv);
  std::string field;
  std::getline(rows, field); // the names of the columns
  while (std::getline(rows, field, ',')) {
    account.push_back(static_cast<std::uint32_t>(std::stoul(field)));
    std::getline(rows, field);
    amount.push_back(std::stod(field));
  }

  warpfold::host const host;
  std::size_t const most = account.size();
  std::vector<std::uint32_t> accounts(most);
  std::vector<double> sums(most), exact(most);
  std::vector<std::uint64_t> payments(most);
  std::uint64_t const count = warpfold::sum_by_key(host, account, amount, accounts, sums);
  warpfold::exact_sum_by_key(host, account, amount, {}, exact); // without unique keys
  warpfold::run_length_encode(host, account, {}, payments);
  for (std::uint64_t i = 0; i < count; ++i)
    std::printf("%u: %d payments, sum %g, exact sum %g\n", static_cast<unsigned>(accounts[i]),
                static_cast<int>(payments[i]), sums[i], exact[i]);

  // Three tenths, then a million: each run has the bits of a sum of its own.
  std::vector<float> tenths(1'000'003, 0.1F), both(2);
  std::vector<std::uint32_t> keys(1'000'003, 2);
  keys[0] = keys[1] = keys[2] = 1;
  if (warpfold::gpu_count() == 0) {
    warpfold::sum_by_key(host, keys, tenths, {}, both);
  } else {
    warpfold::gpu gpu;
    warpfold::device_buffer<std::uint32_t> keys_there(gpu, keys);
    warpfold::device_buffer<float> tenths_there(gpu, tenths), both_there(gpu, 2);
    warpfold::sum_by_key(gpu, keys_there, tenths_there, {}, both_there);
    both = warpfold::to_vector(gpu, both_there);
  }
  tenths.resize(1'000'000);
  std::printf("%.9g, %.9g; alone %.9g\n", static_cast<double>(both[0]),
              static_cast<double>(both[1]), static_cast<double>(warpfold::sum(host, tenths)));
}
// [example]
