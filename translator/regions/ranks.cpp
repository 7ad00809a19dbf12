// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "regions/ranks.hpp"

#include <algorithm>
#include <vector>

#include "ast/declarators.hpp"
#include "ast/print.hpp"
#include "ast/search.hpp"
#include "regions/rewritten.hpp"

namespace hpcc::regions {
namespace {

using ast::NodePtr;
using diagnostics::Id;

bool isPackOf(NodePtr node, std::string_view name) {
    return ast::is<ast::PackExpansion>(node) && node->child(0)->text() == name;
}

// S of `[[S...]]`; null if the node holds none.
NodePtr slotPack(NodePtr node) {
    if (!node || !node->contains(ast::extension)) return nullptr;
    if (node->is<ast::MultiarrayType>())
        for (const NodePtr slot : node->child(ast::MultiarrayType::dimensions)->children())
            if (slot->is<ast::PackExpansion>()) return slot->child(0);
    for (const NodePtr child : node->children())
        if (const NodePtr found = slotPack(child)) return found;
    return nullptr;
}

// A function, perhaps of a class, under its template heads and attributes.
NodePtr templated(NodePtr node) {
    while (ast::isAny<ast::Template, ast::Attributed>(node))
        node = node->child(node->is<ast::Template>() ? uint32_t{ast::Template::declaration}
                                                     : uint32_t{ast::Attributed::declaration});
    return node;
}

bool declaresFunction(NodePtr node) {
    if (ast::is<ast::FunctionDefinition>(node)) return true;
    if (!ast::is<ast::Declaration>(node)) return false;
    const NodePtr list = node->child(ast::Declaration::declarators);
    return list && list->children().size() == 1 &&
           ast::functionDeclarator(list->child(0)->child(ast::InitDeclarator::declarator));
}

// The parameter `class... S` of the template heads of `node`.
NodePtr packParameter(NodePtr node, std::string_view name) {
    for (; ast::isAny<ast::Template, ast::Attributed>(node);
         node = node->child(node->is<ast::Template>() ? uint32_t{ast::Template::declaration}
                                                      : uint32_t{ast::Attributed::declaration})) {
        if (!node->is<ast::Template>()) continue;
        for (const NodePtr each : node->child(ast::Template::parameters)->children()) {
            const NodePtr own = ast::is<ast::TypeParameter>(each) ? each->child(0) : nullptr;
            if (own && own->text() == name && each->text().find("...") != std::string_view::npos)
                return each;
        }
    }
    return nullptr;
}

class RankWriter {
public:
    RankWriter(const ast::Unit& unit, diagnostics::Engine& engine)
        : engine_(engine), names_(unit.identifiers), out_(*unit.text) {}

    void write(NodePtr node) {
        if (!node) return;
        const NodePtr pack = slotPack(node);
        if (!pack) return out_.copy(node->span());
        const bool isTemplate =
            ast::isAny<ast::Template, ast::Attributed>(node) && templated(node) != node;
        if (isTemplate && declaresFunction(templated(node))) {
            if (const NodePtr parameter = packParameter(node, pack->text()))
                return writeRanks(node, parameter);
        }
        if (node->is<ast::MultiarrayType>()) return refuse(pack);
        forEachPiece(node);
    }

    std::string take() { return out_.take(); }

    // What forEachPiece tells.
    void gap(source::Span piece) { out_.takeOver(piece); }
    void joint(std::string_view) {}
    void child(NodePtr child) { rank_ > 0 ? writeRank(child) : write(child); }
    static bool keeps(NodePtr) { return false; }

private:
    void forEachPiece(NodePtr node) { ast::forEachPiece(node, *this); }

    void refuse(NodePtr pack) {
        engine_.report(Id::SlotPackPlace, pack->span(), pack->text())
            .help("write 'template <class T, class... " + std::string(pack->text()) +
                  ">' before a function that takes 'T [[" + std::string(pack->text()) + "...]]'");
    }

    void writeRanks(NodePtr node, NodePtr parameter) {
        parameter_ = parameter;
        pack_ = parameter->child(0)->text();
        for (rank_ = 1; rank_ <= mostRanks; ++rank_) {
            if (rank_ > 1) out_.startLine(node->span());
            forEachPiece(node);
        }
        rank_ = 0;
    }

    // "class S_0, class S_1"
    std::string slots(std::string_view before) const {
        std::string list;
        for (int r = 0; r < rank_; ++r)
            list += (r > 0 ? ", " : "") + std::string(before) +
                    names_.name(std::string(pack_) + "_" + std::to_string(r));
        return list;
    }

    void writeRank(NodePtr node) {
        if (!node) return;
        if (node == parameter_) return out_.replace(node->span(), slots("class "));
        if (isPackOf(node, pack_)) return out_.replace(node->span(), slots(""));
        if (node->is<ast::Sizeof>() && node->child(0) && node->child(0)->text() == pack_)
            return out_.replace(node->span(), std::to_string(rank_));
        if (node->is<ast::Identifier>() && node->text() == pack_ && rank_ == 1)
            engine_.report(Id::SlotPackUse, node->span(), pack_, pack_, pack_);
        forEachPiece(node);
    }

    diagnostics::Engine& engine_;
    const ast::FreshNames names_;
    Rewritten out_;
    NodePtr parameter_ = nullptr;
    std::string_view pack_;
    int rank_ = 0;  // that is being written; 0 outside of such functions
};

}  // namespace

std::optional<std::string> ranksWritten(const ast::Unit& unit, diagnostics::Engine& engine) {
    if (!slotPack(unit.root)) return std::nullopt;
    RankWriter writer(unit, engine);
    writer.write(unit.root);
    return writer.take();
}

}  // namespace hpcc::regions
