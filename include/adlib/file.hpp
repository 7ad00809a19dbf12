// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// File, several arrays in one file.

#include <adlib/variable.hpp>
#include <exception>
#include <memory>
#include <string>

namespace hpspmd::Adlib {

/// A file of several arrays and values with names, .npz or .h5, or of several arrays of one shape,
/// .vti, which gets its name when it is closed:
///     {
///         Adlib::File file("out.h5");
///         file.write("u", u);
///         file.write("run/time", time);      // a number, string, vector, or object of bytes
///     }                                      // h5py.File("out.h5")["run/time"][()]
///     Adlib::read(u, "out.h5:u");
/// All functions are collective over the APG, the end of scope too. IoError, which leaves an old
/// file of that name as it was.
class File {
public:
    explicit File(std::string file, detail::Where where = detail::Where::here());
    File(File&&) noexcept;
    File& operator=(File&&) = delete;
    /// Closes it, unless an exception is under way: then nothing is written.
    ~File() noexcept(false);

    template <class T, class... Slots>
    void write(const std::string& name, const Array<T, Slots...>& array,
               detail::Where where = detail::Where::here()) {
        writeArray(name, detail::anyOperand(array, where), {}, where);
    }
    /// With attributes, those that the first process has; of .h5.
    template <class T, class... Slots>
    void write(const std::string& name, const Array<T, Slots...>& array,
               const Attributes& attributes, detail::Where where = detail::Where::here()) {
        writeArray(name, detail::anyOperand(array, where), attributes, where);
    }
    template <class T, class... Slots>
    void write(const std::string& name, const Array<T, Slots...>& array,
               std::initializer_list<Attributes::Named> attributes,
               detail::Where where = detail::Where::here()) {
        writeArray(name, detail::anyOperand(array, where), Attributes(attributes), where);
    }
    /// What the first process has.
    template <class T, std::enable_if_t<!detail::isArray<T>, int> = 0>
    void write(const std::string& name, const T& value,
               detail::Where where = detail::Where::here()) {
        writeValue(name, detail::fileValue(value), where);
    }
    /// Of the file itself, `h5py.File("out.h5").attrs["time"]`; of .h5. What the first process has.
    void attribute(const std::string& name, const Attribute& value,
                   detail::Where where = detail::Where::here());
    void close(detail::Where where = detail::Where::here());

private:
    void writeArray(const std::string& name, const detail::FileOperand& array,
                    const Attributes& attributes, detail::Where where);
    void writeValue(const std::string& name, const detail::FileValue& value, detail::Where where);

    struct State;
    std::unique_ptr<State> state_;
    int exceptions_ = std::uncaught_exceptions();
};

}  // namespace hpspmd::Adlib
