// Bodies of functions that programs of this folder declare; hpcc does not look into this file.
#include <cstdlib>
#include <hpspmd>
#include <string>
#include <utility>
void exchange(hpspmd::Array<double, hpspmd::Dist> a) { hpspmd::Adlib::writeHalo(a); }
void exchange(hpspmd::Array<double, hpspmd::Dist> a, int) { hpspmd::Adlib::writeHalo(a); }

bool load(hpspmd::Array<double, hpspmd::Dist>) { return hpspmd::apg().rank() == 0; }
void draw(hpspmd::Array<double, hpspmd::Dist>) {}
bool draw(const std::string&, double) { return false; }
void drawField(hpspmd::Array<double, hpspmd::Dist>) {}
double solve(hpspmd::Array<double, hpspmd::Dist> a) { return hpspmd::Adlib::sum(a); }
bool isReady() { return true; }
double expensive(int k) { return k; }

int agree(int own) { return hpspmd::Adlib::sum(own); }
void agreeOn(int& own) { own = hpspmd::Adlib::sum(own); }
void both(int& first, int* second) {
    first = hpspmd::Adlib::sum(first);
    *second = hpspmd::Adlib::sum(*second);
}

void usage() { std::exit(2); }
[[noreturn]] void fail(const char*) { std::exit(3); }
void extent(int& rows, int* columns, hpspmd::Array<double, hpspmd::Dist>& out) {
    rows = 1;
    *columns = 2;
    out = hpspmd::create<double>(hpspmd::apg(), hpspmd::CollapsedRange(4));
}
void parse(const char* text, double& value) { value = std::atof(text); }
std::pair<int, double> both() { return {1, 2.5}; }
