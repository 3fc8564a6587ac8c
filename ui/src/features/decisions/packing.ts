export interface Size {
  width: number;
  height: number;
}

export interface Spot {
  x: number;
  y: number;
}

export interface Box extends Spot, Size {}

export interface Packed extends Size {
  /** Where each box lies, in the order of the boxes. */
  spots: Spot[];
}

/** Widths that are tried, as a factor of the side that the boxes would fill without gaps. */
const TRIED = [0.95, 1, 1.05, 1.1, 1.15, 1.2, 1.3, 1.4, 1.55, 1.75, 2];

/** In what order they are placed: what is large in this respect goes first. */
const ORDERS: ((box: Size) => number)[] = [
  (box) => box.height,
  (box) => box.width,
  (box) => box.width * box.height,
];

/** The boxes beside and below one another, in a shape that comes near to `aspect` (width to height). */
export function pack(boxes: Size[], aspect: number, gap: number): Packed {
  const area = boxes.reduce((sum, box) => sum + (box.width + gap) * (box.height + gap), 0);
  const widest = Math.max(0, ...boxes.map((box) => box.width));
  let best: Packed = { width: 0, height: 0, spots: [] };
  let size = Infinity;
  for (const order of ORDERS) {
    const ordered = boxes.map((_, at) => at).toSorted((a, b) => order(boxes[b]!) - order(boxes[a]!) || a - b);
    for (const factor of TRIED) {
      const width = Math.max(widest, Math.sqrt(area * aspect) * factor);
      const packed = within(boxes, ordered, width, gap);
      const needed = Math.max(packed.width / aspect, packed.height);
      if (needed < size - 1e-6) [best, size] = [packed, needed];
    }
  }
  return best;
}

/** Each box as high up as it goes, then as far left. */
function within(boxes: Size[], order: number[], width: number, gap: number): Packed {
  const spots: Spot[] = boxes.map(() => ({ x: 0, y: 0 }));
  let skyline = [{ x: 0, y: 0, width: width + gap }];
  for (const at of order) {
    const need = { width: boxes[at]!.width + gap, height: boxes[at]!.height + gap };
    let spot: Spot | null = null;
    for (let from = 0; from < skyline.length; from++) {
      const y = floor(skyline, from, need.width);
      if (y !== null && (spot === null || y < spot.y)) spot = { x: skyline[from]!.x, y };
    }
    spot ??= { x: 0, y: Math.max(...skyline.map((step) => step.y)) };
    spots[at] = spot;
    skyline = raised(skyline, spot, need);
  }
  const right = Math.max(0, ...boxes.map((box, at) => spots[at]!.x + box.width));
  const bottom = Math.max(0, ...boxes.map((box, at) => spots[at]!.y + box.height));
  return { spots, width: right, height: bottom };
}

type Skyline = { x: number; y: number; width: number }[];

/** How high a box of this width would lie on the steps from this one on; null where it has no room. */
function floor(skyline: Skyline, from: number, width: number): number | null {
  let left = width;
  let y = 0;
  for (let at = from; left > 1e-6; at++) {
    const step = skyline[at];
    if (!step) return null;
    y = Math.max(y, step.y);
    left -= step.width;
  }
  return y;
}

function raised(skyline: Skyline, spot: Spot, need: Size): Skyline {
  const end = spot.x + need.width;
  const next: Skyline = [];
  for (const step of skyline) {
    const stepEnd = step.x + step.width;
    if (stepEnd <= spot.x + 1e-6 || step.x >= end - 1e-6) next.push(step);
    else {
      if (step.x < spot.x) next.push({ ...step, width: spot.x - step.x });
      if (stepEnd > end + 1e-6) next.push({ x: end, y: step.y, width: stepEnd - end });
    }
  }
  next.push({ x: spot.x, y: spot.y + need.height, width: need.width });
  return next.toSorted((a, b) => a.x - b.x);
}
