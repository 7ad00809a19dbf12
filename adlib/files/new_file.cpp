// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "files/new_file.hpp"

#include <cstdio>
#include <hpspmd/active.hpp>

namespace hpspmd::detail::files {
bool isFirst() { return apg().rank() == 0; }

NewFile::~NewFile() {
    if (handle_ && !name_.empty() && isFirst()) std::remove(name_.c_str());
}

void NewFile::open(const Entered& entered, const std::function<void(DiskFile&)>& begin,
                   bool byAll) {
    Outcome outcome(entered);
    if (isFirst())
        outcome.attempt([&] {
            handle_.emplace(DiskFile::beside(path_));
            name_ = handle_->path();
            begin(*handle_);
        });
    name_ = told(entered, name_);
    outcome.require();
    if (!isFirst() && byAll) outcome.attempt([&] { handle_.emplace(DiskFile::forWriting(name_)); });
    if (handle_ && isDurable_) handle_->sendAtOnce();
    outcome.require();
}

void NewFile::commit(const Entered& entered, const std::function<void(DiskFile&)>& end,
                     const std::string& keptAs) {
    Outcome outcome(entered);
    if (isFirst()) outcome.attempt([&] { end(*handle_); });
    if (handle_)
        outcome.attempt([&] {
            if (isDurable_) handle_->sync();
            handle_->close();
        });
    outcome.require();
    if (isFirst())
        outcome.attempt([&] {
            if (!keptAs.empty() && exists(path_)) rename(path_, keptAs);
            rename(name_, path_);
            name_.clear();
            if (isDurable_) syncFolderOf(path_);
        });
    outcome.require();
}

}  // namespace hpspmd::detail::files
