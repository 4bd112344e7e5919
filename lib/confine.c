#define _GNU_SOURCE /* O_PATH */
#include "confine.h"

#include <stdlib.h>
#include <string.h>

/* A switch for the day a libc makes a call that is not in the list: better than a patch at night.
 * Who sets the environment has LD_PRELOAD too, so that nothing is given away. */
static bool
switched_off(void)
{
	const char *how = getenv("RCAKIT_CONFINE");

	return how != NULL && strcmp(how, "off") == 0;
}

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "prog.h"

/*
 * Landlock.  Debian 12's header stops at version 2, so the numbers of <linux/landlock.h> are here.
 */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { RULE_PATH_BENEATH = 1, ASK_VERSION = 1 };
enum {
	EXECUTE = 1 << 0,
	WRITE_FILE = 1 << 1,
	READ_FILE = 1 << 2,
	READ_DIR = 1 << 3,
	REMOVE_DIR = 1 << 4,
	REMOVE_FILE = 1 << 5,
	MAKE_DIR = 1 << 7,
	MAKE_REG = 1 << 8,
	REFER = 1 << 13,                                        /* version 2 */
	TRUNCATE = 1 << 14,                                     /* version 3 */
	OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE, /* rights that a file can have */
	READING = READ_FILE | READ_DIR,
	WRITING = READING | WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REG | REFER |
		  TRUNCATE,
	RUNNING = READING | EXECUTE,
};

struct ruleset_attr {
	uint64_t fs, net, scoped;
};

struct path_attr {
	uint64_t allowed;
	int32_t fd;
} __attribute__((packed));

static long
landlock_version(void)
{
	return syscall(CREATE_RULESET, NULL, 0, ASK_VERSION);
}

/* All file rights that a version knows: what is not handled is not refused. */
static uint64_t
all_rights(long version)
{
	static const int bits[] = {0, 13, 14, 15, 15, 16};

	return (1ull << bits[version < 5 ? version : 5]) - 1;
}

static void
allow_path(int ruleset, const char *path, uint64_t rights, uint64_t known)
{
	struct path_attr rule = {.fd = open(path, O_PATH | O_CLOEXEC)};
	struct stat st;

	if (rule.fd < 0)
		return;
	if (fstat(rule.fd, &st) == 0 && !S_ISDIR(st.st_mode))
		rights &= OF_FILES;
	rule.allowed = rights & known;
	/* It fails for what has no place in a file tree, such as a pipe in /dev/fd: that is free.
	 */
	syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0);
	close(rule.fd);
}

static void
allow_paths(int ruleset, const char *const *paths, uint64_t rights, uint64_t known)
{
	for (; paths != NULL && *paths != NULL; paths++)
		allow_path(ruleset, *paths, rights, known);
}

static const char *const library_folders[] = {
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", NULL};

static void
landlock(const struct confine *needs)
{
	long version = landlock_version();

	if (version < 1)
		return;
	struct ruleset_attr attr = {.fs = all_rights(version)};
	if (version >= 4 && !needs->sockets)
		attr.net = 3; /* bind and connect, TCP */
	if (version >= 6 && needs->run == NULL)
		attr.scoped = 3; /* abstract sockets and signals of others */
	size_t size = version < 4 ? 8 : version < 6 ? 16 : 24;
	int ruleset = (int)syscall(CREATE_RULESET, &attr, size, 0);
	if (ruleset < 0 && attr.scoped != 0) { /* RHEL 9 says 6 and lacks one of the scopes */
		attr.scoped = 0;
		ruleset = (int)syscall(CREATE_RULESET, &attr, size, 0);
	}
	if (ruleset < 0)
		return;
	for (char *const *f = needs->files; f != NULL && *f != NULL; f++)
		if (strcmp(*f, "-") != 0)
			allow_path(ruleset, *f, READING, attr.fs);
	allow_paths(ruleset, needs->read, READING, attr.fs);
	allow_paths(ruleset, needs->write, WRITING, attr.fs);
	allow_paths(ruleset, needs->run, RUNNING, attr.fs);
	if (needs->libraries)
		allow_paths(ruleset, library_folders, READING, attr.fs);
	if (syscall(RESTRICT_SELF, ruleset, 0) != 0)
		err(TROUBLE, "Landlock");
	close(ruleset);
}

/* seccomp */
#if defined(__x86_64__)
#define ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef ARCH
enum { PROGRAM_MAX = 512 };

struct program {
	struct sock_filter code[PROGRAM_MAX];
	unsigned short len;
};

static void
emit(struct program *p, struct sock_filter step)
{
	if (p->len == PROGRAM_MAX)
		errx(TROUBLE, "confine: more than %d steps", PROGRAM_MAX);
	p->code[p->len++] = step;
}

static void
load(struct program *p, size_t offset)
{
	emit(p, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offset));
}

static void
answer(struct program *p, uint32_t with)
{
	emit(p, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, with));
}

/* Skip the next steps unless the loaded value is (or has a bit of) what. */
static void
unless(struct program *p, unsigned test, uint32_t what, unsigned char steps)
{
	emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | test | BPF_K, what, 0, steps));
}

static void
call_answers(struct program *p, long nr, uint32_t with)
{
	unless(p, BPF_JEQ, (uint32_t)nr, 1);
	answer(p, with);
}

/* The call is refused when argument arg has one of bits, and allowed otherwise. */
static void
call_without(struct program *p, long nr, int arg, uint32_t bits)
{
	unless(p, BPF_JEQ, (uint32_t)nr, 4);
	load(p, offsetof(struct seccomp_data, args) + 8 * (size_t)arg);
	unless(p, BPF_JSET, bits, 1);
	answer(p, SECCOMP_RET_ERRNO | EACCES);
	answer(p, SECCOMP_RET_ALLOW);
}

/* The call is allowed when argument arg is value, and refused otherwise. */
static void
call_with(struct program *p, long nr, int arg, uint32_t value)
{
	unless(p, BPF_JEQ, (uint32_t)nr, 4);
	load(p, offsetof(struct seccomp_data, args) + 8 * (size_t)arg);
	unless(p, BPF_JEQ, value, 1);
	answer(p, SECCOMP_RET_ALLOW);
	answer(p, SECCOMP_RET_ERRNO | EACCES);
}

/* Memory to run code in, and how libraries come into it: from a file, and never writable. */
static void
memory_calls(struct program *p, bool libraries)
{
	const uint32_t refused = SECCOMP_RET_ERRNO | EACCES;
	const uint32_t exec = 4, writing = 2, anonymous = 0x20; /* PROT_EXEC, PROT_WRITE, MAP_ */

	call_without(p, SYS_mprotect, 2, exec);
	if (!libraries) {
		call_without(p, SYS_mmap, 2, exec);
		return;
	}
	unless(p, BPF_JEQ, SYS_mmap, 9);
	load(p, offsetof(struct seccomp_data, args) + 16);
	emit(p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, exec, 1, 0));
	answer(p, SECCOMP_RET_ALLOW);
	unless(p, BPF_JSET, writing, 1);
	answer(p, refused);
	load(p, offsetof(struct seccomp_data, args) + 24);
	unless(p, BPF_JSET, anonymous, 1);
	answer(p, refused);
	answer(p, SECCOMP_RET_ALLOW);
}

/* What a filter needs to compute, read and write; what a libc does behind its back. */
static const short filter_calls[] = {SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64,
    SYS_pwrite64, SYS_lseek, SYS_close, SYS_fstat, SYS_newfstatat, SYS_statx, SYS_fstatfs,
    SYS_munmap, SYS_mremap, SYS_brk, SYS_madvise, SYS_futex, SYS_getrandom, SYS_clock_gettime,
    SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday, SYS_rt_sigreturn,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_sigaltstack, SYS_exit, SYS_exit_group,
    SYS_restart_syscall, SYS_fcntl, SYS_dup, SYS_getpid, SYS_gettid, SYS_getuid, SYS_geteuid,
    SYS_getgid, SYS_getegid, SYS_getcwd, SYS_uname, SYS_sysinfo, SYS_prlimit64, SYS_getrusage,
    SYS_ppoll, SYS_pselect6, SYS_sched_yield, SYS_sched_getaffinity, SYS_readlinkat, SYS_faccessat,
    439 /* faccessat2 */, SYS_getdents64,
#ifdef SYS_rseq
    SYS_rseq,
#endif
    SYS_fadvise64, SYS_ftruncate, SYS_set_robust_list, SYS_membarrier,
#ifdef SYS_open
    SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_poll, SYS_select, SYS_time,
#endif
    -1};

/* What one that makes files needs besides; where is Landlock's affair. */
static const short file_calls[] = {SYS_mkdirat, SYS_unlinkat, SYS_renameat, SYS_renameat2,
    SYS_fchmod, SYS_fchmodat, SYS_fsync, SYS_fdatasync, SYS_fallocate, SYS_utimensat, SYS_umask,
    SYS_chdir, SYS_fchdir,
#ifdef SYS_open
    SYS_mkdir, SYS_unlink, SYS_rmdir, SYS_rename, SYS_chmod,
#endif
    -1};

/* What no program of this suite, nor one it starts, has any business with. */
static const short wild_calls[] = {SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev,
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_unshare, SYS_setns, SYS_bpf,
    SYS_perf_event_open, SYS_keyctl, SYS_add_key, SYS_request_key, SYS_kexec_load, SYS_init_module,
    SYS_finit_module, SYS_delete_module, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_sethostname,
    SYS_settimeofday, SYS_clock_settime, SYS_acct, SYS_quotactl, SYS_mknodat, SYS_userfaultfd,
    SYS_open_by_handle_at, 425 /* io_uring_setup */, -1};

static void
add_calls(struct program *p, const short *calls, uint32_t with)
{
	for (; *calls >= 0; calls++)
		call_answers(p, *calls, with);
}

static void
filter_program(struct program *p, const struct confine *needs)
{
	const uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;

	add_calls(p, filter_calls, SECCOMP_RET_ALLOW);
	memory_calls(p, needs->libraries);
	call_with(p, SYS_tgkill, 0, (uint32_t)getpid()); /* abort(3) */
	call_with(p, SYS_ioctl, 1, 0x5401);              /* TCGETS: isatty(3) */
	call_answers(p, 437 /* openat2 */, SECCOMP_RET_ERRNO | ENOSYS);
	if (needs->write != NULL) {
		add_calls(p, file_calls, SECCOMP_RET_ALLOW);
		call_answers(p, SYS_openat, SECCOMP_RET_ALLOW);
	} else {
		call_without(p, SYS_openat, 2, writing);
	}
#ifdef SYS_open
	if (needs->write != NULL)
		call_answers(p, SYS_open, SECCOMP_RET_ALLOW);
	else
		call_without(p, SYS_open, 1, writing);
#endif
	answer(p, SECCOMP_RET_KILL_PROCESS);
}

static void
open_program(struct program *p, const struct confine *needs)
{
	add_calls(p, wild_calls, SECCOMP_RET_KILL_PROCESS);
	if (needs->run == NULL) {
		call_answers(p, SYS_execve, SECCOMP_RET_KILL_PROCESS);
		call_answers(p, SYS_execveat, SECCOMP_RET_KILL_PROCESS);
	}
	if (!needs->sockets) { /* an error: libc asks nscd and goes on without */
		call_answers(p, SYS_socket, SECCOMP_RET_ERRNO | EACCES);
		call_answers(p, SYS_socketpair, SECCOMP_RET_ERRNO | EACCES);
	}
	answer(p, SECCOMP_RET_ALLOW);
}

static void
seccomp(const struct confine *needs)
{
	struct program p = {.len = 0};

	load(&p, offsetof(struct seccomp_data, arch));
	unless(&p, BPF_JEQ, ARCH, 1);
	emit(&p, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 1));
	answer(&p, SECCOMP_RET_KILL_PROCESS);
	load(&p, offsetof(struct seccomp_data, nr));
	emit(&p, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
	answer(&p, SECCOMP_RET_KILL_PROCESS); /* the x32 numbers */
	if (needs->run == NULL && !needs->sockets)
		filter_program(&p, needs);
	else
		open_program(&p, needs);
	struct sock_fprog fprog = {.len = p.len, .filter = p.code};
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &fprog);
}

static bool
has_seccomp(void)
{
	return prctl(PR_GET_SECCOMP) >= 0;
}
#else
static void
seccomp(const struct confine *needs)
{
	(void)needs;
}

static bool
has_seccomp(void)
{
	return false;
}
#endif

void
confine(const struct confine *needs)
{
	if (switched_off() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return;
	landlock(needs);
	seccomp(needs);
}

void
confine_tell(struct buf *b)
{
	long version = landlock_version();
	size_t before = b->len;

	if (!switched_off()) {
		if (version > 0)
			buf_format(b, "Landlock %ld", version);
		if (has_seccomp())
			buf_format(b, "%sseccomp", version > 0 ? ", " : "");
	}
	if (b->len == before)
		buf_text(b, "nothing");
}

#else
void
confine(const struct confine *needs)
{
	(void)needs;
	(void)switched_off;
}

void
confine_tell(struct buf *b)
{
	buf_text(b, "nothing");
}
#endif
