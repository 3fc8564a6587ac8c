const WIDTH = 600;
const HEIGHT = 160;

/** The path of a curve in a box of 600 by 160; it is broken where there is no value. */
export function curvePath(values: (number | null)[], most: number): string {
  const step = values.length > 1 ? WIDTH / (values.length - 1) : 0;
  let drawing = false;
  return values
    .map((value, index) => {
      if (value === null) {
        drawing = false;
        return "";
      }
      const command = drawing ? "L" : "M";
      drawing = true;
      return `${command}${round(index * step)} ${round(HEIGHT - (value / most) * HEIGHT)}`;
    })
    .filter(Boolean)
    .join(" ");
}

/** The next round number at or above a value: 1, 2 or 5 times a power of ten. */
export function ceiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= value) ?? value;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
