/// A program of many collectives, in which fault_test makes one MPI call fail.

#include <hpspmd/mpi.hpp>
#include <hpspmd>

using namespace hpspmd;

int main() {
    const Procs1 p;
    const ExtBlockRange x(40, p.dim(0), 1, 1);
    const auto a = create<double>(p, x, 30), b = create<double>(p, x, 30);
    const auto columns = create<double>(p, 40, BlockRange(30, p.dim(0)));
    int size = 0;
    MPI_Comm_size(comm(p), &size);
    for (int k = 0; k < 20; ++k) {
        Adlib::writeHalo(a);
        Adlib::cshift(b, a, 3);
        Adlib::sum(b);
        Adlib::remap(columns, b);
        Adlib::broadcast(k);
    }
    Adlib::gprintln("through");
}
