// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/build.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>

#include <fmt/core.h>

#include "driver/back_end_report.hpp"
#include "driver/compiler_messages.hpp"
#include "driver/depfile.hpp"
#include "driver/device_kernels.hpp"
#include "driver/file_roles.hpp"
#include "driver/files.hpp"
#include "driver/pipeline.hpp"
#include "driver/precompiled.hpp"
#include "driver/process.hpp"
#include "driver/reporter.hpp"
#include "driver/standard_streams.hpp"
#include "driver/toolchain.hpp"
#include "driver/translation.hpp"

namespace fs = std::filesystem;

namespace hpcc::driver {
namespace {

bool isTranslated(const fs::path& path) { return path.extension() == ".hpcpp"; }

bool isSource(const fs::path& path) {
    static const std::vector<std::string> endings = {".hpcpp", ".cpp", ".cc", ".cxx",
                                                     ".c++",   ".C",   ".c"};
    return std::find(endings.begin(), endings.end(), path.extension().string()) != endings.end();
}

fs::path keptName(const fs::path& source) { return source.stem().string() + ".hpcc.cpp"; }

class Build {
public:
    explicit Build(const Options& options)
        : options_(options), toolchain_(findToolchain()), reporter_(options.diagnostics) {}

    ExitCode perform() {
        addFiles();
        if (options_.goal == Goal::Stage) return printStages();
        if (options_.goal == Goal::Answer) return answer();
        requireProgram(toolchain_.mpicxx, "MPI compiler wrapper");
        return options_.goal == Goal::Program ? makeProgram() : compileEach();
    }

private:
    /// All files that the command line names, before any is touched.
    void addFiles() {
        for (const std::string& input : options_.inputs()) roles_.addInput(input);
        for (const fs::path& library : librariesOf(options_)) roles_.addInput(library);
        if (isPrinted() || options_.show) roles_.addStandardOutput();
        if (options_.goal == Goal::Stage && !isPrinted()) roles_.addOutput(*options_.output);
        if (options_.goal == Goal::Program) roles_.addOutput(program());
        for (const std::string& input : options_.inputs()) {
            const fs::path target = targetOf(input);
            const bool isCompiled = isSource(input) && options_.goal != Goal::Stage;
            if (isCompiled && options_.goal != Goal::Program && !target.empty())
                roles_.addOutput(target);
            const bool wantsRules = options_.dependencies.wanted && !target.empty();
            if (wantsRules && (isCompiled || options_.goal == Goal::Stage))
                roles_.addOutput(depfileOf(input, target));
        }
    }

    /// True if the result goes to the standard output.
    bool isPrinted() const {
        const bool isNamed = options_.output && *options_.output != "-";
        if (options_.goal == Goal::Assembly) return options_.output && !isNamed;
        return (options_.goal == Goal::Stage || options_.goal == Goal::Preprocessed) && !isNamed;
    }

    fs::path program() const { return options_.output.value_or("a.out"); }

    /// What the rules for make of this input name as made from it.
    fs::path targetOf(const fs::path& input) const {
        if (options_.goal == Goal::Program) return program();
        return outputOfSource(input);
    }

    fs::path depfileOf(const fs::path& source, const fs::path& target) const {
        if (options_.dependencies.file) return *options_.dependencies.file;
        const fs::path beside = options_.goal == Goal::Program ? source.stem() : target;
        return fs::path(beside).replace_extension(".d");
    }

    ExitCode printStages() {
        ExitCode result = ExitCode::Ok;
        for (const std::string& input : options_.inputs()) {
            Translation translation(options_, reporter_, roles_,
                                    options_.headerFolder.value_or(""));
            auto text = translation.form(input, options_.stage);
            if (text && options_.stage == "cpp")
                *text +=
                    kernelsAhead(toolchain_, options_, *text, options_.headerFolder.value_or(""));
            if (!text) {
                result = ExitCode::SourceError;
            } else if (isPrinted()) {
                print(*text);
            } else {
                if (options_.dependencies.wanted) writeRules(input, translation);
                writeFile(*options_.output, *text);
            }
        }
        return result;
    }

    ExitCode answer() {
        Translation translation(options_, reporter_, roles_, "");
        const bool isAnswered = translation.answer(options_.inputs().front(), *options_.line);
        return isAnswered ? ExitCode::Ok : ExitCode::SourceError;
    }

    /// What the printed text was made from.
    void writeRules(const std::string& input, const Translation& translation) const {
        std::vector<std::string> read{input};
        for (const fs::path& header : translation.headers()) read.push_back(header.string());
        writeFile(depfileOf(input, *options_.output),
                  dependencyRules(options_.dependencies, *options_.output, read));
    }

    ExitCode compileEach() {
        ExitCode result = ExitCode::Ok;
        for (const std::string& input : options_.inputs()) {
            requireSource(input);
            if (!compile(input, outputOfSource(input))) result = ExitCode::SourceError;
        }
        return result;
    }

    static void requireSource(const fs::path& input) {
        if (isSource(input)) return;
        const char* advice = input.extension() == ".hph" ? "a header is translated by --emit=header"
                                                         : "nothing to compile";
        throw Failure(ExitCode::Usage,
                      fmt::format("'{}' is no source file; {}", input.string(), advice));
    }

    /// Where the result of compiling one source goes; empty: to the standard output, or nowhere.
    fs::path outputOfSource(const fs::path& source) const {
        if (options_.goal == Goal::SyntaxOnly || isPrinted()) return {};
        if (options_.output) return *options_.output;
        return source.stem().string() + (options_.goal == Goal::Assembly ? ".s" : ".o");
    }

    ExitCode makeProgram() {
        std::vector<LinkItem> items;
        bool compiled = true;
        for (const LinkItem& item : options_.items) {
            if (fs::path(item.text).extension() == ".hph") requireSource(item.text);
            if (!item.isInput || !isSource(item.text)) {
                if (item.isInput && item.text[0] != '@') requireReadable(item.text);
                items.push_back(item);
                continue;
            }
            const fs::path object = objectFor(item.text, items.size());
            compiled = compile(item.text, object) && compiled;
            items.push_back({true, object.string()});
        }
        if (!compiled) return ExitCode::SourceError;
        return link(items, program()) ? ExitCode::Ok : ExitCode::SourceError;
    }

    fs::path objectFor(const fs::path& source, size_t number) const {
        const std::string name = source.stem().string() + ".o";
        return options_.show ? fs::path(name) : folder_.path() / std::to_string(number) / name;
    }

    bool link(const std::vector<LinkItem>& items, const fs::path& program) {
        if (options_.show) return perform(linkCommand(toolchain_, options_, items, program));
        Output output(program);
        if (!perform(linkCommand(toolchain_, options_, items, output.path()))) return false;
        output.commit();
        return true;
    }

    /// Translates the source if it needs it, and compiles it to `target`; false after errors.
    bool compile(const fs::path& source, const fs::path& target) {
        if (options_.show) return showCompilation(source, target);
        Translation translation(options_, reporter_, roles_, shadow());
        const auto translated = translation.translate(source);
        if (!translated) return false;
        const std::string kernels = kernelsAhead(toolchain_, options_, translated->text, shadow());
        Compilation compilation{
            translated->isIdentity ? source : writeGenerated(source, translated->text + kernels),
            {},
            {},
            {},
            {}};
        addFolders(compilation, source, translation);
        if (!target.parent_path().empty() && options_.goal == Goal::Program) {
            makeFolders(target.parent_path());
        }
        return compileTo(compilation, source, target);
    }

    bool showCompilation(const fs::path& source, const fs::path& target) {
        Compilation compilation{source, target, {}, {}, {}};
        if (isTranslated(source)) {
            compilation.source = keptName(source);
            compilation.quoteFolders.push_back(folderOf(source));
            perform({"hpcc", "--emit=cpp", source.string(), "-o", compilation.source.string()});
        }
        return perform(commandFor(compilation, source));
    }

    static fs::path folderOf(const fs::path& file) {
        const fs::path folder = file.parent_path();
        return folder.empty() ? fs::path(".") : folder;
    }

    fs::path shadow() const {
        return options_.keep ? fs::path("hpcc-include") : folder_.path() / "include";
    }

    fs::path shadowOf(const fs::path& folder) const {
        return shadow() / fs::absolute(folder).lexically_normal().relative_path();
    }

    /// The text to compile lies away from its source also when a copy is kept, because the C++
    /// compiler searches a file's own folder first, and there the untranslated headers lie.
    fs::path writeGenerated(const fs::path& source, const std::string& text) {
        const fs::path generated = folder_.path() / keptName(source);
        writeFile(generated, text);
        if (options_.keep) {
            roles_.addOutput(keptName(source));
            writeFile(keptName(source), text);
        }
        return generated;
    }

    /// Generated text lies elsewhere than its source, so the folders that the source would search
    /// are named: translated headers first, then the source's folder and those of its headers. The
    /// translated ones of -I stand twice, because a quoted name is searched in all quote folders
    /// before it is in any other, and the headers themselves lie in some of those.
    void addFolders(Compilation& compilation, const fs::path& source,
                    const Translation& translation) const {
        const std::vector<fs::path> headers = translation.headers();
        if (!headers.empty()) {
            compilation.quoteFolders.push_back(shadowOf(folderOf(source)));
            for (const std::string& folder : options_.includeFolders) {
                compilation.quoteFolders.push_back(shadowOf(folder));
                compilation.firstFolders.push_back(shadowOf(folder));
            }
        }
        if (compilation.source != source) compilation.quoteFolders.push_back(folderOf(source));
        for (const fs::path& header : headers)
            compilation.quoteFolders.push_back(header.parent_path());
    }

    bool compileTo(Compilation& compilation, const fs::path& source, const fs::path& target) {
        const DependencyOptions& dependencies = options_.dependencies;
        const fs::path depfile = folder_.path() / "depfile";
        const bool asksForReads = dependencies.wanted || mayOverwriteHeaders();
        if (asksForReads) compilation.dependencyFlags = dependencyFlags(depfile, source, target);
        if (isPrinted()) compilation.output = "-";
        if (target.empty()) return performCompilation(compilation, source);
        Output output(target);
        compilation.output = output.path();
        if (!performCompilation(compilation, source)) return false;
        if (asksForReads) {
            const std::string rules = readRules(depfile, compilation.source, source);
            for (const std::string& name : filesOfRules(rules)) roles_.addInput(name);
            if (dependencies.wanted) writeFile(depfileOf(source, madeFile(target)), rules);
        }
        output.commit();
        return true;
    }

    /// Only the C++ compiler knows which plain headers it reads. Whoever asks its preprocessor for
    /// them himself is not disturbed.
    bool mayOverwriteHeaders() const {
        const auto asks = [](const std::string& flag) { return flag.starts_with("-Wp,-M"); };
        return roles_.anyOutputExists() && std::ranges::none_of(options_.compileFlags, asks);
    }

    /// A translated text is known by the name of its source, so that objects do not depend on where
    /// it lies. One in which all nests ask where their elements are says so.
    Command commandFor(const Compilation& compilation, const fs::path& source) const {
        const bool isTranslated = compilation.source != source;
        const auto commandOf = [&](const Compilation& file) {
            Command command = compileCommand(toolchain_, options_, file);
            if (isTranslated && asksForDevices(options_))
                command.insert(command.begin() + 1, "-DHPSPMD_DEVICE");
            return command;
        };
        Command command = commandOf(compilation);
        if (isTranslated) {
            const std::string names = compilation.source.string() + "=" + source.string();
            command.insert(command.begin() + 1, "-fmacro-prefix-map=" + names);
            makeShadowsWarnings(command);
        }
        if (!mayUsePrecompiled(compilation)) return command;
        const Command forHeader = commandOf({sourceOfPrecompiled(toolchain_), {}, {}, {}, {}});
        return withPrecompiled(std::move(command), forHeader, toolchain_);
    }

    /// Not where the user includes files of his own first, or asks which files are read.
    bool mayUsePrecompiled(const Compilation& compilation) const {
        const auto reads = [](const std::string& flag) {
            return flag.starts_with("-i") || flag.starts_with("-Wp,");
        };
        const bool isObject = options_.goal == Goal::Program || options_.goal == Goal::Object;
        return isObject && !options_.show && !options_.dependencies.wanted && keepsPrecompiled() &&
               std::ranges::none_of(options_.compileFlags, reads) &&
               beginsWithHeaders(compilation.source);
    }

    /// What the compiler says about a translated text is shown in terms of the source.
    bool performCompilation(const Compilation& compilation, const fs::path& source) {
        const Command command = commandFor(compilation, source);
        if (compilation.source == source) return perform(withColor(command));
        if (options_.verbose) std::cerr << shellLine(command) << std::endl;
        std::string said;
        const bool succeeded = run(command, said) == 0;
        return (said.empty() || reportCompilation(compilation, said)) && succeeded;
    }

    /// For a compiler that speaks to the user itself; what we read is not coloured.
    Command withColor(Command command) const {
        const Color color = options_.diagnostics.color;
        if (color != Color::Auto)
            command.push_back(color == Color::Always ? "-fdiagnostics-color=always"
                                                     : "-fdiagnostics-color=never");
        return command;
    }

    /// False after errors, which warnings can be by -Werror=HP3102.
    bool reportCompilation(const Compilation& compilation, const std::string& said) {
        const CompilerOutput output = parseMessages(said);
        std::vector<std::string> translated = {readSource(compilation.source)};
        std::error_code isAbsent;
        if (fs::is_directory(shadow(), isAbsent))
            for (const fs::directory_entry& entry : fs::recursive_directory_iterator(shadow()))
                if (entry.is_regular_file()) translated.push_back(readSource(entry.path()));
        BackEndReport backEnd(std::move(translated), toolchain_.include, options_.compileFlags);
        diagnostics::Engine engine;
        engine.setLevels(options_.diagnostics.levels);
        // Of a line that stands in several forms of a nest, the last is the one of the source.
        for (auto message = output.messages.rbegin(); message != output.messages.rend(); ++message)
            backEnd.report(*message, engine);
        engine.sort();
        reporter_.report(engine);
        reporter_.print(output.others);
        return !engine.hasErrors();
    }

    /// What a rule for make is about: the object, or the program if the object is of no lasting
    /// use.
    fs::path madeFile(const fs::path& target) const {
        return options_.goal == Goal::Program ? program() : target;
    }

    Command dependencyFlags(const fs::path& depfile, const fs::path& source,
                            const fs::path& target) const {
        const DependencyOptions& dependencies = options_.dependencies;
        Command flags{dependencies.withSystemHeaders ? "-MD" : "-MMD", "-MF", depfile.string()};
        flags.insert(flags.end(), dependencies.words.begin(), dependencies.words.end());
        const fs::path made = target.empty() ? source : madeFile(target);
        if (!dependencies.targetGiven) flags.insert(flags.end(), {"-MQ", made.string()});
        return flags;
    }

    /// The rules with the user's names.
    std::string readRules(const fs::path& depfile, const fs::path& compiled,
                          const fs::path& source) const {
        if (!isRegularFile(depfile)) return {};
        const std::string shadowPrefix = shadow().string();
        return renameDependencies(readSource(depfile), [&](const std::string& name) {
            if (name == compiled.string()) return source.string();
            if (name.compare(0, shadowPrefix.size(), shadowPrefix) != 0) return name;
            return name.substr(shadowPrefix.size());
        });
    }

    bool perform(const Command& command) const {
        if (options_.show) print(shellLine(command) + "\n");
        if (options_.verbose && !options_.show) std::cerr << shellLine(command) << std::endl;
        return options_.show || run(command) == 0;
    }

    const Options& options_;
    Toolchain toolchain_;
    Reporter reporter_;
    FileRoles roles_;
    TemporaryFolder folder_;
};

}  // namespace

ExitCode build(const Options& options) {
    requireKnownPasses(options);
    return Build(options).perform();
}

}  // namespace hpcc::driver
