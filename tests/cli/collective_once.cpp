#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

// One collective of so many bytes (of a block, where ranks have blocks): collective_once allreduce 4096
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int ranks = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const std::string name = argc > 2 ? argv[1] : "";
    const int bytes = argc > 2 ? std::atoi(argv[2]) : 0;
    const std::size_t all = static_cast<std::size_t>(bytes) * static_cast<std::size_t>(ranks);
    std::vector<char> from(all), to(all);
    if (name == "allreduce") {
        MPI_Allreduce(from.data(), to.data(), bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    } else if (name == "broadcast") {
        MPI_Bcast(from.data(), bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    } else if (name == "allgather") {
        MPI_Allgather(from.data(), bytes, MPI_BYTE, to.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
    } else if (name == "all-to-all") {
        MPI_Alltoall(from.data(), bytes, MPI_BYTE, to.data(), bytes, MPI_BYTE, MPI_COMM_WORLD);
    } else {
        std::fprintf(stderr, "no collective '%s'\n", name.c_str());
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Finalize();
}
