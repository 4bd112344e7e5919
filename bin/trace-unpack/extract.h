#ifndef EXTRACT_H
#define EXTRACT_H

/*
 * extract: a zip as a new folder, all of it or nothing.
 *
 * Here names count, and are judged harder than anywhere else: nothing leaves the folder, nothing is
 * written twice, by any file system's idea of equal names, and no name misleads the eye.
 */
#include <stdbool.h>

#include "zip.h"

/*
 * Make the folder path, which must not exist, of zip's members.  False with *fault: E_SLIP, E_NAME,
 * E_DUPLICATE, E_CLASH for a name, E_EXISTS, E_WRITE, or what zip_read_block() gives; path is then
 * not there.
 */
bool extract(const struct zip *zip, const char *path, struct zip_fault *fault);

#endif
