// A class of another library that reads values.
#pragma once

struct Archive {
    Archive& operator>>(int& value) { return value = 2, *this; }
    Archive& operator&(double& value) { return value = 1.5, *this; }
};
