#include "calibrate/kernels/messages/kernel_names.hpp"

#include <algorithm>
#include <map>

#include "calibrate/kernels/messages/named_value.hpp"

namespace narrows {
namespace {

constexpr NamesInOrder<14> kernel_names = {
    "ping-pong",  "stream",    "send-overhead", "receive-overhead", "halo-exchange", "overlap", "allreduce",
    "all-to-all", "broadcast", "allgather",     "reduce-scatter",   "barrier",       "matvec",  "program"};

constexpr NamesInOrder<11> algorithm_names = {
    "recursive-doubling", "tree",     "ring",  "node-direct", "node-ring",    "node",
    "node-shared",        "pairwise", "bruck", "binomial",    "dissemination"};

constexpr NamesInOrder<4> transport_names = {"shared", "tcp", "mpi", "udp"};

static_assert(kernel_names.size() == static_cast<std::size_t>(MessageKernel::program) + 1);
static_assert(algorithm_names.size() == static_cast<std::size_t>(Algorithm::dissemination) + 1);
static_assert(transport_names.size() == static_cast<std::size_t>(Transport::udp) + 1);

}  // namespace

std::string_view name_of(MessageKernel kernel) {
    return name_in(kernel_names, kernel);
}

std::optional<MessageKernel> message_kernel(std::string_view name) {
    return value_in<MessageKernel>(kernel_names, name == "exchange" ? "halo-exchange" : name);
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
    return value_in<Transport>(transport_names, name);
}

}  // namespace narrows
