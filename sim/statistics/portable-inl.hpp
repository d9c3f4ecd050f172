// Logarithm and exponential of plain operations, written once for single numbers and for registers of them.
//
// No include guard and no includes, as it is included inside namespaces, once per width of register. There must be
//   Number, Word                        doubles and words of 64 bits, with + - * / and + - & |
//   number(double), word(uint64)        constants in every lane
//   bits_of(Number), number_of(Word)    the same bits
//   shift_left<n>(Word), shift_right<n>(Word), where zeros come in
//   select_if_less(a, b, x, y)          a < b ? x : y, lane by lane; y where either is NaN
// and nothing else: neither fused operations nor the standard library, of whose templates the linker would keep one
// copy for all widths. Polynomials are minimax approximations (Lawson's weights), made for this file.

/// x = 2^exponent · (1 + fraction), with 1 + fraction in [sqrt(1/2), sqrt(2)).
struct Scaled {
  Number exponent, fraction;
};
/// x normal and > 0. Exact.
[[gnu::always_inline]] inline Scaled scaled(Number x) {
  constexpr unsigned long long one = 0x3ff0000000000000, root_of_half = 0x3fe6a09e667f3bcd;
  const Word from_root = bits_of(x) + word(one - root_of_half);
  const Word mantissa = (from_root & word(0x000fffffffffffff)) + word(root_of_half);
  // The exponent stands in the last places of a number of 2^52 and more.
  const Number biased = number_of(shift_right<52>(from_root) | word(0x4330000000000000));
  return {biased - number(0x1p52 + 1023), number_of(mantissa) - number(1)};
}

/// ln 2 in two: the first has 42 bits, so that whole numbers up to 2^11 times it are exact.
constexpr double kLn2High = 0.6931471805598903, kLn2Low = 5.497923018708371e-14;

/// high + low + log(1 + f), f in [sqrt(1/2) - 1, sqrt(2) - 1]; high is 0 or outweighs the others. With s = f/(2 + f),
/// the logarithm is 2·atanh(s) = f - (f²/2 - s·(f²/2 + s²·P(s²))); relative error of the polynomial 2^-59.
[[gnu::always_inline]] inline Number add_log1p(Number high, Number low, Number f) {
  const Number half = number(0.5) * f * f, s = f / (number(2) + f), z = s * s, w = z * z;
  const Number odd =
      w * (number(0.3999999999941427) + w * (number(0.2222219856268907) + w * number(0.15314034971723314)));
  const Number even =
      z * (number(0.6666666666666734) +
           w * (number(0.2857142874248378) + w * (number(0.1818356490371375) + w * number(0.14796113419572507))));
  return high - ((half - (s * (half + (odd + even)) + low)) - f);
}

/// log(x), x normal and > 0.
[[gnu::always_inline]] inline Number natural_log(Number x) {
  const Scaled parts = scaled(x);
  return add_log1p(parts.exponent * number(kLn2High), parts.exponent * number(kLn2Low), parts.fraction);
}

/// exp(x) = 2^k · exp(high - low), |high - low| <= ln(2)/2; the last twelve bits of `power` are 2046 + k.
struct Exponent {
  Word power;
  Number high, low;
};
/// x is taken to be within [-746, 710], beyond which exp(x) is 0 or infinite.
[[gnu::always_inline]] inline Exponent exponent(Number x) {
  const Number not_low = select_if_less(x, number(-746), number(-746), x);
  const Number in_range = select_if_less(number(710), not_low, number(710), not_low);
  const Number whole = number(0x1.8p52 + 2046);  // so large that its last place is 1
  const Number rounded = in_range * number(1.4426950408889634) + whole, k = rounded - whole;
  return {bits_of(rounded), in_range - k * number(kLn2High), k * number(kLn2Low)};
}

/// exp(high - low) - 1 - high.
[[gnu::always_inline]] inline Number beyond_first_order(const Exponent& x) {
  const Number r = x.high - x.low, r2 = r * r, r4 = r2 * r2;
  const Number c0 = (number(0.5000000000000013) + r * number(0.16666666666666693)) +
                    r2 * (number(0.04166666666651416) + r * number(0.008333333333310803));
  const Number c4 = (number(0.00138888889473208) + r * number(0.0001984126991014431)) +
                    r2 * (number(2.4801489639948207e-05) + r * number(2.7557222410917293e-06));
  const Number c8 = number(2.7631385547553586e-07) + r * number(2.5116013072900578e-08);
  return r2 * (c0 + r4 * (c4 + r4 * c8)) - x.low;
}

/// In two factors, as 2^k can be too large or too small for one; so subnormal results are rounded once more, as they
/// must.
[[gnu::always_inline]] inline Number exp_of(const Exponent& x) {
  const Word half = shift_right<1>(x.power), rest = x.power - half;
  const Number p = number(1) + (x.high + beyond_first_order(x));
  return p * number_of(shift_left<52>(half)) * number_of(shift_left<52>(rest));
}

/// exp(x) of any x: subnormal, 0 and infinite results as they should be, NaN for NaN.
[[gnu::always_inline]] inline Number natural_exp(Number x) { return exp_of(exponent(x)); }
