/// One macro marks what the shared library offers; everything else stays hidden in it.
#ifndef RIFFLE_EXPORT_HPP
#define RIFFLE_EXPORT_HPP

#if defined(__GNUC__)
#define RIFFLE_API __attribute__((visibility("default")))
#else
#define RIFFLE_API
#endif

#endif
