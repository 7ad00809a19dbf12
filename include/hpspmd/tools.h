// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef HPSPMD_TOOLS_H
#define HPSPMD_TOOLS_H
/*
 * Tools that look at a running program: a shared library that defines hpspmdToolStart, loaded by
 * each process if the environment variable HPSPMD_TOOLS names it:
 *     cc -shared -fPIC tool.c -o tool.so
 *     HPSPMD_TOOLS=./tool.so hpcc run -n 2 prog
 */
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HPSPMD_TOOLS_VERSION 1

/* A nest ("nest") or the call of a collective ("writeHalo") in the program's text. */
struct HpspmdSite {
    const char* file;
    int line;
    const char* what;
};

/* Functions that are not wanted stay null. `data` is given to all of them. */
struct HpspmdTool {
    void* data;
    /* The first thread begins and ends an outermost nest or a collective that belongs to no other
     * one. They may stand in one another; what was entered last is left first. */
    void (*enter)(void* data, const struct HpspmdSite* site);
    void (*leave)(void* data);
    /* It begins (1) or ends (0) to wait for other processes; what it unpacks meanwhile is no wait.
     */
    void (*wait)(void* data, int begins);
    /* A message of so many bytes is sent to a process, by MPI or by shared memory. */
    void (*message)(void* data, int process, size_t bytes);
    /* Memory of an array, in any thread. */
    void (*arrayMade)(void* data, const void* address, size_t bytes);
    void (*arrayFreed)(void* data, const void* address);
    /* All processes have done their work. Not called if the job is ended by an error. */
    void (*end)(void* data);
};

/* Defined by the tool. `version` is HPSPMD_TOOLS_VERSION of the library, `process` the number of
 * this process; all members of *tool are null. Other than 0: the tool wants to hear nothing. */
int hpspmdToolStart(int version, int process, struct HpspmdTool* tool);

#ifdef __cplusplus
}
#endif

#endif
