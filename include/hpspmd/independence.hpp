// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// Independence, which checks what `[[hpspmd::independent]]` promises, and what only the program
/// promises of divided loops, if it runs with HPSPMD_CHECK=independence or HPSPMD_CHECK=races.

#include <hpspmd/array.hpp>
#include <hpspmd/promised_array.hpp>

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace hpspmd::detail {

/// True if the environment variable HPSPMD_CHECK names `independence` or `races`.
bool checksIndependence();

/// Where the elements of a new array lie, so that those of several processes can be compared; kept
/// until its storage is released. To be called if checksIndependence().
void rememberLayout(const Storage& storage, const Map* maps, int rank, const Group& group);
void forgetLayout(const Storage& storage) noexcept;

/// Lives while a nest runs that was asserted to be independent: knows which iteration reads and
/// writes which element. An iteration is what the indices of the `overall`s of the nest are at the
/// time. Two of them depend on one another if one writes what the other one reads or writes and
///
/// * an index of the same run of an `overall` differs, or
/// * an index of two `overall`s side by side, or of two runs of an inner one, differs where their
///   ranges are distributed. Over other ranges the one run is over when the other one begins.
///
/// If it is given PromisedArrays, it knows accesses to these only.
class Independence {
public:
    /// `arrays` are the same in all processes of the active group: their elements are compared
    /// between processes, those of others inside each process.
    template <class... A>
    explicit Independence(Where where, const A&... arrays)
        : Independence(where, std::vector<const Storage*>{storageOf(arrays)...}) {}
    template <class... A>
    Independence(Where where, PromisedArray first, A... more)
        : Independence(where, std::vector<const Storage*>()) {
        take(std::move(first));
        (take(std::move(more)), ...);
    }
    ~Independence();
    Independence(const Independence&) = delete;
    Independence& operator=(const Independence&) = delete;

    /// Lives while one `overall` of the nest runs; `at` begins an iteration.
    class Loop {
    public:
        Loop(Independence& nest, const char* index) : nest_(nest) { nest.enter(index); }
        ~Loop() { nest_.leave(); }
        Loop(const Loop&) = delete;
        Loop& operator=(const Loop&) = delete;

        void at(const DistributedIndex& i) { nest_.iterate(i); }

    private:
        Independence& nest_;
    };

    /// An element, or something inside of it, that the iteration reads or writes; of what is given,
    /// only the member that `part` names. `array` is what messages call the array.
    template <class E>
    std::conditional_t<std::is_lvalue_reference_v<E>, E, std::decay_t<E>> read(
        E&& element, const char* array, const char* part = "", Where where = Where::here()) {
        note<E>(element, false, array, part, where);
        return std::forward<E>(element);
    }
    template <class E>
    std::conditional_t<std::is_lvalue_reference_v<E>, E, std::decay_t<E>> write(
        E&& element, const char* array, const char* part = "", Where where = Where::here()) {
        note<E>(element, true, array, part, where);
        return std::forward<E>(element);
    }

    /// Behind the nest: DependentIterations, in all processes of the active group, if two
    /// iterations depend on one another, in whatever processes. Collective over the group.
    void compare();

    struct Notes;

private:
    Independence(Where where, std::vector<const Storage*> arrays);
    /// Of what turns out to be no array, none.
    template <class A>
    static const Storage* storageOf(const A& a) {
        if constexpr (isArray<A>)
            return a.storage();
        else
            return nullptr;
    }
    void take(PromisedArray array);
    void enter(const char* index);
    void leave();
    void iterate(const DistributedIndex& i);
    void add(const void* begin, std::size_t size, bool writes, const char* array, const char* part,
             Where where);

    template <class E, class Element>
    void note(Element& element, bool writes, const char* array, const char* part, Where where) {
        if constexpr (std::is_lvalue_reference_v<E>)
            add(std::addressof(element), sizeof element, writes, array, part, where);
    }

    std::unique_ptr<Notes> notes_;
};

}  // namespace hpspmd::detail
