#pragma once

#include <memory>
#include <string>
#include <vector>

struct hwloc_topology;

namespace narrows {

/// A machine as hwloc describes it.
using Hardware = std::unique_ptr<hwloc_topology, void (*)(hwloc_topology*)>;

/// All of this machine, whatever this process may use of it. It is read once, which takes 6 to 20 ms, longer than many
/// a run. Throws std::runtime_error where hwloc cannot.
hwloc_topology* this_hardware();

/// Two cores, by number, and how far apart they are: the least that both are part of, such as `l2`, `l3`, `package` or
/// `machine`.
struct CorePair {
    std::string distance;
    int first = 0;
    int second = 1;
};

/// The processor cores that this process may use, and a way to stay on one of them.
class Cores {
  public:
    Cores();
    /// Those of a machine that hwloc makes up from a text like "pack:2 l3:1 core:4 pu:2".
    explicit Cores(const std::string& synthetic);

    /// Number of usable cores, at least 1. A core with several hardware threads counts once.
    int count() const;

    /// Binds the calling thread to core `core % count()`. Returns false where the system does not allow it.
    bool pin_this_thread(int core) const;

    /// For each distance that two cores have the pair that is numbered lowest, the nearest first.
    std::vector<CorePair> pairs() const;

  private:
    Hardware hardware_;
};

}  // namespace narrows
