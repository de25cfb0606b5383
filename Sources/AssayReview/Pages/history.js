// What was done since the sample was opened, to go back and forth at once; what was done before is the server's to
// undo. Steps are values: {kind, uuid, …}, with masks as changes, so that thousands of them cost little.

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

  /// The step to take back; it can be done again.
  back() {
    const step = this.done.pop() ?? null;
    if (step) this.undone.push(step);
    return step;
  }

  /// The step to do again.
  forth() {
    const step = this.undone.pop() ?? null;
    if (step) this.done.push(step);
    return step;
  }
}
