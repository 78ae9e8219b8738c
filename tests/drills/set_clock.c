/* Loaded before the C library by a process whose wall clock a test sets: the file that SET_CLOCK names holds by how many
   seconds it is off. Monotonic clocks stay as they are. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long ahead(void) {
    static const char *place;
    char said[32] = {0};
    if (!place) place = getenv("SET_CLOCK");
    int file = place ? open(place, O_RDONLY) : -1;
    if (file < 0) return 0;
    if (read(file, said, sizeof said - 1) < 0) said[0] = 0;
    close(file);
    return atol(said);
}

int gettimeofday(struct timeval *now, void *zone) {
    struct timespec told;
    clock_gettime(CLOCK_REALTIME, &told);
    now->tv_sec = told.tv_sec;
    now->tv_usec = told.tv_nsec / 1000;
    (void)zone;
    return 0;
}

int clock_gettime(clockid_t which, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int failed = real(which, now);
    if (!failed && which == CLOCK_REALTIME) now->tv_sec += ahead();
    return failed;
}

time_t time(time_t *place) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place) *place = now.tv_sec;
    return now.tv_sec;
}
