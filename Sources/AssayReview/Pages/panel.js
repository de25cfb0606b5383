// The slider bar above the image, the status line below it and the list of objects next to it.
import { classHint } from "./class-hint.js";
import { button, count, fill, grouped, make } from "./dom.js";
import { FieldPanel } from "./field-panel.js";
import { settings } from "./tools.js";

/// Returns a count with its unit: "1,204 px".
function short(count) {
  return `${grouped(count)} px`;
}

/// Returns the numbers of labeled and of all keypoints: "3 of 17 points".
function pointsOf({ keypoints }) {
  const labeled = keypoints.filter((value, at) => at % 3 === 2 && value > 0).length;
  return `${labeled} of ${keypoints.length / 3} points`;
}

/// Returns the track of an object in a video, after its size: " · track 7".
function trackWords({ fields }) {
  return fields.has("track") ? ` · track ${fields.get("track")}` : "";
}

/// The sliders; a size uses a square-root scale, so that small brushes have room.
export class Bar {
  constructor(controller) {
    this.controller = controller;
    this.sliders = new Map();
    this.element = make("div", { class: "canvas-bar", role: "group", "aria-label": "Settings of the tools" });
    for (const setting of settings) {
      const isRoot = setting.id === "brushSize";
      const input = make("input", {
        type: "range", min: isRoot ? 1 : setting.min, max: isRoot ? 20 : setting.max,
        step: isRoot ? 0.01 : setting.step, "aria-label": setting.label,
        oninput: () => controller.set(setting.id, isRoot ? Number(input.value) ** 2 : Number(input.value)),
        // After mouse use, the arrow keys pan the image again; after keyboard use,
        // the slider keeps them.
        onpointerup: () => controller.focus(),
      });
      const output = make("output", { class: "canvas-value" });
      const label = make("label", { class: "canvas-setting", title: setting.hint ?? `${setting.keys.join(" and ")} change it` },
        make("span", {}, setting.label), input, output, make("kbd", { "aria-hidden": "true" }, setting.keys.join(" ")));
      this.sliders.set(setting.id, { setting, input, output, label, isRoot });
      this.element.append(label);
    }
  }

  /// Shows the slider of the active tool. Where the tool has none, the room of the first one stays empty, so that the
  /// image does not move.
  show(label, { tools: own }, tool) {
    if (!own) return;
    const isFirst = own === settings.find((one) => one.tools).tools;
    const hasAny = settings.some((one) => one.tools?.includes(tool));
    label.hidden = hasAny ? !own.includes(tool) : !isFirst;
    label.classList.toggle("canvas-off", !hasAny);
  }

  update() {
    const { options, editor } = this.controller;
    // Where there are only masks, the polygon tool has nothing to simplify.
    const isMask = this.controller.tool === "polygon" && !(editor.isOpen && editor.keepsPolygons);
    const tool = isMask ? null : this.controller.tool;
    const hasMap = editor.isOpen && editor.model.hasMap(editor.category);
    for (const [id, { setting, input, output, isRoot, label }] of this.sliders) {
      const value = options[id];
      input.value = String(isRoot ? Math.sqrt(value) : value);
      // Until the slider is moved, the run's mask is shown, whatever threshold made it.
      const isRun = id === "threshold" && (!hasMap || editor.threshold === null);
      const text = isRun ? (hasMap ? "as in run" : "–") : setting.step < 1 ? value.toFixed(2) : String(value);
      output.textContent = setting.unit ? `${text} ${setting.unit}` : text;
      input.setAttribute("aria-valuetext", output.textContent);
      this.show(label, setting, tool);
      if (id === "smallestPart") label.hidden = !(editor.isOpen && editor.model.hasMasks && !editor.objects.isLabelMap);
      if (id === "threshold") {
        label.hidden = !(editor.isOpen && editor.model.hasMaps);
        input.disabled = !hasMap;
        label.title = hasMap ? "Shows the model's map at this threshold; T or “Start from the model” uses it as the mask"
          : "The run has no map of this class";
      }
    }
  }
}

/// The selection, its area, the position under the pointer, the zoom.
export class Foot {
  constructor(controller) {
    this.controller = controller;
    this.hint = make("span", { class: "canvas-hint" });
    this.area = make("span", { class: "canvas-number canvas-area" });
    this.place = make("span", { class: "canvas-number canvas-place" });
    this.zoom = make("span", { class: "canvas-number" });
    this.element = make("div", { class: "canvas-foot" }, this.hint, this.area, this.place, this.zoom);
  }

  update() {
    const { editor, viewport, keyboard, pointer, words } = this.controller;
    if (!editor.isOpen) {
      for (const part of [this.hint, this.area, this.place, this.zoom]) part.textContent = "";
      return;
    }
    this.hint.textContent = words;
    this.hint.title = words;
    this.area.textContent = `${editor.subject}: ${editor.extent}`;
    this.area.title = this.area.textContent;
    const place = keyboard.cursor ?? pointer.place;
    const isIn = place && place[0] >= 0 && place[1] >= 0 && place[0] < editor.width && place[1] < editor.height;
    this.place.textContent = isIn ? `${Math.floor(place[0])}, ${Math.floor(place[1])}` : "–";
    const percent = viewport.scale * 100;
    this.zoom.textContent = `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
  }
}

/// The classes with their objects: select, hide, create, delete.
export class ObjectList {
  constructor(controller) {
    this.controller = controller;
    this.list = make("div", { class: "canvas-list", role: "list" });
    this.category = this.select("Class to draw", (name) => controller.editor.setCategory(name));
    this.move = this.select("Class of the selected object", (name) => controller.editor.recategorise(name));
    this.moveLabel = make("label", { class: "canvas-move" }, make("span", {}, "Object class"), this.move);
    this.fields = new FieldPanel(controller);
    this.labels = make("p", { class: "canvas-labels", title: "Labels of the whole image; they stay as they are" });
    this.film = make("p", { class: "canvas-labels", hidden: true });
    this.element = make("section", { class: "canvas-objects", "aria-label": "Objects" },
      this.film,
      controller.host.film?.tracks.element ?? null,
      this.labels,
      make("label", { class: "canvas-category" }, make("span", {}, "Draw"), this.category),
      this.list,
      this.moveLabel,
      this.fields.element,
      make("div", { class: "canvas-buttons" },
        button("New", null, () => controller.act("new-object"), { "aria-label": "New object" }),
        button("Delete", null, () => controller.act("delete-object"), { "aria-label": "Delete object" })),
      classHint(controller.host.classCommand, controller.host.categories));
    this.key = "";
  }

  /// A menu that returns the focus after mouse use, and keeps it for keys.
  select(label, run) {
    let isMouse = false;
    const element = make("select", {
      "aria-label": label,
      onpointerdown: () => { isMouse = true; },
      onkeydown: () => { isMouse = false; },
      onchange: () => {
        run(element.value);
        if (isMouse) this.controller.focus();
      },
    });
    return element;
  }

  choose(name) {
    this.controller.editor.setCategory(name);
    this.controller.focus();
  }

  update() {
    const { editor } = this.controller;
    this.element.hidden = !editor.isOpen;
    if (!editor.isOpen) return this.fields.update();
    const key = editor.categories.join("\0");
    if (key !== this.key) {
      this.key = key;
      const option = (name) => make("option", { value: name }, name);
      fill(this.category, ...editor.categories.map(option));
      fill(this.move, ...editor.categories.map(option));
    }
    const frame = this.controller.host.film?.words ?? "";
    this.film.hidden = frame === "";
    this.film.textContent = frame;
    this.controller.host.film?.tracks.update();
    this.labels.hidden = editor.imageLabels.length === 0;
    this.labels.textContent = `Image: ${editor.imageLabels.join(", ")}`;
    this.category.value = editor.category ?? "";
    const item = editor.objects.find(editor.target);
    // The room is reserved, so that nothing moves.
    this.moveLabel.classList.toggle("canvas-off", !item);
    this.move.disabled = !item;
    if (item) this.move.value = item.category;
    this.fields.update();
    const focused = this.list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    const names = editor.categories.filter(
      (name) => name === editor.category || editor.objects.of(name).length > 0 || editor.model.mask(name)
        || editor.model.boxesOf(name).length > 0);
    fill(this.list, ...names.flatMap((name) => this.group(name)));
    if (focused) this.list.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  group(name) {
    const { editor } = this.controller;
    const objects = editor.objects.of(name);
    const isHidden = editor.hidden.has(name);
    const digit = editor.categories.indexOf(name) + 1;
    const isHere = name === editor.category;
    const eye = make("button", {
      type: "button", class: isHidden ? "canvas-eye canvas-hidden" : "canvas-eye", "data-key": `eye ${name}`,
      "aria-label": isHidden ? `Show ${name}` : `Hide ${name}`, title: "Hidden objects are not deleted",
      onclick: () => editor.setHidden(name, !isHidden),
    }, isHidden ? "show" : "hide");
    const head = make("div", { class: "canvas-group", role: "listitem" },
      this.row({
        key: name, label: name, detail: objects.length > 0 ? count(objects.length, "object") : "",
        more: objects.length === 1 && objects[0].isChanged ? "changed" : "",
        mark: digit <= 9 ? String(digit) : "", isChosen: isHere && editor.isWhole,
        choose: () => this.choose(name),
      }), eye);
    const rows = objects.length < 2 && !(isHere && !editor.isWhole) ? [] : objects.map((item, index) => (
      make("div", { role: "listitem", class: isHidden ? "canvas-faint" : null }, this.row({
        key: item.target, label: `${index + 1}`, isSmall: true,
        detail: (item.trouble ? "unreadable mask" : item.keypoints ? pointsOf(item) : item.isBox ? "box"
          : item.isPolygon ? count(item.vertices, "vertex", "vertices") : short(item.area)) + trackWords(item),
        more: [item.target === editor.marked ? "marked" : "", item.isCrowd ? "crowd" : "", item.isChanged ? "changed" : ""].filter(Boolean).join(", "),
        isChosen: item.target === editor.target,
        choose: () => {
          editor.setObject(item.target);
          this.controller.focus();
        },
      }))));
    if (isHere && editor.draft) {
      rows.push(make("div", { role: "listitem" }, this.row({
        key: "draft", label: "new", isSmall: true, detail: "draw it", isChosen: true, choose: () => this.controller.focus(),
      })));
    }
    return [head, ...rows];
  }

  row({ key, label, detail, more, mark, isSmall, isChosen, choose }) {
    return make("button", {
      type: "button", class: isSmall ? "canvas-row canvas-small" : "canvas-row", "data-key": key,
      "aria-current": isChosen ? "true" : null, onclick: choose,
    }, make("span", { class: "canvas-name" }, label), make("span", { class: "canvas-detail" }, [more, detail]
      .filter(Boolean).join(" · ")), mark ? make("kbd", { "aria-hidden": "true" }, mark) : null);
  }
}
