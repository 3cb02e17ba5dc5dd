#include "calibrate/kernels/messages/kernel_names.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace narrows {
namespace {

template <class Value>
struct Name {
    Value value;
    std::string_view name;
};

constexpr std::array kernel_names = {
    Name<MessageKernel>{MessageKernel::ping_pong, "ping-pong"},
    Name<MessageKernel>{MessageKernel::stream, "stream"},
    Name<MessageKernel>{MessageKernel::send_overhead, "send-overhead"},
    Name<MessageKernel>{MessageKernel::receive_overhead, "receive-overhead"},
    Name<MessageKernel>{MessageKernel::exchange, "halo-exchange"},
    Name<MessageKernel>{MessageKernel::overlap, "overlap"},
    Name<MessageKernel>{MessageKernel::allreduce, "allreduce"},
    Name<MessageKernel>{MessageKernel::all_to_all, "all-to-all"},
    Name<MessageKernel>{MessageKernel::broadcast, "broadcast"},
    Name<MessageKernel>{MessageKernel::allgather, "allgather"},
    Name<MessageKernel>{MessageKernel::reduce_scatter, "reduce-scatter"},
    Name<MessageKernel>{MessageKernel::barrier, "barrier"},
    Name<MessageKernel>{MessageKernel::matvec, "matvec"},
    Name<MessageKernel>{MessageKernel::program, "program"},
};

constexpr std::array algorithm_names = {
    Name<Algorithm>{Algorithm::recursive_doubling, "recursive-doubling"},
    Name<Algorithm>{Algorithm::tree, "tree"},
    Name<Algorithm>{Algorithm::ring, "ring"},
    Name<Algorithm>{Algorithm::node_direct, "node-direct"},
    Name<Algorithm>{Algorithm::node_ring, "node-ring"},
    Name<Algorithm>{Algorithm::node, "node"},
    Name<Algorithm>{Algorithm::node_shared, "node-shared"},
    Name<Algorithm>{Algorithm::pairwise, "pairwise"},
    Name<Algorithm>{Algorithm::bruck, "bruck"},
    Name<Algorithm>{Algorithm::binomial, "binomial"},
    Name<Algorithm>{Algorithm::dissemination, "dissemination"},
};

constexpr std::array transport_names = {
    Name<Transport>{Transport::shared, "shared"},
    Name<Transport>{Transport::tcp, "tcp"},
    Name<Transport>{Transport::mpi, "mpi"},
    Name<Transport>{Transport::udp, "udp"},
};

template <class Names, class Value>
std::string_view name_in(const Names& names, Value value) {
    const auto is_it = [value](const auto& one) { return one.value == value; };
    return std::find_if(names.begin(), names.end(), is_it)->name;
}

template <class Value, std::size_t n>
std::optional<Value> value_in(const std::array<Name<Value>, n>& names, std::string_view name) {
    for (const Name<Value>& one : names) {
        if (one.name == name) return one.value;
    }
    return std::nullopt;
}

}  // namespace

std::string_view name_of(MessageKernel kernel) {
    return name_in(kernel_names, kernel);
}

std::optional<MessageKernel> message_kernel(std::string_view name) {
    return value_in(kernel_names, name == "exchange" ? "halo-exchange" : name);
}

bool between_pairs(MessageKernel kernel) {
    return kernel == MessageKernel::ping_pong || kernel == MessageKernel::stream ||
           kernel == MessageKernel::send_overhead || kernel == MessageKernel::receive_overhead;
}

bool is_collective(MessageKernel kernel) {
    return kernel == MessageKernel::program || !algorithms_of(kernel).empty();
}

const std::vector<Algorithm>& algorithms_of(MessageKernel kernel) {
    static const std::vector<Algorithm> none;
    static const std::map<MessageKernel, std::vector<Algorithm>> algorithms = {
        {MessageKernel::allreduce,
         {Algorithm::recursive_doubling, Algorithm::tree, Algorithm::ring, Algorithm::node_direct, Algorithm::node_ring,
          Algorithm::node, Algorithm::node_shared}},
        {MessageKernel::all_to_all, {Algorithm::pairwise, Algorithm::bruck}},
        {MessageKernel::broadcast, {Algorithm::binomial}},
        {MessageKernel::allgather, {Algorithm::ring, Algorithm::bruck}},
        {MessageKernel::reduce_scatter, {Algorithm::pairwise, Algorithm::ring}},
        {MessageKernel::barrier, {Algorithm::dissemination}},
    };
    const auto found = algorithms.find(kernel);
    return found == algorithms.end() ? none : found->second;
}

std::string_view name_of(Algorithm algorithm) {
    return name_in(algorithm_names, algorithm);
}

std::vector<const CollectiveAlgorithm*> algorithms_by_rounds(MessageKernel kernel) {
    const std::vector<Algorithm>& own = algorithms_of(kernel);
    std::vector<const CollectiveAlgorithm*> found;
    for (const CollectiveAlgorithm& one : collective_algorithms()) {
        const bool has_code =
            std::any_of(own.begin(), own.end(), [&](Algorithm each) { return name_of(each) == one.name; });
        if (one.collective == name_of(kernel) && !has_code) found.push_back(&one);
    }
    return found;
}

bool goes_by_nodes(Algorithm algorithm) {
    return algorithm == Algorithm::node_direct || algorithm == Algorithm::node_ring || algorithm == Algorithm::node ||
           algorithm == Algorithm::node_shared;
}

std::string_view name_of(Transport transport) {
    return name_in(transport_names, transport);
}

std::optional<Transport> transport_named(std::string_view name) {
    return value_in(transport_names, name);
}

}  // namespace narrows
