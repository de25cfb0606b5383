// Entries that are undone together, such as the objects of a split: remembered, so that undo finds them after a reload.
import { remembered } from "./dom.js";

/// The number of groups that are remembered.
const limit = 60;

export class UndoGroups {
  /// `name` is different for each ledger and author.
  constructor(name) {
    this.name = `groups-${name}`;
    try {
      const kept = JSON.parse(remembered.get(this.name) ?? "[]");
      this.groups = kept.filter((one) => Array.isArray(one) && one.every((uuid) => typeof uuid === "string")).slice(-limit);
    } catch {
      this.groups = [];
    }
  }

  /// Adds the entries of one action.
  add(uuids) {
    if (uuids.length < 2) return;
    this.groups = [...this.groups, uuids].slice(-limit);
    remembered.set(this.name, JSON.stringify(this.groups));
  }

  /// Returns how many of the last `entries` ([{uuid}], the last one at the end) belong together; at least 1.
  count(entries) {
    const last = entries.at(-1)?.uuid;
    const group = this.groups.find((one) => one.includes(last));
    if (!group) return 1;
    let count = 0;
    while (count < entries.length && group.includes(entries.at(-1 - count).uuid)) count += 1;
    return count;
  }
}
