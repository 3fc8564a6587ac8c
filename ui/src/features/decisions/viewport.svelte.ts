import { TEXT } from "./appearance";
import { meet } from "./drawing";
import { CARD, type Card, type Scene } from "./layout";
import type { Box, Size, Spot } from "./packing";

const MARGIN = 16;
const LARGEST = 2;
/** A picture of few records is not blown up. */
const LARGEST_FIT = 1.15;
const SMALLEST_SHARE = 0.5;

/** How large letters are to be seen, in pixels, and how small they may be. */
const LETTERS = { seen: 10.5, least: 8 };
/** More cards than this are drawn as blocks. */
const MANY = 350;

/** Which part of a scene is seen, and how large. */
export class Viewport {
  width = $state(0);
  height = $state(0);
  x = $state(0);
  y = $state(0);
  scale = $state(1);
  /** Width to height of what there is room for. */
  aspect = $state(1.6);
  /** How much room there is, in square pixels. */
  area = $state(650_000);
  private scene = $state.raw<Size>({ width: 0, height: 0 });
  private moved = false;

  /** Where the scene lies on the screen. */
  get transform(): string {
    return `translate(${this.x} ${this.y}) scale(${this.scale})`;
  }

  /** Takes another size; where it is only for a while, what is seen stays where it is. */
  resize(width: number, height: number, passing: boolean): void {
    if (width === this.width && height === this.height) return;
    [this.width, this.height] = [width, height];
    if (passing || width === 0 || height === 0) return;
    // In steps, so that a window that is drawn larger does not rearrange itself at every pixel.
    this.aspect = Math.min(3, Math.max(0.5, Math.round((width / height) * 4) / 4));
    this.area = 2 ** (Math.round(Math.log2(width * height) * 2) / 2);
    if (!this.moved) this.fit();
  }

  /** Shows a scene, whole. */
  enter(scene: Size): void {
    // Whoever comes back to the same scene finds it as they left it.
    if (scene.width === this.scene.width && scene.height === this.scene.height) return;
    this.scene = scene;
    this.fit();
  }

  fit(): void {
    this.moved = false;
    this.scale = this.fitting;
    this.x = (this.width - this.scene.width * this.scale) / 2;
    this.y = (this.height - this.scene.height * this.scale) / 2;
  }

  private get fitting(): number {
    if (this.width === 0 || this.scene.width === 0) return 1;
    const room = { width: this.width - 2 * MARGIN, height: this.height - 2 * MARGIN };
    const scale = Math.min(room.width / this.scene.width, room.height / this.scene.height);
    return Math.max(0.01, Math.min(LARGEST_FIT, scale));
  }

  pan(dx: number, dy: number): void {
    this.moved = true;
    // Some of the scene stays in sight, or there would be nothing to find the way back by.
    const keep = 60;
    const within = (at: number, seen: number, whole: number) =>
      Math.min(seen - keep, Math.max(keep - whole * this.scale, at));
    this.x = within(this.x + dx, this.width, this.scene.width);
    this.y = within(this.y + dy, this.height, this.scene.height);
  }

  /** Zooms by a factor, with the point of the screen staying where it is. */
  zoom(factor: number, at: Spot = { x: this.width / 2, y: this.height / 2 }): void {
    const scale = Math.min(LARGEST, Math.max(this.fitting * SMALLEST_SHARE, this.scale * factor));
    const real = scale / this.scale;
    this.scale = scale;
    this.x = at.x - (at.x - this.x) * real;
    this.y = at.y - (at.y - this.y) * real;
    this.pan(0, 0);
  }

  /** Brings a card into sight, without moving more than that takes. */
  reveal(card: Spot): void {
    const gap = 24;
    const into = (at: number, length: number, seen: number) =>
      at < gap ? gap - at : at + length > seen - gap ? Math.max(gap - at, seen - gap - at - length) : 0;
    const dx = into(this.x + card.x * this.scale, CARD.width * this.scale, this.width);
    const dy = into(this.y + card.y * this.scale, CARD.height * this.scale, this.height);
    if (dx !== 0 || dy !== 0) this.pan(dx, dy);
  }

  /** A point of the screen in the scene. */
  inScene(x: number, y: number): Spot {
    return { x: (x - this.x) / this.scale, y: (y - this.y) / this.scale };
  }

  /** What is drawn: more than is seen, in steps, so that most moves draw nothing anew. */
  readonly drawn: Box = $derived.by(() => {
    const step = { x: this.width / this.scale / 2, y: this.height / this.scale / 2 };
    if (!(step.x > 0) || !(step.y > 0)) return { x: 0, y: 0, width: 0, height: 0 };
    const column = Math.floor(-this.x / this.scale / step.x);
    const row = Math.floor(-this.y / this.scale / step.y);
    return { x: (column - 1) * step.x, y: (row - 1) * step.y, width: 5 * step.x, height: 5 * step.y };
  });

  /** The size of a card's letters in the scene; null where it is too small for any. */
  readonly letters: number | null = $derived.by(() => {
    // In steps, so that zooming does not break the lines anew all the time.
    const size = Math.min(TEXT.largest, Math.max(TEXT.size, Math.ceil(LETTERS.seen / this.scale)));
    return size * this.scale < LETTERS.least ? null : size;
  });

  /** The cards that are drawn one by one; null where they are too small or too many. */
  cards(scene: Scene): Card[] | null {
    if (this.letters === null) return null;
    const cards = scene.cards.filter((card) => meet({ ...card, ...CARD }, this.drawn));
    return cards.length > MANY ? null : cards;
  }
}
