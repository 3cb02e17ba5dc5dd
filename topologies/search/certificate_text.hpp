#pragma once

#include <string>

#include "topologies/search/verify.hpp"

namespace narrows {

/// A certificate as JSON: the network link by link, what is claimed of it, and the proofs. Full precision.
std::string certificate_text(const Certificate& certificate);

/// The same backwards. `file` is its name for errors. Throws InputError for anything that is not a certificate.
Certificate read_certificate(const std::string& text, const std::string& file);

}  // namespace narrows
