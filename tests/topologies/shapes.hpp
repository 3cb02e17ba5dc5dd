#pragma once

#include <string>
#include <vector>

namespace narrows::testing {

/// Every shape of at most `most` nodes, its dimensions at least two and descending, written `XxY`; and the single node.
std::vector<std::string> shapes_up_to(int most);

}  // namespace narrows::testing
