/** The part of a canvas context that our charts use, and the same drawn as SVG. */
export type Brush = Pick<
  CanvasRenderingContext2D,
  | "fillStyle"
  | "strokeStyle"
  | "globalAlpha"
  | "lineWidth"
  | "font"
  | "textAlign"
  | "textBaseline"
  | "fillRect"
  | "strokeRect"
  | "fillText"
  | "measureText"
  | "beginPath"
  | "moveTo"
  | "lineTo"
  | "setLineDash"
> & { fill(): void; stroke(): void };

const ANCHORS: Record<string, string> = { right: "end", end: "end", center: "middle" };
const BASELINES: Record<string, string> = {
  top: "text-before-edge",
  middle: "central",
  bottom: "text-after-edge",
};

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const figure = (value: number) => String(Math.round(value * 100) / 100);

/** A brush that writes SVG elements; text is measured by a real canvas. */
export class SvgBrush implements Brush {
  fillStyle: string = "#000000";
  strokeStyle: string = "#000000";
  globalAlpha = 1;
  lineWidth = 1;
  font = "11px sans-serif";
  textAlign: CanvasTextAlign = "left";
  textBaseline: CanvasTextBaseline = "alphabetic";
  private readonly parts: string[] = [];
  private path: string[] = [];
  private dash = "";

  constructor(private readonly measure: CanvasRenderingContext2D) {}

  fillRect(x: number, y: number, width: number, height: number): void {
    this.rect(x, y, width, height, this.filled());
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    this.rect(x, y, width, height, this.stroked());
  }

  fillText(text: string, x: number, y: number): void {
    const anchor = ANCHORS[this.textAlign] ?? "start";
    const base = BASELINES[this.textBaseline] ?? "auto";
    this.parts.push(
      `<text x="${figure(x)}" y="${figure(y)}" text-anchor="${anchor}" dominant-baseline="${base}"${this.filled()}>${escaped(text)}</text>`,
    );
  }

  measureText(text: string): TextMetrics {
    this.measure.font = this.font;
    return this.measure.measureText(text);
  }

  beginPath(): void {
    this.path = [];
  }

  moveTo(x: number, y: number): void {
    this.path.push(`M${figure(x)} ${figure(y)}`);
  }

  lineTo(x: number, y: number): void {
    this.path.push(`${this.path.length === 0 ? "M" : "L"}${figure(x)} ${figure(y)}`);
  }

  fill(): void {
    this.parts.push(`<path d="${this.path.join("")}"${this.filled()}/>`);
  }

  stroke(): void {
    this.parts.push(`<path d="${this.path.join("")}"${this.stroked()}/>`);
  }

  setLineDash(segments: Iterable<number>): void {
    this.dash = [...segments].join(" ");
  }

  /** The whole picture on a ground. */
  document(width: number, height: number, ground: string): string {
    const size = `width="${figure(width)}" height="${figure(height)}"`;
    const font = escaped(this.font.replace(/^\S+\s/, ""));
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-size="11" font-family="${font}">`,
      `<rect ${size} fill="${ground}"/>`,
      ...this.parts,
      "</svg>",
    ].join("\n");
  }

  private rect(x: number, y: number, width: number, height: number, style: string): void {
    const box = `x="${figure(x)}" y="${figure(y)}" width="${figure(width)}" height="${figure(height)}"`;
    this.parts.push(`<rect ${box}${style}/>`);
  }

  private filled(): string {
    const alpha = this.globalAlpha === 1 ? "" : ` fill-opacity="${figure(this.globalAlpha)}"`;
    return ` fill="${this.fillStyle}"${alpha}`;
  }

  private stroked(): string {
    const alpha = this.globalAlpha === 1 ? "" : ` stroke-opacity="${figure(this.globalAlpha)}"`;
    const dash = this.dash === "" ? "" : ` stroke-dasharray="${this.dash}"`;
    return ` fill="none" stroke="${this.strokeStyle}" stroke-width="${figure(this.lineWidth)}"${dash}${alpha}`;
  }
}
