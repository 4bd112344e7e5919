#ifndef EXTRACT_H
#define EXTRACT_H

/*
 * extract: a zip as a new folder, all of it or nothing.
 *
 * Here names count, and are judged harder than anywhere else: nothing leaves the folder, nothing is
 * written twice, by any file system's idea of equal names, and no name misleads the eye.  A member
 * that is there again, byte for byte, is written once.
 */
#include <stdbool.h>

#include "zip.h"

/*
 * Write zip's members to a new hidden folder beside path, which must not exist; the hidden one's
 * name is yours to give to extract_keep() or extract_drop().  NULL with *fault, and nothing left:
 * E_SLIP, E_NAME, E_DUPLICATE or E_CLASH for a name, E_EXISTS, E_WRITE, or what zip_read_block()
 * gives.  Until one of the two, zip stays, and the end of the process removes the folder.
 */
char *extract(const struct zip *zip, const char *path, struct zip_fault *fault);

/* Give the hidden folder the name path, or take it away; both free the name. */
bool extract_keep(char *hidden, const char *path, struct zip_fault *fault);
void extract_drop(char *hidden);

#endif
