// SPDX-License-Identifier: BSD-3-Clause
#include "logitope/flow/free_logits.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "oracle/compare.hpp"

namespace lt = logitope;
using oracle::absolute;
using oracle::close;
using oracle::relative;
using oracle::says;

namespace {

/// k, V, t and 25 digits of u, leak and KL, from a 50-digit solution checked against a Taylor series of the flow.
struct known_state {
  std::size_t k, V;
  double t;
  long double u, leak, kl;
};
constexpr known_state known_states[] = {
    {1, 2, 0.1, 0.09754212184966870189521421L, 0.4756337857668591805971841L, 0.6455649566411653520527449L},
    {1, 2, 1.0, 0.7920599684306770014183959L, 0.3117265254833334257470737L, 0.3735690279977834078210267L},
    {1, 2, 10.0, 2.896125951213911845575895L, 0.05234540373571729581499413L, 0.05376519305087002936229145L},
    {1, 2, 100.0, 5.276701917304368073278626L, 0.005083281999367633531644868L, 0.005096245828503782438316569L},
    {1, 2, 10000.0, 9.903042301311446037909937L, 0.00005001976541609925538697469L, 0.00005002101644628306096437347L},
    {1, 2, 1000000.0, 14.50865098417591676642691L, 0.0000005000031271823044599843821L,
     0.0000005000032521839097234903392L},
    {1, 10, 0.1, 0.09948827557752750565438529L, 0.8906829645514088683453139L, 2.213503036396529810529929L},
    {1, 10, 1.0, 0.938271170073177159668462L, 0.7788458900564979369609101L, 1.508895490424925016025773L},
    {1, 10, 10.0, 4.152978133398893611671955L, 0.1239273454851979526378269L, 0.1323062525411516980688013L},
    {1, 10, 100.0, 6.84523381097248177123891L, 0.00948973789322340238519642L, 0.009535052365372398053413092L},
    {1, 10, 10000.0, 11.51189886730106023904863L, 0.00009008432531529875924523068L, 0.00009008838315183265600198122L},
    {1, 10, 1000000.0, 16.11808124458142831559453L, 0.0000009000121558099878006484937L,
     0.0000009000125608211711135297456L},
    {2, 10, 0.1, 0.04974835449630555237429488L, 0.7919213596440126658406465L, 1.569839192099982025181084L},
    {2, 10, 1.0, 0.47357064567761540531538L, 0.7135571956700716807517433L, 1.250216398603903492917646L},
    {2, 10, 10.0, 2.716851073339436509196452L, 0.2090672933945560738458267L, 0.2345423886571780247403185L},
    {2, 10, 100.0, 5.434859187501408063797358L, 0.01714820518423015761567076L, 0.01729693844602945825987891L},
    {2, 10, 10000.0, 10.12504984634597067462839L, 0.0001602275243624757737421803L, 0.0001602403621635884763919042L},
    {2, 10, 1000000.0, 14.73177811872499103374273L, 0.000001600034514096482161162268L,
     0.000001600035794153070734475024L},
    {4, 32, 0.1, 0.02496073408830588203899427L, 0.8722442683782025080137574L, 2.057635184980717885970254L},
    {4, 32, 1.0, 0.2458913404996177134431082L, 0.8455371914059664533952301L, 1.867801932696521710518844L},
    {4, 32, 10.0, 1.97277304444408032540159L, 0.4932846799710066706498272L, 0.6798059320471485443024902L},
    {4, 32, 100.0, 5.107446611592160385704065L, 0.04063910833190014930685154L, 0.04148795406782640182713779L},
    {4, 32, 10000.0, 9.900066684694412231510064L, 0.0003510760563065694710179088L, 0.0003511376979329135799512321L},
    {4, 32, 1000000.0, 14.50860745713403153158977L, 0.000003500163738101038905855761L,
     0.00000350016986368842937464979L},
    {16, 256, 0.1, 0.006248777228858589605534225L, 0.9371328581969405663490595L, 2.766731639636510944976654L},
    {16, 256, 1.0, 0.06237584625667741346579404L, 0.93374388065548208255597L, 2.714227450916995641451997L},
    {16, 256, 10.0, 0.6105681745241185300393419L, 0.8906582041257698135180158L, 2.213276560972737466449455L},
    {16, 256, 100.0, 3.788203203821138579390974L, 0.253477063410237228673316L, 0.2923289369695352003971759L},
    {16, 256, 10000.0, 9.196550906443971131218607L, 0.001518518064115909613864468L, 0.001519672181184479076572988L},
    {16, 256, 1000000.0, 13.81530430713142633010365L, 0.00001500286899210521571216318L,
     0.00001500298153626987116103468L},
    {64, 1024, 0.1, 0.001562423673762108850290509L, 0.9374083891349463120179506L, 2.771124021596816234802851L},
    {64, 1024, 1.0, 0.01561733825240433299497084L, 0.9365786450770587421195799L, 2.757954645815360821178981L},
    {64, 1024, 10.0, 0.1554541114426549659447768L, 0.9277477287723641604448272L, 2.62759151680706542132053L},
    {64, 1024, 100.0, 1.449319139017533143684901L, 0.7788075898435530966005561L, 1.508722322054427170539795L},
    {64, 1024, 10000.0, 7.776681734696615360931275L, 0.006251693755813295742553206L, 0.006271317423413482357415375L},
    {64, 1024, 1000000.0, 12.42847421318978954373661L, 0.00006004093040977380225857475L,
     0.0000600427329385867369308634L},
    {1, 50257, 0.1, 0.09999989711070587794831319L, 0.999978009660512491679564L, 10.72490731524900047413712L},
    {1, 50257, 1.0, 0.999985708313835047530009L, 0.9999459149959462897135791L, 9.824953599931293016561727L},
    {1, 50257, 10.0, 9.681485353690247574994364L, 0.7583033118908280168585413L, 1.42007169385242166368866L},
    {1, 50257, 100.0, 15.26444423719301338285786L, 0.01166349889318773388554274L, 0.01173205105646241177998428L},
    {1, 50257, 10000.0, 20.03324020025602830603553L, 0.0001001886977887865119150708L, 0.0001001937170116178837107881L},
    {1, 50257, 1000000.0, 24.64039103748193534595973L, 0.00000100000374226352652488646L,
     0.000001000004242267602132740868L},
    {100, 50257, 0.1, 0.0009999990047839850600415456L, 0.9980082406303263238433167L, 6.218736925473027939184709L},
    {100, 50257, 1.0, 0.00999990018090818286291544L, 0.9979902702741011819986723L, 6.209755030679300774989485L},
    {100, 50257, 10.0, 0.09998971320161949320988486L, 0.9978014438778828058510091L, 6.119954442210874004299387L},
    {100, 50257, 100.0, 0.9985756468860503548343316L, 0.9946172978531328303041628L, 5.224564773115664230894554L},
    {100, 50257, 10000.0, 10.71186451453671631467405L, 0.0110510055281297459450552L, 0.01111252151860053435567674L},
    {100, 50257, 1000000.0, 15.42853453476329774078454L, 0.00009994492179500793686038248L,
     0.00009994991662151204353717317L},
    {1000, 50257, 0.1, 0.00009999990050825315545681804L, 0.980100324037735099531548L, 3.917051830687536095786864L},
    {1000, 50257, 1.0, 0.0009999900480181580327793934L, 0.9800827633323800155544664L, 3.916169757953423644657197L},
    {1000, 50257, 10.0, 0.009999001988688329156157348L, 0.9799063367366678141741138L, 3.907350774152892096614981L},
    {1000, 50257, 100.0, 0.0998973252382373529798272L, 0.9780577381728096515789583L, 3.81934073796318421520431L},
    {1000, 50257, 10000.0, 5.458343733704569276230454L, 0.1734612965824713965971511L, 0.1905085347260753559177731L},
    {1000, 50257, 1000000.0, 10.81426956974055005108008L, 0.0009896015488397200112812055L,
     0.0009900915277350407613895537L},
};

/// k, V and the hitting times of leaks 1/2, 1/10, 1/100, 1/1000.
struct known_times {
  std::size_t k, V;
  std::array<long double, 4> t;
};
constexpr known_times hitting_times[] = {
    {1, 10, {2.7775021196025974445L, 11.955004239205194889L, 95.113109984723728379L, 907.19358142038629561L}},
    {4, 32, {9.8106855216935965679L, 45.500971542370364408L, 368.89360499716466131L, 3526.9843272469635339L}},
    {16, 256, {54.62075301653315099L, 207.57912167657644173L, 1593.5475507685519999L, 15128.222074696261454L}},
    {64, 1024, {218.48301206613260396L, 830.31648670630576693L, 6374.1902030742079996L, 60512.888298785045815L}},
    {100, 50257, {720.13917389612052421L, 1737.8326158553555673L, 10959.237063390520562L, 101010.86106225530531L}},
};
constexpr double leaks[] = {0.5, 0.1, 0.01, 0.001};

/// The gap by halving in long double: no shared formula but the equation itself.
long double gap_by_halving(long double k, long double V, long double t) {
  long double low = 0;
  long double high = 100;
  for (int i = 0; i < 200; ++i) {
    const long double u = (low + high) / 2;
    (k * std::expm1(u) + (V - k) * u < V / k * t ? low : high) = u;
  }
  return low;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(flow_free_logits)

BOOST_AUTO_TEST_CASE(the_closed_form_has_thirteen_digits_of_every_tabled_state) {
  BOOST_TEST(std::size(known_states) == 54u);
  for (const known_state& want : known_states) {
    const lt::free_logits_state got = lt::free_logits(want.k, want.V, want.t);
    BOOST_TEST_CONTEXT("k = " << want.k << ", V = " << want.V << ", t = " << want.t) {
      BOOST_TEST(close(got.u, want.u, relative{1e-13}));
      BOOST_TEST(close(got.leak, want.leak, relative{1e-13}));
      BOOST_TEST(close(got.kl, want.kl, relative{1e-13}));
      BOOST_TEST(got.t == want.t);
    }
  }
}

BOOST_AUTO_TEST_CASE(hitting_times_have_thirteen_digits_and_lead_back_to_the_leak) {
  for (const known_times& want : hitting_times)
    for (std::size_t i = 0; i < 4; ++i) {
      const double t = lt::time_to_leak(want.k, want.V, leaks[i]);
      BOOST_TEST(close(t, want.t[i], relative{1e-13}));
      BOOST_TEST(close(lt::free_logits(want.k, want.V, t).leak, leaks[i], relative{1e-12}));
    }
  for (const known_times& want : hitting_times)
    BOOST_TEST(close(lt::half_leak_time(want.k, want.V), want.t[0], relative{1e-13}));
}

BOOST_AUTO_TEST_CASE(every_support_size_keeps_the_laws_of_the_flow_from_tiny_to_huge_times) {
  for (const std::size_t V : {2u, 3u, 17u, 50257u})
    for (std::size_t k = 1; k < V; k += V < 100 ? 1 : 4999)
      for (const double t : {1e-300, 1e-12, 1e-3, 1.0, 1e4, 1e8, 1e12}) {
        const auto s = lt::free_logits(k, V, t);
        const auto on = static_cast<long double>(k);
        const auto all = static_cast<long double>(V);
        BOOST_TEST_CONTEXT("k = " << k << ", V = " << V << ", t = " << t) {
          if (t > 1e-4) {
            BOOST_TEST(close(s.u, gap_by_halving(on, all, t), relative{1e-14}));
          } else {
            BOOST_TEST(close(s.u, t / on, relative{1e-11}));  // u(t) = t / k to first order
          }
          // the logits sum to zero, their gap is u, the loss is that of their softmax
          BOOST_TEST(close(s.z_on - s.z_off, s.u, relative{1e-15}));
          BOOST_TEST(std::fabs(static_cast<double>(on * s.z_on + (all - on) * s.z_off)) <=
                     1e-15 * static_cast<double>(all) * s.u);
          BOOST_TEST(close(s.kl, -std::log1p(-static_cast<long double>(s.leak)), relative{1e-12}));
        }
      }
}

BOOST_AUTO_TEST_CASE(at_time_zero_the_distribution_is_uniform) {
  const auto s = lt::free_logits(4, 32, 0);
  BOOST_TEST(s.u == 0);
  BOOST_TEST(s.z_on == 0);
  BOOST_TEST(close(s.leak, 0.875L, relative{1e-15}));
  BOOST_TEST(close(s.kl, std::log(8.0L), relative{1e-15}));
}

BOOST_AUTO_TEST_CASE(early_rate_is_the_slope_of_the_loss_and_late_prefactor_its_limit) {
  // |p - q|^2 at q = 1/V: k (1/k - 1/V)^2 + (V - k) / V^2
  BOOST_TEST(close(lt::early_rate(4, 32), 0.21875L, relative{1e-15}));
  BOOST_TEST(close(lt::late_prefactor(4, 32), 3.5L, relative{1e-15}));
  const double dt = 1e-6;
  const double fall = (lt::free_logits(4, 32, 0).kl - lt::free_logits(4, 32, dt).kl) / dt;
  BOOST_TEST(close(fall, 0.21875L, relative{1e-6}));
  BOOST_TEST(close(1e12 * lt::free_logits(4, 32, 1e12).kl, 3.5L, relative{1e-9}));
}

BOOST_AUTO_TEST_CASE(the_ends_are_what_the_docstring_says) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const auto end = lt::free_logits(3, 9, inf);
  BOOST_TEST(end.leak == 0);
  BOOST_TEST(end.kl == 0);
  BOOST_TEST(end.z_off == -inf);
  const auto full = lt::free_logits(9, 9, 5.0);
  BOOST_TEST(full.leak == 0);
  BOOST_TEST(full.kl == 0);
  BOOST_TEST(full.z_on == 0);
  BOOST_TEST(lt::time_to_leak(9, 9, 0) == 0);
  BOOST_TEST(lt::time_to_leak(3, 9, 0) == inf);
  BOOST_TEST(lt::time_to_leak(3, 9, 1) == 0);
  BOOST_TEST(lt::half_leak_time(5, 9) == 0);
  BOOST_TEST(lt::half_leak_time(4, 9) > 0);
  BOOST_TEST(lt::late_prefactor(9, 9) == 0);
}

BOOST_AUTO_TEST_CASE(arguments_outside_their_range_are_named) {
  BOOST_CHECK_EXCEPTION((void)lt::free_logits(0, 9, 1), lt::value_error, says("expected 1 .. V = 9, got 0"));
  BOOST_CHECK_EXCEPTION((void)lt::free_logits(10, 9, 1), lt::value_error, says("expected 1 .. V = 9, got 10"));
  BOOST_CHECK_EXCEPTION((void)lt::free_logits(0, 0, 1), lt::value_error, says("V = 0"));
  BOOST_CHECK_EXCEPTION((void)lt::free_logits(3, 9, -1), lt::value_error, says("flow time"));
  BOOST_CHECK_EXCEPTION((void)lt::free_logits(3, 9, std::nan("")), lt::value_error, says("nan"));
  BOOST_CHECK_EXCEPTION((void)lt::time_to_leak(3, 9, 1.5), lt::value_error, says("leaked mass"));
  BOOST_CHECK_THROW((void)lt::late_prefactor(10, 9), lt::value_error);
  BOOST_CHECK_THROW((void)lt::early_rate(0, 9), lt::value_error);
}

BOOST_AUTO_TEST_CASE(a_learning_curve_is_its_states_in_the_order_asked_for) {
  const std::array<double, 3> times{100.0, 0.1, 10.0};
  const auto curve = lt::learning_curve(16, 256, times);
  BOOST_TEST(curve.size() == 3u);
  BOOST_TEST(close(curve[0].leak, 0.253477063410237228673316L, relative{1e-13}));
  BOOST_TEST(close(curve[1].leak, 0.9371328581969405663490595L, relative{1e-13}));
  BOOST_TEST(close(curve[2].kl, 2.213276560972737466449455L, relative{1e-13}));
  BOOST_TEST(lt::learning_curve(16, 256, {}).empty());
}

BOOST_AUTO_TEST_SUITE_END()
