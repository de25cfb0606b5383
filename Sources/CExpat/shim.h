// expat: a streaming XML parser.
#include <expat.h>
