/// Lets the next target include again the headers that end in -inl.hpp, which no file includes after this.
// HWY_TARGET_TOGGLE would not do, as it also changes after targets that include none of them.
#ifdef RIFFLE_KERNEL_TOGGLE
#undef RIFFLE_KERNEL_TOGGLE
#else
#define RIFFLE_KERNEL_TOGGLE
#endif
