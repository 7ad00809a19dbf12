// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <adlib/pictures.hpp>
#include <cstdio>
#include <filesystem>
#include <hpspmd/active.hpp>

#include "files/new_file.hpp"
#include "files/outcome.hpp"
#include "files/request.hpp"
#include "pictures/picture.hpp"

namespace hpspmd::Adlib {

using namespace detail::files;

namespace {

std::string numbered(const std::string& name, Index k) {
    char digits[32];
    std::snprintf(digits, sizeof digits, ".%06lld.png", static_cast<long long>(k));
    return name + digits;
}

/// The page over pictures 0 .. last.
std::string pageOf(const std::string& name, Index last) {
    return R"(<!doctype html>
<meta charset="utf-8">
<title>)" + name +
           R"(</title>
<style>
body { margin: 1em; font-family: sans-serif; }
img { width: 100%; max-width: 60em; image-rendering: pixelated; border: 1px solid #888; }
input { width: 100%; max-width: 60em; }
</style>
<p><img id="picture" alt="">
<p><input id="slider" type="range" min="0" max=")" +
           std::to_string(last) + "\" value=\"" + std::to_string(last) +
           R"("> <span id="number"></span>
<script>
const slider = document.getElementById("slider"), last = Number(slider.max);
function show() {
    const k = Number(slider.value);
    document.getElementById("picture").src = )" +
           "\"" + name + R"(." + String(k).padStart(6, "0") + ".png";
    document.getElementById("number").textContent = k + " of " + last;
}
slider.addEventListener("input", show);
show();
// The newest is shown until the slider is moved away from it.
setInterval(() => { if (Number(slider.value) === last) location.reload(); }, 1000);
</script>
)";
}

}  // namespace

Frames::Frames(std::string name, Colours colours, Index every)
    : name_(std::move(name)), colours_(std::move(colours)), every_(every > 0 ? every : 1) {}

void Frames::addNow(const detail::FileOperand& array, detail::Where where) {
    const std::string picture = numbered(name_, count_);
    if (count_ == 0 && isFirst()) {
        std::error_code cause;  // writing the picture tells it
        std::filesystem::create_directories(std::filesystem::path(name_).parent_path(), cause);
    }
    detail::writePicture(picture, array, colours_, where);
    const detail::Call call{"add", where};
    onFile(call, name_ + ".html", "write", [&] {
        const detail::Entered entry = entered(call, name_, nullptr);
        Outcome outcome(entry);
        if (isFirst())
            outcome.attempt([&] {
                replaceFile(name_ + ".png", contentOf(picture));
                replaceFile(name_ + ".html",
                            pageOf(std::filesystem::path(name_).filename().string(), count_));
            });
        outcome.require();
    });
    ++count_;
}

}  // namespace hpspmd::Adlib
