#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

#include "tests/cluster/bed.hpp"

namespace narrows::cluster {

/// What this machine does not let anybody do, such as namespaces without root; other failures are std::runtime_error.
class Refused : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Throws Refused without root, iproute2, or a kernel with namespaces, veth and tbf.
void require_namespaces();

/// Makes the bed; what was made is removed when that fails or a signal (INT, TERM, HUP) comes. Throws Refused,
/// std::runtime_error with what `ip` or `tc` said, and InputError when there is a bed of that name.
void bring_up(const Bed& bed);

/// Ends all processes in the namespaces of that bed and removes them, its files too. Whether there was anything.
bool take_down(const std::string& name);

/// The bed that is up by that name. Throws InputError when there is none.
Bed bed_that_is_up(const std::string& name);

/// Takes all links between two vertices, called as in the bed, down or up. Throws InputError when there is none.
void set_link(const Bed& bed, const std::string& one, const std::string& other, bool up);

/// Where a bed keeps its files: `words.json`, `hosts`, `open-mpi-hosts`, `mpich-hosts`, `agent`, `secret`.
std::filesystem::path bed_folder(const std::string& name);

/// Brings a bed up and takes it down at its end.
class ScopedBed {
  public:
    explicit ScopedBed(const Bed& bed) : name_(bed.words.name) { bring_up(bed); }
    ScopedBed(const ScopedBed&) = delete;
    ScopedBed& operator=(const ScopedBed&) = delete;
    ~ScopedBed() { take_down(name_); }

  private:
    std::string name_;
};

/// Puts this process in the network of a vertex for as long as it lives. Only for a process of one thread.
class NetworkVisit {
  public:
    NetworkVisit();
    NetworkVisit(const NetworkVisit&) = delete;
    NetworkVisit& operator=(const NetworkVisit&) = delete;
    ~NetworkVisit();

    void enter(const std::string& network_namespace) const;

  private:
    int home_;
};

/// Makes this process one of a host: network, host name, /sys and /etc/hosts are the host's from here on. `host` is as
/// `Bed::host_name` has it. Throws InputError when the bed has none of that name.
void become_host(const std::string& bed_name, const std::string& host);

}  // namespace narrows::cluster
