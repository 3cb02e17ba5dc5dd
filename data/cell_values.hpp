#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "data/published_cells.hpp"
#include "model/machine.hpp"
#include "model/program/expression.hpp"

namespace narrows {

struct CellCall;

/// A function of expressions. What it takes beside its arguments: `-m NAME` and `--set PATH=VALUE`, each as one more.
struct CellFunction {
    std::string name;
    std::size_t least = 0;  ///< arguments
    std::size_t most = 0;
    std::string arguments;  ///< for readers
    std::function<Amount(const CellCall& call)> value;
    bool of_model = true;  ///< else of the paper's own numbers
};

/// What expressions may ask. None of it knows a paper.
struct CellLanguage {
    std::vector<CellFunction> functions;
    /// A machine with changes, each `PATH=VALUE`.
    std::function<Machine(Machine machine, const std::vector<std::string>& changes)> changed;
};

/// What the expressions and texts of a paper's cells mean. A name is, in this order, one of a table's row or a loop, an
/// expression of the file's `names`, or a number that the paper's text states; a function is one of the
/// language.
class CellValues {
  public:
    /// Both outlive it.
    CellValues(const PublishedCells& cells, const CellLanguage& language)
        : cells_(cells), language_(language), stated_(cells.folder) {}

    /// InputError with its place for an unknown name, wrong arguments and mixed units.
    Amount amount(const CellText& expression);
    double number(const CellText& expression, Dimension dimension);
    /// The text with its `{name}` and `{expression:.3g}` filled in.
    std::string text(const CellText& source);

    /// Does something while these names have these values.
    void with(const std::map<std::string, std::string>& names, const std::function<void()>& something);

    /// A machine, or one that the file names, with changes of its own.
    const Machine& machine(const std::string& name, const std::vector<std::string>& changes = {});
    /// A table beside the file.
    const CsvTable& table(const std::string& file);
    const PublishedText& stated() const { return stated_; }
    /// What `compute` returned for this key before, else what it returns now.
    Amount once(const std::string& key, const std::function<Amount()>& compute);

    std::string usual_machine;  ///< of functions that name none
    bool asked_model = false;   ///< whether a function of the model was called
    std::string method;         ///< by which the last search was done: `{method}` of a text

  private:
    struct Prepared {
        Expression formula;
        Amounts known;
    };
    Prepared prepared(const CellText& expression);
    Amount named(const std::string& name, const Origin& origin);
    Amount called(const std::string& function, const std::string& arguments, const Origin& origin);
    std::string filled(const std::string& braces, const Origin& origin);

    const CellFunction* function_named(const std::string& name) const;

    const PublishedCells& cells_;
    const CellLanguage& language_;
    PublishedText stated_;
    std::vector<std::map<std::string, std::string>> scopes_;
    int depth_ = 0;  // of names that stand for expressions
    std::map<std::vector<std::string>, Machine> machines_;
    std::map<std::string, CsvTable> tables_;
    std::map<std::string, Amount> done_;
};

/// A function as an expression calls it. An argument is an expression, or words with names in braces.
struct CellCall {
    CellValues& values;
    const Origin& origin;
    std::vector<std::string> arguments;
    std::string machine_name;
    std::vector<std::string> changes;  ///< `PATH=VALUE`

    std::string words(std::size_t i) const { return values.text({arguments.at(i), origin}); }
    double number(std::size_t i, Dimension dimension = Dimension::number) const {
        return values.number({arguments.at(i), origin}, dimension);
    }
    /// InputError unless it is a whole number.
    std::int64_t count(std::size_t i) const;
    Data data(std::size_t i) const { return bytes(number(i, Dimension::data)); }
    const Machine& machine() const { return values.machine(machine_name, changes); }
};

/// Those of the model alone, and those of the paper's own numbers. Others find the words of a workload.
const std::vector<CellFunction>& model_functions();

}  // namespace narrows
