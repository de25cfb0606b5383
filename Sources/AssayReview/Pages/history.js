// The changes since the sample was opened, for immediate undo and redo; older changes are undone by
// the server. Steps are values: {kind, uuid, …}, with masks stored as changes, so that thousands of
// them need little memory.

export class History {
  constructor() {
    this.clear();
  }

  clear() {
    this.done = [];
    this.undone = [];
  }

  add(step) {
    this.done.push(step);
    this.undone = [];
  }

  /// Returns the step to undo; it can be redone.
  back() {
    const step = this.done.pop() ?? null;
    if (step) this.undone.push(step);
    return step;
  }

  /// Returns the step to redo.
  forth() {
    const step = this.undone.pop() ?? null;
    if (step) this.done.push(step);
    return step;
  }
}
