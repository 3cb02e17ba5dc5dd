// The module `narrows._narrows`: the program, called with the words of its command line, and the arrays of a network.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "cli/given_network.hpp"
#include "cli/load_report.hpp"
#include "cli/repertoire.hpp"
#include "cli/run.hpp"
#include "cli/workload.hpp"
#include "data/library.hpp"
#include "topologies/input_error.hpp"

namespace py = pybind11;

namespace narrows {
namespace {

// What the program prints of how far it has come is for a terminal.
py::tuple run_program(const std::vector<std::string>& words) {
    std::ostringstream out, err, progress;
    int exit = 0;
    {
        const py::gil_scoped_release others_run;
        exit = run(words, out, err, progress);
    }
    return py::make_tuple(exit, out.str(), err.str());
}

// An array that takes the place of the vector, whose numbers are not copied.
template <class Number>
py::array_t<Number> array_of(std::vector<Number>&& numbers) {
    auto* const kept = new std::vector<Number>(std::move(numbers));
    const py::capsule owner(kept, [](void* vector) { delete static_cast<std::vector<Number>*>(vector); });
    return py::array_t<Number>(static_cast<py::ssize_t>(kept->size()), kept->data(), owner);
}

// A network's links as columns, with their loads where the traffic or the routing is named.
py::dict links(const NetworkWords& words, const OptionWords& load_words) {
    std::vector<int> from, to;
    std::vector<double> capacity;
    std::optional<FoundLoads> found;
    {
        const py::gil_scoped_release others_run;
        GivenNetwork given = given_network(words);
        for (const Edge& edge : write_out(given).edges) {
            from.push_back(edge.u);
            to.push_back(edge.v);
            capacity.push_back(edge.capacity);
        }
        if (asks_for_loads(load_words)) {
            found = read_loads(given, load_words);
            find_loads(
                given, [] { return false; }, *found);
        }
    }
    py::dict columns;
    columns["from"] = array_of(std::move(from));
    columns["to"] = array_of(std::move(to));
    columns["capacity"] = array_of(std::move(capacity));
    if (found) {
        columns["load"] = array_of(std::move(found->loads.value().forward));
        columns["load_back"] = array_of(std::move(found->loads.value().backward));
    }
    return columns;
}

// The workload's options by their names, with what each is.
std::map<std::string, std::string> options_of(const std::string& workload) {
    std::map<std::string, std::string> help;
    for (const Option& option : known_workload(repertoire(), workload).options) help[option.name()] = option.help;
    return help;
}

PYBIND11_MODULE(_narrows, module) {
    module.doc() = "The program narrows, called within this process.";
    static const py::exception<InputError> input_error(module, "InputError", PyExc_ValueError);
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown) std::rethrow_exception(std::move(thrown));
        } catch (const InputError& error) {
            std::ostringstream text;
            print_error(error, text);
            PyErr_SetString(input_error.ptr(), text.str().c_str());
        }
    });
    module.def("use_data_directory", [](const std::string& folder) { use_data_directory(folder); });
    module.def("run", &run_program);
    module.def("workloads", [] {
        std::vector<std::string> names;
        for (const auto& [name, workload] : all_workloads(repertoire())) names.push_back(name);
        return names;
    });
    module.def("options", &options_of);
    module.def("links", [](const std::string& network, const std::string& hosts, const std::string& traffic,
                           const std::string& routing) {
        OptionWords load_words;
        load_words["--traffic"] = traffic;
        load_words["--routing"] = routing;
        return links({network, "", "", hosts}, load_words);
    });
}

}  // namespace
}  // namespace narrows
