export const VIEWS = [
  "ask",
  "library",
  "decisions",
  "vocabulary",
  "memory",
  "metrics",
  "evaluation",
  "check",
  "settings",
] as const;
export type View = (typeof VIEWS)[number];

/** Where in the window the user is. */
export interface Place {
  view: View;
  /** The document that the library shows. */
  document?: string;
}

/** Goes from view to view, and back. */
export class Navigation {
  place = $state<Place>({ view: "ask" });
  private past: Place[] = [];

  get view(): View {
    return this.place.view;
  }

  go(view: View): void {
    this.goTo({ view });
  }

  openDocument(id: string): void {
    this.goTo({ view: "library", document: id });
  }

  back(): void {
    const place = this.past.pop();
    if (place) this.place = place;
  }

  private goTo(place: Place): void {
    if (place.view === this.place.view && place.document === this.place.document) return;
    this.past.push(this.place);
    this.place = place;
  }
}
