import "@testing-library/jest-dom/vitest";

// What jsdom lacks of the browser; tests without a DOM need none of it.
if (typeof window !== "undefined") {
  const { configure } = await import("@testing-library/dom");
  // A busy machine may take its time; waiting ends as soon as the thing is there.
  configure({ asyncUtilTimeout: 20_000 });
  HTMLDialogElement.prototype.showModal ??= function (this: HTMLDialogElement) {
    this.open = true;
  };
  Element.prototype.scrollIntoView ??= () => {};
  Element.prototype.scrollTo ??= () => {};
}
