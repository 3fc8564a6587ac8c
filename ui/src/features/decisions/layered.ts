import type { DecisionRelation } from "../../backend/generated/types";

/** How often the order within the columns is improved. */
const SWEEPS = 6;

/** The records of a component in columns: what rests on another stands to the right of it. */
export function columns(ids: string[], relations: DecisionRelation[]): string[][] {
  const index = new Map(ids.map((id, at) => [id, at]));
  const before: Set<number>[] = ids.map(() => new Set());
  const after: Set<number>[] = ids.map(() => new Set());
  for (const { from, to } of relations) {
    const [newer, older] = [index.get(from), index.get(to)];
    if (newer === undefined || older === undefined || newer === older) continue;
    before[newer]!.add(older);
    after[older]!.add(newer);
  }
  const order = unrolled(before, after);
  const place = new Map(order.map((at, position) => [at, position]));
  const earlier = (at: number) => [...before[at]!].filter((other) => place.get(other)! < place.get(at)!);
  const later = (at: number) => [...after[at]!].filter((other) => place.get(other)! > place.get(at)!);

  const column = new Array<number>(ids.length).fill(0);
  for (const at of order) column[at] = Math.max(0, ...earlier(at).map((other) => column[other]! + 1));
  // What rests on nothing stands beside the first that rests on it.
  for (const at of order.toReversed()) {
    const right = later(at).map((other) => column[other]! - 1);
    if (right.length > 0 && earlier(at).length === 0) column[at] = Math.max(0, Math.min(...right));
  }
  const made: number[][] = Array.from({ length: Math.max(0, ...column) + 1 }, () => []);
  ids.forEach((_, at) => made[column[at]!]!.push(at));
  untangle(made, (at) => [...before[at]!, ...after[at]!]);
  return made.filter((one) => one.length > 0).map((one) => one.map((at) => ids[at]!));
}

/** An order in which as many as can be stand after what they rest on; a circle is broken at its first. */
function unrolled(before: Set<number>[], after: Set<number>[]): number[] {
  const waiting = before.map((one) => one.size);
  const done = new Set<number>();
  const order: number[] = [];
  const ready = waiting.flatMap((count, at) => (count === 0 ? [at] : []));
  while (order.length < before.length) {
    const at = ready.shift() ?? before.findIndex((_, one) => !done.has(one));
    if (done.has(at)) continue;
    done.add(at);
    order.push(at);
    for (const other of after[at]!) if (--waiting[other]! === 0) ready.push(other);
  }
  return order;
}

/** Orders each column by where the related records of the others stand, so that fewer lines cross. */
function untangle(made: number[][], beside: (at: number) => number[]): void {
  const height = new Map<number, number>();
  const measure = (column: number[]) =>
    column.forEach((at, row) => height.set(at, (row + 0.5) / column.length));
  made.forEach(measure);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const column of sweep % 2 === 0 ? made : made.toReversed()) {
      const inside = new Set(column);
      const wish = new Map(
        column.map((at) => {
          const others = beside(at).filter((other) => !inside.has(other));
          const sum = others.reduce((total, other) => total + height.get(other)!, 0);
          return [at, others.length > 0 ? sum / others.length : height.get(at)!];
        }),
      );
      column.sort((a, b) => wish.get(a)! - wish.get(b)! || a - b);
      measure(column);
    }
  }
}
