#include <catch2/catch.hpp>
#include <random>

#include "tests/topologies/import_samples.hpp"
#include "topologies/graph.hpp"
#include "topologies/input_error.hpp"

using namespace narrows;
using namespace narrows::testing;

namespace {

/// Reads `text`, bad as it may be: a valid network or an InputError comes out. Whether it was a network.
bool survives(const std::string& text, const ImportOptions& options) {
    try {
        const LabelledNetwork network = import_network(text, "fuzz", options);
        require_valid(network.network);
        return network.names.size() == static_cast<std::size_t>(network.network.vertices());
    } catch (const InputError& error) {
        if (error.line() < 0 || error.column() < 0 || std::string(error.what()).empty()) throw;
        return false;
    }
}

std::string mutated(std::string text, std::mt19937_64& random) {
    const std::string_view alphabet = "0123456789abz \n\t\"'<>[]{}()=-,;:#%&/\\.x\xC3";
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % bound); };
    const std::size_t changes = 1 + below(4);
    for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
        const std::size_t place = below(text.size());
        const std::size_t length = 1 + below(std::min<std::size_t>(text.size() - place, 24));
        switch (below(4)) {
            case 0:
                text[place] = alphabet[below(alphabet.size())];
                break;
            case 1:
                text.insert(place, 1, alphabet[below(alphabet.size())]);
                break;
            case 2:
                text.erase(place, length);
                break;
            default:
                text.insert(below(text.size()), text.substr(place, length));
                break;
        }
    }
    return text;
}

}  // namespace

TEST_CASE("every sample cut short anywhere is a network or an input error") {
    int networks = 0;
    int cases = 0;
    for (const ImportSample& sample : import_samples()) {
        ImportOptions named = sample.options;
        named.format = import_network(sample.text, "sample", sample.options).format;
        for (std::size_t length = 0; length < sample.text.size(); ++length) {
            networks += survives(sample.text.substr(0, length), sample.options) ? 1 : 0;
            survives(sample.text.substr(0, length), named);
            ++cases;
        }
    }
    CHECK(cases > 4000);
    CHECK(networks < cases / 2);
}

TEST_CASE("every sample with random changes is a network or an input error") {
    std::mt19937_64 random(3);
    for (const ImportSample& sample : import_samples()) {
        ImportOptions named = sample.options;
        named.format = import_network(sample.text, "sample", sample.options).format;
        int networks = 0;
        constexpr int cases = 1500;
        for (int i = 0; i < cases; ++i) networks += survives(mutated(sample.text, random), named) ? 1 : 0;
        INFO(sample.name);
        CHECK(networks > 0);
        CHECK(networks < cases);
    }
}

TEST_CASE("one format's text read as another's is a network or an input error") {
    for (const ImportSample& sample : import_samples()) {
        for (const ImportFormat& format : import_formats()) {
            ImportOptions options = sample.options;
            options.format = format.name;
            const bool own = import_network(sample.text, "sample", sample.options).format == format.name;
            INFO(sample.name << " as " << format.name);
            CHECK(survives(sample.text, options) == own);
        }
    }
}

TEST_CASE("nesting without end is an input error, not an exhausted stack") {
    const std::size_t deep = 200000;
    CHECK_FALSE(survives("graph {" + std::string(deep, '{'), {}));
    std::string xml = "<graphml>";
    for (std::size_t i = 0; i < deep; ++i) xml += "<graph>";
    CHECK_FALSE(survives(xml, {}));
    for (std::size_t i = 0; i < deep; ++i) xml += "</graph>";
    CHECK_FALSE(survives(xml + "</graphml>", {}));
    CHECK_FALSE(survives("SwitchName=s Nodes=" + std::string(deep, '['), {}));
}
