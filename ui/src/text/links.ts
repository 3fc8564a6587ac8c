const ALLOWED = new Set(["http:", "https:", "mailto:"]);

/** The address if it may be opened outside the window. */
export function allowedAddress(address: string): string | null {
  try {
    const url = new URL(address);
    return ALLOWED.has(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}
