#include <iostream>
#include <string>
#include <vector>

#include "cli/run.hpp"

int main(int count, char** words) {
    return narrows::run(std::vector<std::string>(words + 1, words + count), std::cout, std::cerr, std::cerr);
}
