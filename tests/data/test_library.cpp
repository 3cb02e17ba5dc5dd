#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "data/library.hpp"
#include "error_text.hpp"

namespace narrows {
namespace {

// Sets NARROWS_DATA and puts back what was there.
class DataVariable {
  public:
    explicit DataVariable(const std::string& value) {
        if (const char* old = std::getenv("NARROWS_DATA")) old_ = old;
        ::setenv("NARROWS_DATA", value.c_str(), 1);
    }
    DataVariable(const DataVariable&) = delete;
    DataVariable& operator=(const DataVariable&) = delete;
    ~DataVariable() {
        if (old_)
            ::setenv("NARROWS_DATA", old_->c_str(), 1);
        else
            ::unsetenv("NARROWS_DATA");
    }

  private:
    std::optional<std::string> old_;
};

}  // namespace

TEST_CASE("the machines shipped are found by their names") {
    CHECK(machine_ids() == std::vector<std::string>{"bluegene-l", "bluegene-p", "cell-blade", "cluster-400g",
                                                    "roadrunner", "roadrunner-opterons", "torus-pod", "xt3-pgas-nic"});
    CHECK(load_machine("bluegene-l").name == "Blue Gene/L");
    CHECK(load_machine("bluegene-l").id == "bluegene-l");
    CHECK(std::filesystem::is_directory(published_directory() / "garg2006"));
}

TEST_CASE("a file of one's own is a machine like any other") {
    const std::string path = (data_directory() / "machines" / "torus-pod.yaml").string();
    CHECK(load_machine(path) == load_machine("torus-pod"));
}

TEST_CASE("a name that is not shipped is answered with the nearest one") {
    CHECK(error_text([] { load_machine("blugene-l"); }) ==
          "there is no machine 'blugene-l', did you mean 'bluegene-l'? ('narrows machines' lists those shipped and "
          "your own; any other file's name ends in '.yaml')");
    CHECK(error_text([] { load_machine("./none.yaml"); }) ==
          "cannot read './none.yaml' (No such file or directory): check its name and permissions");
    CHECK(error_text([] { load_machine("../machines/bluegene-l"); }) ==
          "cannot read '../machines/bluegene-l' (No such file or directory): check its name and permissions");
    CHECK_FALSE(error_text([] { load_machine(""); }) == "no error");
}

TEST_CASE("a program says where the data is, unless the environment does") {
    const std::filesystem::path data = data_directory();
    const std::filesystem::path chosen = std::filesystem::temp_directory_path() / "narrows-chosen-data";
    std::filesystem::create_directories(chosen / "machines");
    use_data_directory(chosen);
    CHECK(data_directory() == chosen);
    CHECK(machine_ids().empty());
    {
        const DataVariable variable(data.string());
        CHECK(data_directory() == data);
    }
    std::filesystem::remove_all(chosen);
    CHECK(data_directory() == data);  // a folder that is not there is passed over
    use_data_directory({});
    CHECK(data_directory() == data);
}

TEST_CASE("NARROWS_DATA chooses another folder") {
    const std::filesystem::path data = data_directory();
    {
        const DataVariable chosen(data.string());
        CHECK(data_directory() == data);
    }
    const DataVariable wrong("/nowhere");
    CHECK(error_text([] { machine_ids(); }) ==
          "NARROWS_DATA is '/nowhere', which has no folder 'machines': correct or unset it");
}

}  // namespace narrows
