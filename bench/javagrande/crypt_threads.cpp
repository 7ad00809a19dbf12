// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JavaGrande Crypt: the cipher IDEA over an array of bytes, there and back, in threads by hand.
// usage: crypt_threads test|A|B|C
#include "crypt.hpp"
#include "threads.hpp"

#include <array>
#include <vector>

using Bytes = std::vector<unsigned char>;
using Keys = std::array<int, 52>;

// a * b modulo 2^16 + 1, where 0 stands for 2^16.
int multiply(int a, int b) {
    if (a == 0) return (0x10001 - b) & 0xffff;
    if (b == 0) return (0x10001 - a) & 0xffff;
    const unsigned product = static_cast<unsigned>(a) * static_cast<unsigned>(b);
    const int low = static_cast<int>(product & 0xffff), high = static_cast<int>(product >> 16);
    return (low - high + (low < high ? 1 : 0)) & 0xffff;
}

void cipher(const Bytes& text, Bytes& result, const Keys& key) {
    const std::size_t count = javagrande::threads(), n = text.size();
    javagrande::inThreads(count, [&](std::size_t t) {
        const std::size_t end = javagrande::partOf(n, t + 1, count, 8);
        for (std::size_t i = javagrande::partOf(n, t, count, 8); i < end; i += 8) {
            int x1 = text[i] | text[i + 1] << 8, x2 = text[i + 2] | text[i + 3] << 8;
            int x3 = text[i + 4] | text[i + 5] << 8, x4 = text[i + 6] | text[i + 7] << 8;
            int k = 0;
            for (int round = 0; round < 8; ++round) {
                x1 = multiply(x1, key[k]);
                x2 = (x2 + key[k + 1]) & 0xffff;
                x3 = (x3 + key[k + 2]) & 0xffff;
                x4 = multiply(x4, key[k + 3]);
                int t2 = multiply(x1 ^ x3, key[k + 4]);
                const int t1 = multiply((t2 + (x2 ^ x4)) & 0xffff, key[k + 5]);
                t2 = (t1 + t2) & 0xffff;
                x1 ^= t1;
                x4 ^= t2;
                t2 ^= x2;
                x2 = x3 ^ t1;
                x3 = t2;
                k += 6;
            }
            x1 = multiply(x1, key[48]);
            x3 = (x3 + key[49]) & 0xffff;
            x2 = (x2 + key[50]) & 0xffff;
            x4 = multiply(x4, key[51]);
            result[i] = static_cast<unsigned char>(x1);
            result[i + 1] = static_cast<unsigned char>(x1 >> 8);
            result[i + 2] = static_cast<unsigned char>(x3);
            result[i + 3] = static_cast<unsigned char>(x3 >> 8);
            result[i + 4] = static_cast<unsigned char>(x2);
            result[i + 5] = static_cast<unsigned char>(x2 >> 8);
            result[i + 6] = static_cast<unsigned char>(x4);
            result[i + 7] = static_cast<unsigned char>(x4 >> 8);
        }
    });
}

int main(int count, char** words) {
    const int n = javagrande::sizeOf(count, words, 4000, 3000000, 20000000, 50000000);
    javagrande::Random random(136506717);
    std::array<int, 8> user{};
    for (int& each : user) each = random.nextInt() & 0xffff;
    Bytes plain(n), secret(n), again(n);
    for (int i = 0; i < n; ++i) plain[i] = static_cast<unsigned char>(i);

    Bytes few(64), fewer(64);
    cipher(few, fewer, javagrande::encryptionKeys(user));  // what starts once is not measured

    javagrande::Watch watch;
    const Keys there = javagrande::encryptionKeys(user), back = javagrande::decryptionKeys(there);
    cipher(plain, secret, there);
    cipher(secret, again, back);
    watch.stop();

    double sum = 0;
    for (int i = 0; i < n; ++i) sum += secret[i] * (i % 5 + 1);
    javagrande::validate("plain text restored", again == plain, 1, 0);
    javagrande::answer("crypt", sum);
    javagrande::time("crypt", watch);
}
