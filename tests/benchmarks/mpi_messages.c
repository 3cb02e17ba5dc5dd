/* Ping-pong and a stream between two ranks of any MPI, as lines "KERNEL BYTES NANOSECONDS": half of a round trip, or
 * the time from one message to the next. For tests/benchmarks/message_peers.sh. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { window = 64, tag = 0 };

/* Like narrows: the first sends from one buffer and receives into another, the second sends back what it received. */
static double half_trip(int rank, const char* out, char* in, int bytes, int trips) {
    double start = 0;
    for (int trip = -10; trip < trips; ++trip) {
        if (trip == 0) start = MPI_Wtime();
        if (rank == 0) {
            MPI_Send(out, bytes, MPI_BYTE, 1, tag, MPI_COMM_WORLD);
            MPI_Recv(in, bytes, MPI_BYTE, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(in, bytes, MPI_BYTE, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(in, bytes, MPI_BYTE, 0, tag, MPI_COMM_WORLD);
        }
    }
    return (MPI_Wtime() - start) / (2.0 * trips);
}

static double message_gap(int rank, char* buffer, int bytes, int windows) {
    MPI_Request requests[window];
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (int i = 0; i < windows; ++i) {
        for (int j = 0; j < window; ++j) {
            if (rank == 0) {
                MPI_Isend(buffer, bytes, MPI_BYTE, 1, tag, MPI_COMM_WORLD, &requests[j]);
            } else {
                MPI_Irecv(buffer, bytes, MPI_BYTE, 0, tag, MPI_COMM_WORLD, &requests[j]);
            }
        }
        MPI_Waitall(window, requests, MPI_STATUSES_IGNORE);
    }
    if (rank == 0) {
        MPI_Recv(buffer, 0, MPI_BYTE, 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(buffer, 0, MPI_BYTE, 0, tag, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - start) / ((double)windows * window);
}

int main(int argc, char** argv) {
    int rank = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int most = argc > 1 ? atoi(argv[1]) : 4 << 20;
    char* buffer = malloc(most);
    char* in = malloc(most);
    memset(buffer, 1, most);
    memset(in, 2, most);
    for (int bytes = 8; bytes <= most; bytes *= 2) {
        const int trips = 20000000 / (bytes + 2000) + 10;
        const double seconds = half_trip(rank, buffer, in, bytes, trips);
        if (rank == 0) printf("ping-pong %d %.1f\n", bytes, seconds * 1e9);
    }
    const double gap = message_gap(rank, buffer, 8, 4000);
    if (rank == 0) printf("stream 8 %.2f\n", gap * 1e9);
    free(buffer);
    free(in);
    MPI_Finalize();
    return 0;
}
