#include "model/gups/shmem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "data/library.hpp"
#include "model/gups/workload.hpp"
#include "model/path/protocol.hpp"
#include "predictions.hpp"

namespace narrows {
namespace {

PutInterface xt3(double cores = 1) {
    PutInterface interface = read_put_interface(load_machine("xt3-pgas-nic"), "put");
    interface.cores = cores;
    return interface;
}

Prediction random_access(const char* mode, std::int64_t sockets = 32) {
    GupsQuery query = gups_query(GupsCode::shmem, sockets);
    query.mode = mode;
    query.without_memory = query.all_remote = true;  // as the paper has it
    return predict_gups(load_machine("xt3-pgas-nic"), query);
}

ShmemGups shmem_inputs(double cores) {
    ShmemGups inputs;
    inputs.interface = xt3(cores);
    inputs.barrier = seconds(2e-6);
    inputs.on_link = wire_bytes(inputs.interface.link_framing, inputs.update_size);
    return inputs;
}

}  // namespace

TEST_CASE("underwood2008 (1): n/(n + 16) * 64/72 * 2.3 GB/s") {
    for (const double n : {8.0, 16.0, 64.0, 128.0}) {
        CHECK((host_interface_rate(xt3(), bytes(n)) * bytes(n)).si() == Approx(n / (n + 16) * 64 / 72 * 2.3e9));
    }
    CHECK((host_interface_rate(xt3(), bytes(8)) * bytes(8)).si() == Approx(0.68148e9).epsilon(1e-5));
}

TEST_CASE("underwood2008 (2): n/(n + 28) * 64/72 * 16/21 * 4.8 GB/s") {
    for (const double n : {4.0, 8.0, 16.0, 64.0, 128.0}) {
        CHECK((link_rate(xt3(), bytes(n)) * bytes(n)).si() == Approx(n / (n + 28) * 64 / 72 * 16 / 21 * 4.8e9));
    }
    CHECK((link_rate(xt3(), bytes(16)) * bytes(16)) / (host_interface_rate(xt3(), bytes(16)) * bytes(16)) ==
          Approx(1.156).epsilon(1e-3));
}

TEST_CASE("underwood2008 (3): an address of 8 bytes in place of the command") {
    PutInterface lean = xt3();
    lean.host_framing.header = data_at(load_machine("xt3-pgas-nic"), "host_interface.framing.address");
    for (const double n : {8.0, 16.0, 64.0}) {
        CHECK((host_interface_rate(lean, bytes(n)) * bytes(n)).si() == Approx(n / (n + 8) * 64 / 72 * 2.3e9));
    }
}

TEST_CASE("underwood2008 (4) and (5): messages a second") {
    for (const double n : {8.0, 16.0, 128.0}) {
        CHECK(host_interface_rate(xt3(), bytes(n)).si() == Approx(2.3e9 / ((n + 16) * 72 / 64)));
        CHECK(link_rate(xt3(), bytes(n)).si() == Approx(4.8e9 / ((n + 28) * 72 / 64 * 21 / 16)));
    }
    CHECK(host_interface_rate(xt3(), bytes(8)).si() == Approx(85.185e6).epsilon(1e-5));
    CHECK(link_rate(xt3(), bytes(8)).si() == Approx(90.300e6).epsilon(1e-5));
}

TEST_CASE("underwood2008 (6): cores over cycles of a message, one more for each 4 bytes") {
    for (const double cores : {1.0, 2.0, 4.0}) {
        for (const double n : {4.0, 8.0, 128.0}) {
            CHECK(issue_rate(xt3(cores), bytes(n)).si() == Approx(cores * 2e9 / (50 + n / 4)));
        }
    }
    const double share = issue_rate(xt3(2), bytes(8)) / host_interface_rate(xt3(), bytes(8));
    CHECK(share == Approx(0.90).margin(0.005));  // Section 6: 50 cycles give 90 % with two cores
}

TEST_CASE("the command queue is aligned: 4 bytes cost what 8 do, on the host interface only") {
    CHECK(host_interface_rate(xt3(), bytes(4)) == host_interface_rate(xt3(), bytes(8)));
    CHECK(host_interface_rate(xt3(), bytes(9)) == host_interface_rate(xt3(), bytes(16)));
    CHECK((host_interface_rate(xt3(), bytes(4)) * bytes(4)).si() ==
          Approx((host_interface_rate(xt3(), bytes(8)) * bytes(8)).si() / 2));
    CHECK(link_rate(xt3(), bytes(4)) > link_rate(xt3(), bytes(8)));
    PutInterface unaligned = xt3();
    unaligned.alignment = bytes(0);
    CHECK(host_interface_rate(unaligned, bytes(4)) > host_interface_rate(xt3(), bytes(4)));
}

TEST_CASE("bandwidths grow towards the wire's, rates fall with the size") {
    const PutInterface interface = xt3();
    for (int n = 8; n < 4096; n += 8) {
        CHECK((host_interface_rate(interface, bytes(n)) * bytes(n)) <
              (host_interface_rate(interface, bytes(n + 8)) * bytes(n + 8)));
        CHECK(link_rate(interface, bytes(n)) > link_rate(interface, bytes(n + 8)));
    }
    CHECK((host_interface_rate(interface, bytes(1e9)) * bytes(1e9)).si() == Approx(2.3e9 * 64 / 72));
    CHECK((link_rate(interface, bytes(1e9)) * bytes(1e9)).si() == Approx(4.8e9 * 64 / 72 * 16 / 21));
}

TEST_CASE("SHMEM RandomAccess: hand values of a socket") {
    const Prediction single = shmem_gups(shmem_inputs(1));  // 52 cycles and 2 * 2 us / 512 an update
    check_consistent(single);
    CHECK(single.rate.si() == Approx(1 / (26e-9 + 4e-6 / 512)));
    const Prediction quad = shmem_gups(shmem_inputs(4));
    check_consistent(quad);
    CHECK(quad.rate.si() == Approx(4 / (4 * 27 / 2.3e9 + 4e-6 / 512)));
    CHECK(quad.bottleneck == "host interface");
}

TEST_CASE("SHMEM RandomAccess: what others take of the link, and all that a processor does before it, count") {
    Machine machine = load_machine("xt3-pgas-nic");
    const PutInterface free = read_put_interface(machine, "put");
    CHECK(read_put_interface(machine, "put", 0.5).link == free.link * 0.5);
    const Stage send = message_path(machine, "put", bytes(8)).stages.front();
    machine = with_change(
        machine, fmt::format("paths.{}.{}.times", names_below(machine, "protocols.put").front(), send.server), "3");
    CHECK(read_put_interface(machine, "put").per_message.si() == Approx(3 * free.per_message.si()));
    GupsQuery query{.variant = GupsCode::shmem, .nodes = 4, .background = 0.5};
    const auto link_of = [](const Prediction& prediction) {
        return std::ranges::find(prediction.bounds, Resource::link, &Bound::resource)->limit;
    };
    const Prediction shared = predict_gups(machine, query);
    query.background = 0;
    CHECK(link_of(shared).si() == Approx(link_of(predict_gups(machine, query)).si() / 2));
}

TEST_CASE("SHMEM RandomAccess without barriers meets the tightest bound of the socket") {
    for (const double cores : {1.0, 2.0, 4.0, 16.0}) {
        ShmemGups inputs = shmem_inputs(cores);
        inputs.barrier = seconds(0);
        const Prediction prediction = shmem_gups(inputs);
        check_consistent(prediction);
        CHECK(prediction.rate.si() == Approx(tightest(prediction.bounds).limit.si()));
    }
    ShmemGups inputs = shmem_inputs(2);
    inputs.updates_per_phase = 1e12;
    CHECK(shmem_gups(inputs).rate.si() == Approx(2 * 2e9 / 52));
}

TEST_CASE("SHMEM RandomAccess names what is busy between barriers, whose improvement helps") {
    Machine machine = load_machine("xt3-pgas-nic");
    machine.parameters.push_back(*find(machine, "network.link.bandwidth"));
    machine.parameters.back().path = "node.memory.bandwidth";
    machine.parameters.back().measure = {8.5e9, Dimension::bandwidth, "GB/s"};
    GupsQuery query = gups_query(GupsCode::shmem, 32);
    query.mode = "dual";
    const Prediction prediction = predict_gups(machine, query);
    CHECK(prediction.bottleneck == "memory");
    CHECK(predict_gups(with_change(machine, "node.memory.bandwidth", "2x"), query).rate > prediction.rate * 1.1);
    CHECK(predict_gups(with_change(machine, "node.clock", "2x"), query).rate.si() ==
          Approx(prediction.rate.si()).epsilon(1e-3));
    query.mode = "";
    query.ranks_per_node = 6;  // on four cores: two turns, as three each
    const Rate six = predict_gups(load_machine("xt3-pgas-nic"), query).rate;
    query.ranks_per_node = 3;
    CHECK(six.si() == Approx(predict_gups(load_machine("xt3-pgas-nic"), query).rate.si()));
}

TEST_CASE("underwood2008 Section 7: two cores are twice one, four are 23 % above two") {
    CHECK(random_access("dual").rate / random_access("single").rate == Approx(2).epsilon(1e-9));
    CHECK(random_access("quad").rate / random_access("dual").rate == Approx(1.23).margin(0.01));
    for (const char* mode : {"single", "dual", "quad"}) check_consistent(random_access(mode));
}

TEST_CASE("the memory's bandwidth holds back what the paper leaves it out of") {
    GupsQuery query = gups_query(GupsCode::shmem, 32);
    query.mode = "quad";
    const Prediction prediction = predict_gups(load_machine("xt3-pgas-nic"), query);
    check_consistent(prediction);
    CHECK(prediction.bottleneck == "memory");
    CHECK(limit_of(prediction, "memory").si() == Approx(32 * 6.4e9 / 128));
    CHECK(limit_of(prediction, "host interface").si() == Approx(32 * 2.3e9 / 27 / (31.0 / 32)));
}

TEST_CASE("SHMEM RandomAccess scales with the sockets until the network's cut holds it back") {
    CHECK(random_access("quad", 16).rate.si() == Approx(random_access("quad", 32).rate.si() / 2));
    ShmemGups inputs = shmem_inputs(4);
    inputs.sockets = 32;
    inputs.network = {32, 0.001, Bandwidth(4.8e9)};
    const Prediction prediction = shmem_gups(inputs);
    check_consistent(prediction);
    CHECK(prediction.bottleneck == "network");
}

}  // namespace narrows
