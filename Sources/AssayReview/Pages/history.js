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

  /// Makes one step of those that `run` adds; returns it, or null.
  group(run) {
    const at = this.done.length;
    run();
    const steps = this.done.splice(at);
    if (steps.length === 0) return null;
    this.done.push(steps.length === 1 ? steps[0] : { kind: "group", steps });
    return this.done.at(-1);
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

/// Changes the editor's objects as a step did, or back.
export function turn(editor, step, isBack) {
  // What a label map's other objects have lost.
  if (step.taken?.length) editor.objects.put(step.taken, isBack ? "before" : "after");
  if (step.isBeside) {
    if (isBack) {
      step.item = editor.objects.find(step.target);
      if (editor.target === step.target) editor.target = null;
      editor.objects.remove(step.target);
    } else if (step.item) editor.objects.items.push(step.item);
    editor.activate();
  } else if (step.kind === "add" || step.kind === "remove") {
    const appears = (step.kind === "add") !== isBack;
    if (appears && step.item) editor.objects.items.push(step.item);
    if (!appears) {
      step.item = editor.objects.find(step.target);
      editor.objects.remove(step.target);
    }
    editor.category = step.category;
    editor.draft = step.kind === "add" && isBack && !step.item?.isBox && !step.item?.isPolygon ? {} : null;
    editor.target = appears ? step.target : null;
    editor.activate();
  } else if (step.kind === "outline") {
    const item = editor.objects.find(step.target);
    item?.reshape(isBack ? step.before : step.after);
    if (item) {
      item.isChanged = !isBack || step.wasChanged;
      editor.category = item.category;
    }
    editor.draft = null;
    editor.target = item ? step.target : null;
    editor.activate();
  } else if (step.kind === "attributes") {
    const item = editor.objects.find(step.target);
    item?.setFields(isBack ? step.before : step.after);
    if (item) editor.category = item.category;
    editor.draft = null;
    editor.target = item ? step.target : null;
    editor.activate();
  } else if (step.kind === "category") {
    const item = editor.objects.find(step.target);
    editor.category = isBack ? step.before : step.after;
    if (item) item.category = editor.category;
    editor.draft = null;
    editor.target = step.target;
    editor.activate();
  } else {
    if (editor.draft || editor.target !== step.target || editor.category !== step.category) {
      editor.draft = null;
      editor.target = step.target;
      editor.category = step.category;
      editor.activate();
    }
    editor.region.apply(step.delta);
    if (step.pieces) editor.objects.put(step.pieces, isBack ? "before" : "after");
    else editor.keep(step.target);
  }
}
