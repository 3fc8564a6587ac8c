import "@testing-library/jest-dom/vitest";

// What jsdom lacks of the browser; tests without a DOM need none of it.
if (typeof window !== "undefined") {
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true;
  };
  Element.prototype.scrollIntoView ??= () => {};
  Element.prototype.scrollTo ??= () => {};
}
