/* complex.c: complex numbers as kernels compute with them. C's cuFloatComplex and cuDoubleComplex are laid out the same
 * and have no operators; std::complex is not for the device. */
#include <string.h>

#include "emit/emit.h"

typedef struct Function { const char *head, *body; } Function;

/* A default constructor that does nothing: shared memory has no other. */
static const Function functions[] = {
    {"constexpr complex(R re, R im = 0)", " : re(re), im(im) {}"},
    {"constexpr explicit complex(const complex<S> &x)", " : re((R)x.re), im((R)x.im) {}"},
    {"complex &operator+=(complex x)", " { return *this = *this + x; }"},
    {"complex &operator-=(complex x)", " { return *this = *this - x; }"},
    {"complex &operator*=(complex x)", " { return *this = *this * x; }"},
    {"complex &operator/=(complex x)", " { return *this = *this / x; }"},
    {"constexpr complex operator-() const", " { return complex(-re, -im); }"},
    {"friend constexpr complex operator+(complex x, complex y)", " { return complex(x.re + y.re, x.im + y.im); }"},
    {"friend constexpr complex operator-(complex x, complex y)", " { return complex(x.re - y.re, x.im - y.im); }"},
    {"friend constexpr complex operator*(complex x, complex y)", " {\n"
     "    return complex(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re);\n  }"},
    {"friend constexpr complex operator/(complex x, complex y)", " {\n"
     "    const R size = y.re * y.re + y.im * y.im;\n"
     "    return complex((x.re * y.re + x.im * y.im) / size, (x.im * y.re - x.re * y.im) / size);\n  }"},
    {"friend constexpr bool operator==(complex x, complex y)", " { return x.re == y.re && x.im == y.im; }"},
    {"friend constexpr bool operator!=(complex x, complex y)", " { return !(x == y); }"},
};

void emit_complex(Buffer *to, const char *qualifiers) {
  buffer_puts(to, "// A complex number, laid out as cuFloatComplex and cuDoubleComplex are.\n"
                  "template <typename R> struct alignas(2 * sizeof(R)) complex {\n"
                  "  R re, im;\n"
                  "  complex() = default;\n");
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    const Function *f = &functions[i];
    if (strstr(f->head, "<S>")) buffer_puts(to, "  template <typename S> ");
    else buffer_puts(to, "  ");
    bool befriended = strncmp(f->head, "friend ", 7) == 0;
    buffer_printf(to, "%s%s%s%s\n", befriended ? "friend " : "", qualifiers, f->head + (befriended ? 7 : 0), f->body);
  }
  buffer_puts(to, "};\n");
}
