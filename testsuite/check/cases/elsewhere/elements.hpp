// Out of sight of the translator.
double getConst(const double& e) { return 2 * e; }
double getValue(double e) { return 2 * e; }
inline double get2(double e) { return 2 * e; }
