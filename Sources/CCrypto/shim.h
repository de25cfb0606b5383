// OpenSSL's libcrypto: SHA-256, HMAC and HKDF.
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
