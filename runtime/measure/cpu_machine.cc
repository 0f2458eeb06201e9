// cpu_machine.cc: what there is to know of the CPU that is measured on, without asking for rights.
#include "cpu.h"

#include <dirent.h>
#include <omp.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

double now_us() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

uint64_t processors_lost() {
  rusage all;
  return getrusage(RUSAGE_SELF, &all) == 0 ? (uint64_t)all.ru_nivcsw : 0;
}

static std::vector<int> processors_of(const cpu_set_t &set) {
  std::vector<int> processors;
  for (int i = 0; i < CPU_SETSIZE; i++)
    if (CPU_ISSET(i, &set)) processors.push_back(i);
  return processors;
}

static std::set<pid_t> threads_by_age() {
  std::set<pid_t> threads;
  DIR *tasks = opendir("/proc/self/task");
  for (dirent *e; tasks && (e = readdir(tasks)) != nullptr;)
    if (const pid_t thread = std::atoi(e->d_name)) threads.insert(thread);
  if (tasks) closedir(tasks);
  return threads;
}

// Threads that somebody bound elsewhere stay there.
void part_threads() {
  cpu_set_t all, one, before;
  if (sched_getaffinity(0, sizeof all, &all) != 0) return;
  const std::set<pid_t> threads = threads_by_age();
  const std::vector<int> places = apart(processors_of(all), threads.size());
  auto place = places.begin();
  for (auto thread = threads.begin(); place != places.end(); thread++, place++) {
    if (sched_getaffinity(*thread, sizeof before, &before) != 0 || !CPU_EQUAL(&all, &before)) continue;
    CPU_ZERO(&one);
    CPU_SET(*place, &one);
    sched_setaffinity(*thread, sizeof one, &one);
    sched_setaffinity(*thread, sizeof before, &before);
  }
}

// A file's first line, or what stands behind a colon in the line that begins with `key'; "" where there is none.
static std::string text_of(const std::string &path, const char *key = nullptr) {
  std::string found;
  char line[4096];
  FILE *f = std::fopen(path.c_str(), "r");
  while (f && found.empty() && std::fgets(line, sizeof line, f)) {
    char *s = line;
    if (key && std::strncmp(line, key, std::strlen(key)) != 0) continue;
    if (key && (s = std::strchr(line, ':')) == nullptr) continue;
    s += key ? 1 : 0;
    found.assign(s + std::strspn(s, " \t"));
    found.erase(found.find_last_not_of(" \t\n") + 1);
    if (!key) break;
  }
  if (f) std::fclose(f);
  return found;
}

// Those of one processor, from the smallest to the largest.
static void look_at_caches(const std::string &cpu, Machine *m) {
  for (int i = 0; i < 8; i++) {
    const std::string cache = cpu + "/cache/index" + std::to_string(i);
    const std::string size = text_of(cache + "/size"), level = text_of(cache + "/level");
    if (size.empty() || text_of(cache + "/type") == "Instruction") continue;
    m->caches += (m->caches.empty() ? "L" : ", L") + level + " " + size;
    char *unit;
    const uint64_t bytes = std::strtoull(size.c_str(), &unit, 10);
    m->last_cache = std::max<uint64_t>(m->last_cache, bytes << (*unit == 'M' ? 20 : 10));
  }
}

// How long it takes all threads to begin and end together. Of a virtual machine it may be another time an hour later:
// then its processors are elsewhere in the host, nearer to each other or further apart.
static void look_at_threads(Machine *m) {
  const int threads = std::min(m->processors, m->threads), most = 9;
  const double enough_us = 5e5; // beside other work each turn may take long
  const auto meet = [threads] {
#pragma omp parallel num_threads(threads)
    __asm__ volatile("" ::: "memory");
  };
  if (threads < 2) return;
  std::vector<double> awake, asleep;
  for (const double begin = now_us(); (int)awake.size() < most && now_us() - begin < enough_us;) {
    const useconds_t longer_than_they_spin = 20000;
    usleep(longer_than_they_spin);
    asleep.push_back(time_of(meet, 1));
    warm_up(meet);
    awake.push_back(time_of(meet, 10));
  }
  std::sort(awake.begin(), awake.end());
  std::sort(asleep.begin(), asleep.end());
  m->meeting = awake[awake.size() / 2];
  m->waking = std::max(0.0, asleep[asleep.size() / 2] - m->meeting);
}

// How many processors' time a container may use, as a variant's text reads it; a part of one is one.
static int quota() {
  const std::string groups = "/sys/fs/cgroup", cpu = groups + "/cpu/cpu.cfs_";
  long long time = 0, period = 0;
  if (std::sscanf(text_of(groups + "/cpu.max").c_str(), "%lld %lld", &time, &period) != 2) {
    time = std::atoll(text_of(cpu + "quota_us").c_str());
    period = std::atoll(text_of(cpu + "period_us").c_str());
  }
  return time > 0 && period > 0 ? (int)std::min<long long>((time + period - 1) / period, 1 << 20) : 1 << 20;
}

Machine this_machine() {
  const std::string cpus = "/sys/devices/system/cpu/", cpu = cpus + "cpu" + std::to_string(std::max(0, sched_getcpu()));
  Machine m = {};
  m.name = text_of("/proc/cpuinfo", "model name");
  if (m.name.empty()) m.name = "a CPU";
#if defined __clang__
  m.compiler = "clang " + std::to_string(__clang_major__) + "." + std::to_string(__clang_minor__);
#else
  m.compiler = "gcc " + std::to_string(__GNUC__) + "." + std::to_string(__GNUC_MINOR__);
#endif
  look_at_caches(cpu, &m);
  m.governor = text_of(cpu + "/cpufreq/scaling_governor");
  cpu_set_t set;
  const bool known = sched_getaffinity(0, sizeof set, &set) == 0;
  m.processors = std::min(quota(), known ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN));
  m.threads = omp_get_max_threads();
  while (!text_of("/sys/devices/system/node/node" + std::to_string(m.nodes) + "/cpulist").empty()) m.nodes++;
  m.nodes = std::max(1, m.nodes);
  m.memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  look_at_threads(&m);
  return m;
}
