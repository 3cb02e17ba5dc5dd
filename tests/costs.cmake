# Read by CTest: tests that take long, with about the seconds that each takes under a sanitizer. It starts them first, so
# that none is left alone at the end, also where it has not yet seen what they take.
foreach(test
    "90 golden cases"
    "40 measured overlap: both ratios of every size by every protocol, by polling and with a thread"
    "25 a truncated machine file parses or is an error"
    "15 begun message: ranks that wait for each other are a deadlock, not a hang"
    "15 measured ranks: exchange, allreduce and matvec bring the right result by every protocol"
    "15 every example of every command runs as it stands"
    "15 a mutated machine file parses or is an error"
    "10 topology: what is exported reads back as the same network in every format"
    "10 the general method reproduces the ground truth from the graph alone"
    "10 brackets of larger networks hold what is known of them"
    "10 sweep3d: convergence, fixups and balance are those of the original"
    "10 the virtual clock and the recurrence agree where no messages meet"
    "10 what the search proves is proven again"
    "10 spectral proofs hold at any scale of capacities"
    "10 sweep clock: with free messages an iteration takes the steps of the schedule"
    "8 receiver-initiated: a send waits for its receive"
    "8 buffered: a receive that nobody answers is a deadlock, not a hang"
    "8 the analysis is the same for the same seed")
  string(REGEX MATCH "^[0-9]+" seconds "${test}")
  string(REGEX REPLACE "^[0-9]+ " "" name "${test}")
  set_tests_properties("${name}" PROPERTIES COST ${seconds})
endforeach()
