#include "calibrate/transport/mailboxes.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace narrows {

int MailboxPlan::rings(int channel) const {
    return channels[static_cast<std::size_t>(channel)].own_worker_only ? 1 : layout.workers;
}

int MailboxPlan::first_ring(int channel) const {
    int first = 0;
    for (int before = 0; before < channel; ++before) first += rings(before);
    return first;
}

std::size_t MailboxPlan::inbox_words() const {
    std::size_t slots = 0;
    for (std::size_t channel = 0; channel < channels.size(); ++channel) {
        slots += static_cast<std::size_t>(rings(static_cast<int>(channel)) * channels[channel].slots);
    }
    return slots * slot_words();
}

int MailboxPlan::packets_in_transit() const {
    int slots = 0;
    for (const Channel& channel : channels) slots += channel.peers == 0 ? 0 : channel.producers * channel.slots;
    return slots;
}

int ring_slots(const Channel& channel, int in_transit, int packet_words, int most_lines) {
    if (channel.peers == 0) return 1;
    const int lines = static_cast<int>(whole_lines(static_cast<std::size_t>(packet_words)) / line_words);
    const int allowed = in_transit * channel.peers / channel.producers;
    const int affordable = std::max(in_transit, most_lines / lines / channel.producers);
    return std::clamp(std::min(allowed, affordable), 1, most_slots);
}

void add_slots(MailboxPlan& plan, std::int64_t packets, int most_lines) {
    const int lines = static_cast<int>(plan.slot_words() / line_words);
    const auto packets_of = [](const Channel& channel) { return channel.producers * channel.slots; };
    for (;;) {
        Channel* emptiest = nullptr;
        for (std::size_t i = 0; i < plan.channels.size(); ++i) {
            Channel& channel = plan.channels[i];
            const int more_lines = (channel.slots + 1) * plan.rings(static_cast<int>(i)) * lines;
            if (channel.peers == 0 || channel.producers > packets || channel.slots == most_slots) continue;
            if (more_lines > most_lines) continue;
            if (emptiest == nullptr || packets_of(channel) < packets_of(*emptiest)) emptiest = &channel;
        }
        if (emptiest == nullptr) return;
        ++emptiest->slots;
        packets -= emptiest->producers;
    }
}

Mailboxes::Mailboxes(MailboxPlan plan, Word* inboxes, std::size_t stride_words)
    : plan_(std::move(plan)), inboxes_(inboxes), stride_words_(stride_words) {
    std::size_t offset = 0;
    for (std::size_t channel = 0; channel < plan_.channels.size(); ++channel) {
        const std::size_t ring = static_cast<std::size_t>(plan_.channels[channel].slots) * plan_.slot_words();
        const bool shared = plan_.channels[channel].own_worker_only;
        for (int worker = 0; worker < plan_.layout.workers; ++worker) {
            ring_offsets_.push_back(offset + (shared ? 0 : static_cast<std::size_t>(worker) * ring));
        }
        offset += static_cast<std::size_t>(plan_.rings(static_cast<int>(channel))) * ring;
    }
    if (offset > stride_words_) throw std::logic_error("inboxes overlap");
}

FinishCounts::FinishCounts(const RankLayout& layout, int kinds) : kinds_(kinds) {
    const std::size_t size = static_cast<std::size_t>(layout.ranks) * static_cast<std::size_t>(kinds);
    for (int worker = 0; worker < layout.workers; ++worker) {
        counts_.push_back(std::make_unique<std::atomic<std::uint32_t>[]>(size));
    }
}

}  // namespace narrows
