// The tags of the open sample: chips, each with a button that removes it, and the form that adds one.
import { SampleEdits } from "./sample-edits.js";
import { TagForm } from "./tag-form.js";
import { keysCommand } from "./tag-words.js";

/// `change(detail, tag, isRemoval)` returns a promise of what happened; `tags(dataset)` one of the tags there are.
/// `problem`: the reason why tags cannot be changed, or null.
export class SampleTags extends SampleEdits {
  constructor({ change, tags, problem }) {
    super({
      noun: "tag", heading: "Tags", style: "sample-tags", problem, opener: ["Add tag", "t", "add-tag"], title: "Tag this sample",
      makeForm: (hooks) => new TagForm({
        id: "sample-tag", canRemove: false, tags: () => tags(this.detail.dataset),
        command: (tag) => keysCommand("tag", { view: this.detail.dataset }, [this.detail.key], tag),
        close: hooks.close, change: (tag) => hooks.change({ tag, isRemoval: false }),
      }),
    });
    this.change = change;
  }

  send(detail, { tag, isRemoval }) {
    return this.change(detail, tag, isRemoval);
  }

  items(detail) {
    return (detail.tags ?? []).map((tag) => ({ words: tag, name: tag, removal: { tag, isRemoval: true } }));
  }
}
