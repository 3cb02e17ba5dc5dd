#include "calibrate/kernels/messages/kernel_names.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "calibrate/kernels/messages/named_value.hpp"

namespace narrows {
namespace {

constexpr std::array kernel_names = {
    NamedValue<MessageKernel>{MessageKernel::ping_pong, "ping-pong"},
    NamedValue<MessageKernel>{MessageKernel::stream, "stream"},
    NamedValue<MessageKernel>{MessageKernel::send_overhead, "send-overhead"},
    NamedValue<MessageKernel>{MessageKernel::receive_overhead, "receive-overhead"},
    NamedValue<MessageKernel>{MessageKernel::exchange, "halo-exchange"},
    NamedValue<MessageKernel>{MessageKernel::overlap, "overlap"},
    NamedValue<MessageKernel>{MessageKernel::allreduce, "allreduce"},
    NamedValue<MessageKernel>{MessageKernel::all_to_all, "all-to-all"},
    NamedValue<MessageKernel>{MessageKernel::broadcast, "broadcast"},
    NamedValue<MessageKernel>{MessageKernel::allgather, "allgather"},
    NamedValue<MessageKernel>{MessageKernel::reduce_scatter, "reduce-scatter"},
    NamedValue<MessageKernel>{MessageKernel::barrier, "barrier"},
    NamedValue<MessageKernel>{MessageKernel::matvec, "matvec"},
    NamedValue<MessageKernel>{MessageKernel::program, "program"},
};

constexpr std::array algorithm_names = {
    NamedValue<Algorithm>{Algorithm::recursive_doubling, "recursive-doubling"},
    NamedValue<Algorithm>{Algorithm::tree, "tree"},
    NamedValue<Algorithm>{Algorithm::ring, "ring"},
    NamedValue<Algorithm>{Algorithm::node_direct, "node-direct"},
    NamedValue<Algorithm>{Algorithm::node_ring, "node-ring"},
    NamedValue<Algorithm>{Algorithm::node, "node"},
    NamedValue<Algorithm>{Algorithm::node_shared, "node-shared"},
    NamedValue<Algorithm>{Algorithm::pairwise, "pairwise"},
    NamedValue<Algorithm>{Algorithm::bruck, "bruck"},
    NamedValue<Algorithm>{Algorithm::binomial, "binomial"},
    NamedValue<Algorithm>{Algorithm::dissemination, "dissemination"},
};

constexpr std::array transport_names = {
    NamedValue<Transport>{Transport::shared, "shared"},
    NamedValue<Transport>{Transport::tcp, "tcp"},
    NamedValue<Transport>{Transport::mpi, "mpi"},
    NamedValue<Transport>{Transport::udp, "udp"},
};

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
        const bool has_code = std::ranges::any_of(own, [&](Algorithm each) { return name_of(each) == one.name; });
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
