// What the pool needs of the operating system: atomic counters, a lock with a condition, threads.
// All atomic operations are sequentially consistent. Without threads, TRVI_THREADS is 0.
#ifndef TRVI_THREADS_OS_H
#define TRVI_THREADS_OS_H

#include <stdbool.h>
#include <stdint.h>

#if defined(_WIN32)

#define TRVI_THREADS 1
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

typedef struct trvi_counter {
    volatile LONG value;
} trvi_counter;

static inline uint32_t trvi_counter_add(trvi_counter *counter, uint32_t more)
{
    return (uint32_t)InterlockedExchangeAdd(&counter->value, (LONG)more);
}

static inline uint32_t trvi_counter_get(trvi_counter *counter)
{
    return trvi_counter_add(counter, 0);
}

static inline uint32_t trvi_counter_swap(trvi_counter *counter, uint32_t value)
{
    return (uint32_t)InterlockedExchange(&counter->value, (LONG)value);
}

typedef struct trvi_gate {
    SRWLOCK lock;
    CONDITION_VARIABLE opened;
} trvi_gate;

static inline void trvi_gate_init(trvi_gate *gate)
{
    InitializeSRWLock(&gate->lock);
    InitializeConditionVariable(&gate->opened);
}

static inline void trvi_gate_end(trvi_gate *gate)
{
    (void)gate;
}

static inline void trvi_gate_lock(trvi_gate *gate)
{
    AcquireSRWLockExclusive(&gate->lock);
}

static inline void trvi_gate_unlock(trvi_gate *gate)
{
    ReleaseSRWLockExclusive(&gate->lock);
}

static inline void trvi_gate_wait(trvi_gate *gate)
{
    SleepConditionVariableSRW(&gate->opened, &gate->lock, INFINITE, 0);
}

static inline void trvi_gate_wake_all(trvi_gate *gate)
{
    WakeAllConditionVariable(&gate->opened);
}

static inline void trvi_pause(void)
{
    YieldProcessor();
}

static inline void trvi_yield(void)
{
    SwitchToThread();
}

typedef HANDLE trvi_thread;
typedef DWORD trvi_thread_result;
#define TRVI_THREAD_CALL WINAPI

static inline bool trvi_thread_start(trvi_thread *thread,
                                     trvi_thread_result(TRVI_THREAD_CALL *run)(void *),
                                     void *argument)
{
    *thread = CreateThread(NULL, 0, run, argument, 0, NULL);
    return *thread != NULL;
}

static inline void trvi_thread_join(trvi_thread thread)
{
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}

static inline uint32_t trvi_processors(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return (uint32_t)info.dwNumberOfProcessors;
}

#elif defined(__EMSCRIPTEN__) && !defined(__EMSCRIPTEN_PTHREADS__)

#define TRVI_THREADS 0

#else

#define TRVI_THREADS 1
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

typedef struct trvi_counter {
    _Atomic uint32_t value;
} trvi_counter;

static inline uint32_t trvi_counter_add(trvi_counter *counter, uint32_t more)
{
    return atomic_fetch_add(&counter->value, more);
}

static inline uint32_t trvi_counter_get(trvi_counter *counter)
{
    return atomic_load(&counter->value);
}

static inline uint32_t trvi_counter_swap(trvi_counter *counter, uint32_t value)
{
    return atomic_exchange(&counter->value, value);
}

typedef struct trvi_gate {
    pthread_mutex_t lock;
    pthread_cond_t opened;
} trvi_gate;

static inline void trvi_gate_init(trvi_gate *gate)
{
    pthread_mutex_init(&gate->lock, NULL);
    pthread_cond_init(&gate->opened, NULL);
}

static inline void trvi_gate_end(trvi_gate *gate)
{
    pthread_cond_destroy(&gate->opened);
    pthread_mutex_destroy(&gate->lock);
}

static inline void trvi_gate_lock(trvi_gate *gate)
{
    pthread_mutex_lock(&gate->lock);
}

static inline void trvi_gate_unlock(trvi_gate *gate)
{
    pthread_mutex_unlock(&gate->lock);
}

static inline void trvi_gate_wait(trvi_gate *gate)
{
    pthread_cond_wait(&gate->opened, &gate->lock);
}

static inline void trvi_gate_wake_all(trvi_gate *gate)
{
    pthread_cond_broadcast(&gate->opened);
}

static inline void trvi_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __asm__ volatile("pause");
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

static inline void trvi_yield(void)
{
    sched_yield();
}

typedef pthread_t trvi_thread;
typedef void *trvi_thread_result;
#define TRVI_THREAD_CALL

static inline bool trvi_thread_start(trvi_thread *thread,
                                     trvi_thread_result(TRVI_THREAD_CALL *run)(void *),
                                     void *argument)
{
    return pthread_create(thread, NULL, run, argument) == 0;
}

static inline void trvi_thread_join(trvi_thread thread)
{
    pthread_join(thread, NULL);
}

static inline uint32_t trvi_processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}

#endif

#endif
