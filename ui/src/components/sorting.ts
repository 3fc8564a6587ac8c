export interface Order {
  column: string;
  descending: boolean;
}

/** The rows by a value; rows without one come last, and equals keep their order. */
export function sorted<Row>(
  rows: Row[],
  value: (row: Row) => string | number | null,
  descending: boolean,
): Row[] {
  const direction = descending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [left, right] = [value(a), value(b)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    if (typeof left === "number" && typeof right === "number") return direction * (left - right);
    return direction * String(left).localeCompare(String(right), undefined, { numeric: true });
  });
}
