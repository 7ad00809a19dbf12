// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of numbers from a file of comma-separated values. Plain C++, used by q3.hpcpp
// and plain.cpp. // What is wrong with a file is an IoError, which ends the job with exit code 85.
#pragma once

#include <hpspmd>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

struct Table {
    long rows = 0, columns = 0;
    std::vector<double> values;  // row after row
};

// The number that a field holds; `place` names file, line and field for the message.
inline double fieldValue(const std::string& field, const std::string& place) {
    std::size_t used = 0;
    double value = 0;
    try {
        value = std::stod(field, &used);
    } catch (const std::exception&) {
        throw hpspmd::IoError(place + ": '" + field + "' is not a number");
    }
    if (field.find_first_not_of(" \t\r", used) != std::string::npos)
        throw hpspmd::IoError(place + ": '" + field + "' is not a number");
    return value;
}

// Reads a file whose lines all have the same number of fields; empty lines are skipped.
inline Table readTable(const std::string& path) {
    std::ifstream file(path);
    if (!file) throw hpspmd::IoError(path + ": " + std::strerror(errno));

    Table table;
    std::string line, field;
    for (long number = 1; std::getline(file, line); ++number) {
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        const std::string place = path + ":" + std::to_string(number);
        std::istringstream fields(line);
        long columns = 0;
        while (std::getline(fields, field, ','))
            table.values.push_back(
                fieldValue(field, place + ", field " + std::to_string(++columns)));
        if (table.rows == 0) table.columns = columns;
        if (columns != table.columns)
            throw hpspmd::IoError(place + ": " + std::to_string(columns) +
                                  " fields, but the lines before have " +
                                  std::to_string(table.columns));
        ++table.rows;
    }
    if (table.rows == 0) throw hpspmd::IoError(path + ": no numbers in this file");
    return table;
}
