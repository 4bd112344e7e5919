#ifndef CONFINE_H
#define CONFINE_H

/*
 * confine: a program says what it will still need, and can do nothing else from there on.
 *
 * On Linux by Landlock (files, TCP; from 5.13) and seccomp (system calls; x86-64 and aarch64), as
 * far as the kernel has them; elsewhere, and in a build with a sanitizer, nothing happens.  It can
 * not be taken back, and children inherit it.  Descriptors that are open stay as they are.
 *
 * What is not listed is answered with an error where libraries know how to go on without (opening a
 * file, memory that is both written and executed, which costs PCRE2 its JIT: compile patterns
 * before), and ends the process otherwise: a program that was talked into it is not to go on.
 *
 * With neither run nor sockets the program is a filter: it computes, reads and writes.  With one of
 * them libraries and children need too many calls to list, and only the dangerous ones are refused.
 */
#include <stdbool.h>

#include "buf.h"

struct confine {
	char *const *files; /* operands to open for reading; "-" and what is missing are skipped */
	const char *const *read; /* files, and folders with all that is in them */
	const char *const
	    *write; /* folders in which files and folders may be made, read and removed */
	const char *const *run; /* programs, and folders of programs; they may be read too */
	bool libraries; /* of the C library, loaded when they are needed: iconv, name services */
	bool sockets;
};

/* The lists end with NULL; NULL is none.  RCAKIT_CONFINE=off in the environment switches it off. */
void confine(const struct confine *needs);

/* Append what this machine can enforce: "Landlock 7, seccomp", or "nothing". */
void confine_tell(struct buf *b);

#endif
