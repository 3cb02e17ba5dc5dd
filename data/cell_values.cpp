#include "data/cell_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "data/library.hpp"
#include "topologies/input_error.hpp"
#include "topologies/text.hpp"

namespace narrows {
namespace {

bool is_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The end of the bracket that is open at `begin`, past the text when none is.
std::size_t closing(const std::string& text, std::size_t begin) {
    int open = 0;
    for (std::size_t at = begin; at < text.size(); ++at) {
        if (text[at] == '(' || text[at] == '{') ++open;
        if ((text[at] == ')' || text[at] == '}') && --open == 0) return at;
    }
    return text.size();
}

// At commas outside brackets.
std::vector<std::string> split_arguments(const std::string& text) {
    std::vector<std::string> arguments;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at < text.size() && (text[at] == '(' || text[at] == '{')) at = closing(text, at);
        if (at < text.size() && text[at] != ',') continue;
        arguments.emplace_back(trimmed(std::string_view(text).substr(begin, at - begin)));
        begin = at + 1;
    }
    if (arguments.size() == 1 && arguments.front().empty()) arguments.clear();
    return arguments;
}

}  // namespace

std::int64_t CellCall::count(std::size_t i) const {
    const double value = number(i);
    if (value != std::floor(value) || std::abs(value) > 1e15) origin.fail(fmt::format("{:g} is no count", value));
    return static_cast<std::int64_t>(value);
}

const CellFunction* CellValues::function_named(const std::string& name) const {
    const auto found = std::ranges::find(language_.functions, name, &CellFunction::name);
    return found == language_.functions.end() ? nullptr : &*found;
}

Amount CellValues::amount(const CellText& expression) {
    const Prepared made = prepared(expression);
    return made.formula.at(made.known);
}

double CellValues::number(const CellText& expression, Dimension dimension) {
    const Prepared made = prepared(expression);
    return made.formula.at(made.known, dimension);
}

// Each call becomes a name whose value is known.
CellValues::Prepared CellValues::prepared(const CellText& expression) {
    const auto& [text, origin] = expression;
    std::string formula;
    Amounts known;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_of_word(text[end])) ++end;
        const std::string word = text.substr(at, end - at);
        if (end < text.size() && text[end] == '(' && function_named(word) != nullptr) {
            const std::size_t close = closing(text, end);
            if (close == text.size()) origin.fail(fmt::format("'{}(' has no ')'", word));
            formula += fmt::format("call_{}", known.size());
            known.emplace(fmt::format("call_{}", known.size()),
                          called(word, text.substr(end + 1, close - end - 1), origin));
            at = close + 1;
        } else {
            formula += word.empty() ? text.substr(at, 1) : word;
            at = std::max(end, at + 1);
        }
    }
    Prepared made{Expression(formula, origin), std::move(known)};
    for (const std::string& name : made.formula.names()) {
        if (!made.known.contains(name)) made.known.emplace(name, named(name, origin));
    }
    return made;
}

Amount CellValues::named(const std::string& name, const Origin& origin) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        if (!scope->contains(name)) continue;
        return origin.located([&] { return Amount::parse(scope->at(name)); });
    }
    const auto expression = cells_.names.find(name);
    if (expression != cells_.names.end()) {
        constexpr int deepest = 50;
        if (++depth_ > deepest) expression->second.origin.fail(fmt::format("'{}' refers to itself", name));
        const Amount found = amount(expression->second);
        --depth_;
        return found;
    }
    if (stated_.has(name)) return origin.located([&] { return Amount::parse(stated_.printed(name)); });
    std::vector<std::string> known = stated_.keys();
    for (const auto& scope : scopes_) {
        for (const auto& [local, value] : scope) known.push_back(local);
    }
    for (const auto& [own, value] : cells_.names) known.push_back(own);
    origin.fail(
        fmt::format("there is no '{}' in tables, loops, 'names' and text.csv{}", name, did_you_mean(name, known)));
}

Amount CellValues::called(const std::string& name, const std::string& arguments, const Origin& origin) {
    const CellFunction& function = *function_named(name);
    CellCall call{*this, origin, {}, usual_machine, {}};
    for (const std::string& argument : split_arguments(arguments)) {
        if (argument.starts_with("-m ")) {
            call.machine_name = text({argument.substr(3), origin});
        } else if (argument.starts_with("--set ")) {
            call.changes.push_back(text({argument.substr(6), origin}));
        } else {
            call.arguments.push_back(argument);
        }
    }
    if (call.arguments.size() < function.least || call.arguments.size() > function.most) {
        origin.fail(fmt::format("write '{}({})', perhaps with '-m MACHINE' and '--set PATH=VALUE' behind it", name,
                                function.arguments));
    }
    asked_model = asked_model || function.of_model;
    return origin.located([&] { return function.value(call); });
}

std::string CellValues::text(const CellText& source) {
    std::string result;
    for (std::size_t at = 0; at < source.text.size(); ++at) {
        const std::size_t close = source.text[at] == '{' ? closing(source.text, at) : source.text.size();
        if (close == source.text.size()) {
            result += source.text[at];
            continue;
        }
        result += filled(source.text.substr(at + 1, close - at - 1), source.origin);
        at = close;
    }
    return result;
}

std::string CellValues::filled(const std::string& braces, const Origin& origin) {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        if (scope->contains(braces)) return scope->at(braces);
    }
    if (braces == "method") return method;
    const std::size_t colon = std::min(braces.rfind(":."), braces.size());
    const double value = number({braces.substr(0, colon), origin}, Dimension::number);
    try {
        return fmt::format(fmt::runtime("{" + braces.substr(colon) + "}"), value);
    } catch (const fmt::format_error&) {
        origin.fail(fmt::format("'{{{}}}' has no format such as ':.3g'", braces));
    }
}

void CellValues::with(const std::map<std::string, std::string>& names, const std::function<void()>& something) {
    scopes_.push_back(names);
    something();
    scopes_.pop_back();
}

const Machine& CellValues::machine(const std::string& name, const std::vector<std::string>& changes) {
    std::vector<std::string> words = {name};
    if (cells_.machines.contains(name)) words = cells_.machines.at(name);
    words.insert(words.end(), changes.begin(), changes.end());
    const auto found = machines_.find(words);
    if (found != machines_.end()) return found->second;
    Machine made = words.size() == 1 ? load_machine(words[0])
                                     : language_.changed(machine(words[0]), {words.begin() + 1, words.end()});
    return machines_.emplace(words, std::move(made)).first->second;
}

const CsvTable& CellValues::table(const std::string& file) {
    const auto found = tables_.find(file);
    return found != tables_.end() ? found->second : tables_.emplace(file, read_csv(cells_.folder / file)).first->second;
}

Amount CellValues::once(const std::string& key, const std::function<Amount()>& compute) {
    const auto found = done_.find(key);
    return found != done_.end() ? found->second : done_.emplace(key, compute()).first->second;
}

}  // namespace narrows
