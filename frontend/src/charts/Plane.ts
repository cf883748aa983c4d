/**
 * The plane of rectangles, kept as a bitmap. What lies on top (an outline, a moment) is drawn over
 * it without drawing a hundred thousand rectangles again; while the window moves and drawing is
 * slow, the old bitmap is shown moved and scaled, and drawn anew once the movement rests.
 */

import { projection, type Window } from "./rects.ts";
import type { Pen } from "./Surface.tsx";

export interface Content {
  readonly key: string;
  readonly rects: object;
  readonly view: Window;
}

const SLOW_MS = 10;
const REST_MS = 90;

export class Plane {
  readonly #bitmap = document.createElement("canvas");
  #shown: (Content & { width: number; height: number }) | null = null;
  #cost = 0;
  #timer = 0;

  /** Put the plane onto `ctx`; `redraw` is called when a better picture can be made. */
  show(
    ctx: CanvasRenderingContext2D,
    pen: Pen,
    content: Content,
    paint: (pen: Pen) => void,
    redraw: () => void,
  ): void {
    const { canvas } = ctx;
    const held = this.#shown;
    const alike =
      held?.key === content.key &&
      held.rects === content.rects &&
      this.#bitmap.width === canvas.width &&
      this.#bitmap.height === canvas.height;
    if (alike && sameWindow(held.view, content.view)) {
      ctx.drawImage(this.#bitmap, 0, 0, pen.width, pen.height);
      return;
    }
    if (alike && this.#cost > SLOW_MS && this.#timer >= 0) {
      this.#preview(ctx, pen, held.view, content.view);
      clearTimeout(this.#timer);
      this.#timer = window.setTimeout(() => {
        this.#timer = -1;
        redraw();
      }, REST_MS);
      return;
    }
    this.#timer = 0;
    this.#paint(ctx, pen, content, paint);
  }

  #paint(ctx: CanvasRenderingContext2D, pen: Pen, content: Content, paint: (pen: Pen) => void) {
    const { width, height } = ctx.canvas;
    this.#bitmap.width = width;
    this.#bitmap.height = height;
    const brush = this.#bitmap.getContext("2d");
    if (!brush) return;
    const began = performance.now();
    brush.setTransform(ctx.getTransform());
    brush.font = ctx.font;
    paint({ ...pen, ctx: brush });
    this.#cost = performance.now() - began;
    this.#shown = { ...content, width, height };
    ctx.drawImage(this.#bitmap, 0, 0, pen.width, pen.height);
  }

  #preview(ctx: CanvasRenderingContext2D, pen: Pen, from: Window, to: Window): void {
    const { x, y } = projection(to, pen);
    ctx.fillStyle = pen.palette["free-alt"];
    ctx.fillRect(0, 0, pen.width, pen.height);
    const [left, top] = [x(from.start), y(from.high)];
    ctx.imageSmoothingEnabled = false;
    ctx.drawImage(this.#bitmap, left, top, x(from.end) - left, y(from.low) - top);
  }
}

function sameWindow(a: Window, b: Window): boolean {
  return a.start === b.start && a.end === b.end && a.low === b.low && a.high === b.high;
}
