// Mouse, pen and fingers on the canvas: events become pen strokes, pans and zooms.

export class Pointer {
  constructor(controller) {
    this.controller = controller;
    /// The position under the pointer in the image; null if it is elsewhere.
    this.place = null;
    this.fingers = new Map();
    this.pan = null;
    this.number = null;
    const { element } = controller;
    const listen = (name, run, options) => element.addEventListener(name, run, options);
    listen("pointerdown", (event) => this.down(event));
    listen("pointermove", (event) => this.move(event));
    listen("pointerup", (event) => this.up(event));
    listen("pointercancel", (event) => this.cancel(event));
    listen("pointerleave", () => this.leave());
    listen("wheel", (event) => this.wheel(event), { passive: false });
    listen("dblclick", (event) => this.doubled(event));
    listen("contextmenu", (event) => event.preventDefault());
    // Leaving the page in the middle of a stroke finishes it.
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) controller.pen.up();
    });
  }

  at(event) {
    const box = this.controller.element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  down(event) {
    const { controller } = this;
    if (!controller.editor.isOpen) return;
    event.preventDefault();
    controller.focus();
    controller.element.setPointerCapture(event.pointerId);
    if (event.pointerType === "touch") {
      this.fingers.set(event.pointerId, this.at(event));
      if (this.fingers.size === 2) {
        // Two fingers pan and zoom; the stroke started by the first finger is cancelled.
        controller.pen.cancel();
        this.number = null;
        return;
      }
    }
    if (this.number !== null || this.fingers.size > 1) return;
    this.number = event.pointerId;
    const [x, y] = this.at(event);
    if (event.button === 1 || controller.isPanning) {
      this.pan = [x, y];
      controller.show({ pointer: true });
      return;
    }
    const place = controller.viewport.toPicture(x, y);
    if ((event.ctrlKey || event.metaKey) && event.button === 0) controller.pen.select(...place);
    else if (!controller.busy) {
      controller.pen.down(...place, event.altKey || event.button === 2 || event.button === 5, event.shiftKey);
    }
    this.hover(x, y);
  }

  move(event) {
    const { controller } = this;
    if (!controller.editor.isOpen) return;
    const [x, y] = this.at(event);
    if (event.pointerType === "touch" && this.fingers.has(event.pointerId)) {
      if (this.fingers.size === 2) return this.pinch(event.pointerId, x, y);
      this.fingers.set(event.pointerId, [x, y]);
    }
    if (this.pan && event.pointerId === this.number) {
      controller.pan(x - this.pan[0], y - this.pan[1]);
      this.pan = [x, y];
    } else if (event.pointerId === this.number && controller.pen.isDown) {
      // All positions since the last frame, so that fast strokes stay round.
      const events = event.getCoalescedEvents?.() ?? [];
      for (const one of events.length > 0 ? events : [event]) {
        controller.pen.move(...controller.viewport.toPicture(...this.at(one)));
      }
    }
    this.hover(x, y);
  }

  up(event) {
    const { controller } = this;
    this.fingers.delete(event.pointerId);
    if (event.pointerId !== this.number) return;
    this.number = null;
    if (this.pan) {
      this.pan = null;
      controller.show({ pointer: true });
    } else {
      controller.pen.up();
    }
    if (event.pointerType === "touch") this.leave();
  }

  cancel(event) {
    this.fingers.delete(event.pointerId);
    if (event.pointerId !== this.number) return;
    this.number = null;
    this.pan = null;
    // The stroke so far was intended: it is kept, and can be undone.
    this.controller.pen.up();
  }

  leave() {
    if (this.number !== null) return;
    this.place = null;
    this.controller.show({ pointer: true, marks: this.controller.pen.draft !== null });
  }

  pinch(number, x, y) {
    const { viewport } = this.controller;
    const other = [...this.fingers].find(([id]) => id !== number)[1];
    const before = this.fingers.get(number);
    this.fingers.set(number, [x, y]);
    const was = Math.hypot(before[0] - other[0], before[1] - other[1]);
    const is = Math.hypot(x - other[0], y - other[1]);
    viewport.pan((x - before[0]) / 2, (y - before[1]) / 2);
    if (was > 0 && is > 0) viewport.zoomTo(viewport.scale * (is / was), (x + other[0]) / 2, (y + other[1]) / 2);
    this.controller.show({ view: true });
  }

  hover(x, y) {
    this.place = this.controller.viewport.toPicture(x, y);
    this.controller.show({ pointer: true, marks: this.controller.pen.draft !== null });
  }

  wheel(event) {
    const { controller } = this;
    if (!controller.editor.isOpen) return;
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    if (event.shiftKey || event.altKey) {
      // Some systems scroll horizontally with Shift.
      const delta = event.deltaY || event.deltaX;
      if (delta !== 0) controller.nudge("brushSize", delta > 0 ? -1 : 1);
      return;
    }
    const [x, y] = this.at(event);
    const turn = Math.min(Math.max(event.deltaY * unit, -200), 200);
    controller.viewport.zoomTo(controller.viewport.scale * Math.exp(-turn / (event.ctrlKey ? 100 : 300)), x, y);
    controller.show({ view: true });
    this.hover(x, y);
  }

  doubled(event) {
    const { controller } = this;
    if (event.button !== 0 || !controller.editor.isOpen) return;
    if (controller.pen.draft) controller.pen.close();
    else if (controller.tool === "select") controller.showChosen();
  }
}
