#include "model/explore/grid.hpp"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_pipeline.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <memory>
#include <new>

namespace narrows {
namespace {

constexpr std::int64_t points_of_block = 1024;

/// The plan of several blocks, made by the first that needs it.
class SharedPlan {
  public:
    SharedPlan(const Grid& grid, std::int64_t number) : grid_(grid), number_(number) {}

    // InputError for each that asks where there is none.
    const Plan& get() {
        std::call_once(once_, [this] {
            try {
                plan_ = grid_.plan(number_);
            } catch (const InputError& error) {
                error_ = error;
            }
        });
        if (error_) throw InputError(*error_);
        return *plan_;
    }

  private:
    const Grid& grid_;
    std::int64_t number_;
    std::once_flag once_;
    std::optional<Plan> plan_;
    std::optional<InputError> error_;
};

/// Points that follow each other and have one plan.
struct Block {
    std::shared_ptr<SharedPlan> plan;
    GridPoint first;
    std::int64_t end = 0;  // of their costs
    std::string text;
    std::exception_ptr failure;
};
using BlockPointer = std::shared_ptr<Block>;

void predict(const Grid& grid, Block& block) {
    std::optional<Machine> machine;
    for (GridPoint point = block.first; point.costs < block.end; ++point.costs) {
        try {
            const Plan& plan = block.plan->get();
            if (!machine) machine = plan.machine;
            grid.put(*machine, point.costs);
            grid.tell(point, with_interval(*machine, plan.outcome), block.text);
        } catch (const InputError& error) {
            machine.reset();  // it may be half changed
            grid.tell_error(point, error, block.text);
        }
    }
}

/// Hands out the blocks one after the other.
class Blocks {
  public:
    explicit Blocks(const Grid& grid) : grid_(grid) {}

    // Nothing behind the last one.
    BlockPointer next() {
        if (next_.plan == grid_.plans) return nullptr;
        if (next_.costs == 0) plan_ = std::make_shared<SharedPlan>(grid_, next_.plan);
        auto block = std::make_shared<Block>();
        block->plan = plan_;
        block->first = next_;
        block->end = std::min(grid_.costs, next_.costs + points_of_block);
        next_ = block->end == grid_.costs ? GridPoint{next_.plan + 1, 0} : GridPoint{next_.plan, block->end};
        return block;
    }

  private:
    const Grid& grid_;
    GridPoint next_;
    std::shared_ptr<SharedPlan> plan_;
};

}  // namespace

void predict_grid(const Grid& grid, int threads) {
    namespace tbb = oneapi::tbb;
    // Of the processors that the process may use: waiting for the end of more threads never ends.
    threads = std::min(threads, tbb::info::default_concurrency());
    Blocks blocks(grid);
    bool ended = false;  // which only the first and the last stage look at, each in order
    std::exception_ptr failure;
    const auto next = [&](tbb::flow_control& control) {
        BlockPointer block = ended ? nullptr : blocks.next();
        if (!block) control.stop();
        return block;
    };
    const auto work = [&](const BlockPointer& block) {
        try {
            predict(grid, *block);
        } catch (...) {
            block->failure = std::current_exception();
        }
        return block;
    };
    const auto write = [&](const BlockPointer& block) {
        if (ended) return;
        ended = !grid.write(block->text) || block->failure;
        failure = block->failure;
    };
    tbb::task_scheduler_handle scheduler{tbb::attach{}};
    {
        const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                        static_cast<std::size_t>(threads));
        tbb::task_arena arena(threads);
        arena.execute([&] {
            tbb::parallel_pipeline(4 * static_cast<std::size_t>(threads),
                                   tbb::make_filter<void, BlockPointer>(tbb::filter_mode::serial_in_order, next) &
                                       tbb::make_filter<BlockPointer, BlockPointer>(tbb::filter_mode::parallel, work) &
                                       tbb::make_filter<BlockPointer, void>(tbb::filter_mode::serial_in_order, write));
        });
    }
    // Its threads end here: who starts processes later may have none.
    tbb::finalize(scheduler, std::nothrow);
    if (failure) std::rethrow_exception(failure);
}

void LeftOut::note(const GridPoint& point, const InputError& error) {
    const std::lock_guard lock(mutex_);
    if (count_++ > 0 && !(point < first_)) return;
    first_ = point;
    why_ = error.what();
}

void KeptPoints::keep(const GridPoint& point, const Outcome& outcome) {
    outcomes_[static_cast<std::size_t>(point.plan * costs_ + point.costs)] = outcome;
}

std::vector<FoundPoint> KeptPoints::in_order() {
    std::vector<FoundPoint> found;
    GridPoint point;
    for (std::optional<Outcome>& outcome : outcomes_) {
        if (outcome) found.push_back({point, std::move(*outcome)});
        point = point.costs + 1 == costs_ ? GridPoint{point.plan + 1, 0} : GridPoint{point.plan, point.costs + 1};
    }
    return found;
}

}  // namespace narrows
