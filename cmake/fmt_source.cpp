/// {fmt}'s own source, for a static tool where only its headers and its shared library are installed.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

// As in src/format.cc of {fmt} 9 to 11, for char alone.
template auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template locale_ref::locale_ref(const std::locale&);
template auto locale_ref::get<std::locale>() const -> std::locale;
template auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template auto decimal_point_impl(locale_ref) -> char;
template void buffer<char>::append(const char*, const char*);
#if FMT_VERSION < 110000
template void vformat_to(buffer<char>&, string_view, basic_format_args<format_context>, locale_ref);
#endif

}  // namespace detail
FMT_END_NAMESPACE
