#pragma once

#include <memory>

namespace narrows {

/// The processor cores that this process may use, and a way to stay on one of them.
class Cores {
  public:
    Cores();
    ~Cores();
    Cores(const Cores&) = delete;
    Cores& operator=(const Cores&) = delete;

    /// Number of usable cores, at least 1. A core with several hardware threads counts once.
    int count() const;

    /// Binds the calling thread to core `core % count()`. Returns false where the system does not allow it.
    bool pin_this_thread(int core) const;

  private:
    struct Topology;
    std::unique_ptr<Topology> topology_;
};

}  // namespace narrows
