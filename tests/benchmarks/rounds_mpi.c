/* Messages of a phase, each rank on a host of its own: what simgrid_messages.sh lets SMPI simulate. Every rank prints the
 * simulated seconds until it has all its messages.
 *   rounds_mpi all-to-all BYTES           pairwise exchange: in round k rank i sends to i + k and receives from i - k
 *   rounds_mpi halo BYTES WIDE HIGH DEEP  six neighbours of a grid that wraps, all at once */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void all_to_all(int rank, int ranks, int bytes, char* in, char* out) {
    for (int k = 1; k < ranks; ++k) {
        MPI_Sendrecv(out, bytes, MPI_CHAR, (rank + k) % ranks, 0, in, bytes, MPI_CHAR, (rank - k + ranks) % ranks, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void halo(int rank, int bytes, const int* shape, char* in, char* out) {
    MPI_Request requests[12];
    int stride = 1;
    for (int i = 0; i < 3; ++i) {
        const int place = rank / stride % shape[i];
        const int next = rank + ((place + 1) % shape[i] - place) * stride;
        const int last = rank + ((place + shape[i] - 1) % shape[i] - place) * stride;
        MPI_Irecv(in, bytes, MPI_CHAR, last, 2 * i, MPI_COMM_WORLD, &requests[4 * i]);
        MPI_Irecv(in, bytes, MPI_CHAR, next, 2 * i + 1, MPI_COMM_WORLD, &requests[4 * i + 1]);
        stride *= shape[i];
    }
    stride = 1;
    for (int i = 0; i < 3; ++i) {
        const int place = rank / stride % shape[i];
        const int next = rank + ((place + 1) % shape[i] - place) * stride;
        const int last = rank + ((place + shape[i] - 1) % shape[i] - place) * stride;
        MPI_Isend(out, bytes, MPI_CHAR, next, 2 * i, MPI_COMM_WORLD, &requests[4 * i + 2]);
        MPI_Isend(out, bytes, MPI_CHAR, last, 2 * i + 1, MPI_COMM_WORLD, &requests[4 * i + 3]);
        stride *= shape[i];
    }
    MPI_Waitall(12, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc != 3 && argc != 6) return 2;
    const int bytes = atoi(argv[2]);
    int rank = 0, ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    char *in = malloc(bytes), *out = malloc(bytes);
    const double begin = MPI_Wtime(); /* of all ranks the same: the simulation has just begun */
    if (strcmp(argv[1], "all-to-all") == 0) {
        all_to_all(rank, ranks, bytes, in, out);
    } else {
        const int shape[3] = {atoi(argv[3]), atoi(argv[4]), atoi(argv[5])};
        halo(rank, bytes, shape, in, out);
    }
    printf("seconds %.12g\n", MPI_Wtime() - begin);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
