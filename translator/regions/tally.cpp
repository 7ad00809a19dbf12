// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/tally.hpp"

#include "regions/combining.hpp"

namespace hpcc::regions {

const Operation* Tally::operation(const Symbol* symbol) const {
    const auto found = operations_.find(symbol);
    return found == operations_.end() ? nullptr : &found->second;
}

void Tally::mention(NodePtr node, const Symbol* symbol) {
    if (!operation(symbol)) return;
    Count& count = counts_[symbol];
    ++count.mentions;
    if (!count.first) count.first = node;
}

void Tally::change(NodePtr changing, const Symbol* symbol) {
    const Operation& operation = *this->operation(symbol);
    mention(changing, symbol);
    Count& count = counts_[symbol];
    count.isChanged = true;
    if (operation.isSign()) {
        count.combined += combinedMentions(changing, symbol, operation.sign);
    } else if (const NodePtr value = takenBy(changing, symbol, operation.sign)) {
        mention(changing, symbol);
        count.combined += 2;
        count.taken.push_back({changing, value});
    }
}

void Tally::branch(NodePtr statement) {
    const auto found = keptExtreme(statement);
    const Operation* operation = found ? this->operation(found->symbol) : nullptr;
    if (!operation || operation->sign != found->sign) return;
    counts_[found->symbol].combined += 2;
    counts_[found->symbol].isChanged = true;
}

void Tally::finish(Body& body) const {
    for (const auto& [symbol, count] : counts_) {
        if (!count.isChanged) continue;  // what all processes have
        const Operation& operation = *this->operation(symbol);
        const bool isExact = count.mentions == count.combined;
        if (!isExact && !operation.mayBeFree && !operation.isChosen)
            body.misused.emplace(symbol, count.first);
        body.combined[symbol] = {operation, !isExact,
                                 isExact ? count.taken : std::vector<Combined::Taken>()};
    }
}

}  // namespace hpcc::regions
