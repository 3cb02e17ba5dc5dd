/* The schedule of Sweep3D on a grid of ranks, with blocking messages and computing as a number of flops: what
 * simgrid_wavefront.sh lets SMPI simulate. Every rank prints the simulated seconds of its iteration.
 *   wavefront_mpi WIDE HIGH BLOCKS BYTES_I BYTES_J FLOPS */
#include <mpi.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc != 7) return 2;
    const int wide = atoi(argv[1]), high = atoi(argv[2]), blocks = atoi(argv[3]);
    const int bytes_i = atoi(argv[4]), bytes_j = atoi(argv[5]);
    const double flops = atof(argv[6]);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int column = rank % wide, row = rank / wide;
    char* face = malloc(bytes_i > bytes_j ? bytes_i : bytes_j);
    const double begin = MPI_Wtime(); /* of all ranks the same: the simulation has just begun */
    for (int octant = 0; octant < 8; ++octant) {
        const int i = octant & 4 ? 1 : -1;
        const int j = octant & 2 ? 1 : -1;
        const int from_i = column - i >= 0 && column - i < wide ? rank - i : -1;
        const int from_j = row - j >= 0 && row - j < high ? rank - j * wide : -1;
        const int to_i = column + i >= 0 && column + i < wide ? rank + i : -1;
        const int to_j = row + j >= 0 && row + j < high ? rank + j * wide : -1;
        for (int block = 0; block < blocks; ++block) {
            if (from_i >= 0) MPI_Recv(face, bytes_i, MPI_CHAR, from_i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (from_j >= 0) MPI_Recv(face, bytes_j, MPI_CHAR, from_j, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            smpi_execute_flops(flops);
            if (to_i >= 0) MPI_Send(face, bytes_i, MPI_CHAR, to_i, 0, MPI_COMM_WORLD);
            if (to_j >= 0) MPI_Send(face, bytes_j, MPI_CHAR, to_j, 0, MPI_COMM_WORLD);
        }
    }
    printf("iteration %.12g\n", MPI_Wtime() - begin);
    free(face);
    MPI_Finalize();
    return 0;
}
