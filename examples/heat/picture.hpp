// Pictures in and out: NetPBM is read, PNG is written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Grey levels 0 (black) to 255 (white), row by row from the top.
struct Picture {
    long height, width;
    std::vector<uint8_t> levels;

    double level(long row, long column) const { return levels[row * width + column]; }
};

/// Reads a grey or colour NetPBM file (P2, P3, P5, P6); colours become their luminance.
/// std::runtime_error, with the file's name and what is wrong, if it is none or is cut short.
Picture readNetpbm(const std::string& file);

/// Writes temperatures from 0 to 100 as a PNG, from black over red and yellow to white.
/// std::runtime_error if that fails.
void writeHeatPng(const std::string& file, long height, long width,
                  const std::vector<double>& temperatures);
