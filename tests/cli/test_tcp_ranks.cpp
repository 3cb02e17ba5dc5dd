#include <fmt/format.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <fstream>

#include "calibrate/kernels/messages/tcp_part.hpp"
#include "calibrate/transport/processes.hpp"
#include "calibrate/transport/tcp_socket.hpp"
#include "calibrate/transport/transport_error.hpp"
#include "run_narrows.hpp"
#include "tests/patience.hpp"

namespace narrows {
namespace {

void write_secret(std::filesystem::perms permissions) {
    std::ofstream("secret") << "what only the ranks of this job know\n";
    std::filesystem::permissions("secret", permissions);
}

const auto own = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;

// An address that was free a moment ago.
std::string free_address() {
    return local_address(listen_at({"127.0.0.1", 0})).text();
}

// What rank 0 of two prints that `run WORDS` has started one by one, each in a process of its own.
nlohmann::json json_of_both(const std::string& words) {
    write_secret(own);
    const std::string at = free_address();
    const auto outcomes = run_processes(2, [&](int rank) {
        const Ran ran = run_narrows(
            fmt::format("run {} --ranks 2 --rank {} --rendezvous {} --secret secret --format json", words, rank, at));
        return fmt::format("{}\n{}{}", ran.exit, ran.err, ran.out);
    });
    CHECK(outcomes[1].text == "0\nrank 1 of 2 has done its part: rank 0 reports\n");
    REQUIRE(outcomes[0].text.starts_with("0\n{"));
    return nlohmann::json::parse(outcomes[0].text.substr(2));
}

TEST_CASE("ranks over TCP that are started one by one: each does its part and rank 0 reports") {
    const ScratchDirectory folder;
    const bool authenticated = GENERATE(true, false);
    const std::string name = GENERATE("tcp", "udp");
    const std::string transport = authenticated ? name : fmt::format("{} --no-authentication", name);
    const auto json = json_of_both("ping-pong --bytes 8,1KiB --repeats 2 --transport " + transport);
    CHECK(json.at("transport") == name);
    CHECK(json.at("authentication").at("on") == authenticated);
    CHECK(json.at("authentication").at("costs").front().at("seconds") > 0);
    CHECK(json.at("ranks") == 2);
    CHECK(json.at("errors") == 0);
    CHECK(json.at("points").size() == 2);
}

TEST_CASE("ranks over TCP that are started one by one: what the options leave out or get wrong is told") {
    const ScratchDirectory folder;
    write_secret(own);
    const std::string place = "run ping-pong --transport tcp --ranks 2 --rendezvous localhost:1234 --secret secret ";
    CHECK(refusal_of(place + "--rank 2") == "narrows: --rank 2 is out of range: give one from 0 to 1\n");
    CHECK(refusal_of("run ping-pong --transport tcp --ranks 2 --rank 0 --rendezvous here --secret secret")
              .starts_with("narrows: --rendezvous: "));
    write_secret(own | std::filesystem::perms::others_read);
    CHECK(refusal_of(place + "--rank 0") ==
          "narrows: secret file secret is readable by other users: chmod 600 secret\n");
}

TEST_CASE("ranks over TCP that are started one by one: a length that nobody gave is found together") {
    const ScratchDirectory folder;
    const std::string kernel = GENERATE("gups --table 4MiB --skip-verification", "sweep3d --cells 12x12x12");
    CAPTURE(kernel);
    const auto json = json_of_both(kernel + " --transport tcp");
    CHECK(json.at("errors") == (json.at("verified") ? nlohmann::json(0) : nlohmann::json()));
    CHECK(json.at("seconds") > 0);
}

TEST_CASE("run gups over UDP: counts its datagrams, beside every update") {
    const auto json = json_from("run gups --transport udp --ranks 2 --table 64KiB");
    CHECK(json.at("errors") == 0);
    CHECK(json.at("counters").at("datagrams") > 0);
    CHECK(json.at("counters").at("datagrams_resent") >= 0);
    CHECK(json.at("counters").at("acknowledgements") >= 0);
}

TEST_CASE("ranks over TCP that are started one by one: samples stand that were taken before a rank was killed") {
    const ScratchDirectory folder;
    write_secret(own);
    const std::string at = free_address();
    const auto outcomes = run_processes(2, [&](int rank) {
        constexpr unsigned seconds = 4;  // by then it measures, for longer
        if (rank == 1) alarm(seconds);
        const Ran ran = run_narrows(fmt::format(
            "run ping-pong --transport tcp --ranks 2 --rank {} --rendezvous {} --secret secret --bytes 8,64KiB "
            "--repeats 10000 --format json",
            rank, at));
        return fmt::format("{}\n{}{}", ran.exit, ran.out, ran.err);
    });
    CHECK(outcomes[1].signal == SIGALRM);
    const std::string& said = outcomes[0].text;
    INFO(said);
    REQUIRE(said.starts_with("1\n{"));
    const std::size_t end = said.rfind("\nnarrows: cut off after ");
    REQUIRE(end != std::string::npos);
    CHECK(said.find(" samples, which stand above: rank 1 at 127.0.0.1:", end) != std::string::npos);
    const auto json = nlohmann::json::parse(said.substr(2, end - 2));
    CHECK(json.at("cut_by").get<std::string>().starts_with("rank 1 at 127.0.0.1:"));
    CHECK(json.at("verified").is_null());
    CHECK(json.at("points").at(0).at("samples") > 0);
}

TEST_CASE("ranks over TCP that are started one by one: one with other options does not join") {
    const JobSecret secret = JobSecret::random();
    const HostPort at = HostPort::parse(free_address());
    const auto outcomes = run_processes(2, [&](int rank) {
        MessageOptions options{.transport = Transport::tcp, .sizes = {8}, .repeats = 2};
        const auto measure = [&](const MessageOptions& wanted) {
            return measure_part(wanted, rank, tcp_part({{rank, 2}, at, patience}, secret));
        };
        std::string refused;
        if (rank == 1) {
            MessageOptions longer = options;
            longer.repeats = 3;
            MessageOptions both_ways = options;
            both_ways.pattern = StreamPattern::bidirectional;
            for (const MessageOptions& other : {longer, both_ways}) {
                try {
                    measure(other);
                } catch (const TransportError& error) {
                    refused += error.what();
                }
            }
        }
        measure(options);
        return refused;
    });
    const std::string refused =
        "rank 0 at " + at.text() + " cannot be joined: it refused the proof: give both the same secret and options";
    CHECK(outcomes[1].text == refused + refused);
    CHECK(outcomes[0].end == ProcessOutcome::End::returned);
    CHECK(outcomes[0].text.empty());
}

}  // namespace
}  // namespace narrows
