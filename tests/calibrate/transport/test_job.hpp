#pragma once

#include <iostream>
#include <string>

#include "calibrate/kernels/messages/mpi_job.hpp"

namespace narrows {

/// MPI starts but once in a program, and ends with it.
inline const MpiJob& job() {
    static const MpiJob only;
    return only;
}

inline void complain(const std::string& text) {
    std::cerr << text << std::endl;
}

}  // namespace narrows
