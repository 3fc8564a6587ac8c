import { render, screen, waitFor } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { expect } from "vitest";
import App from "../App.svelte";
import { FakeBackend } from "../backend/fake/fake";
import type { WorldOptions } from "../backend/fake/world";
import { useLanguage } from "../i18n/i18n.svelte";

/** The whole window over a stand-in that loses no time. */
export async function openWindow(options: WorldOptions = {}) {
  useLanguage("en");
  const backend = new FakeBackend({ pace: 0, ...options });
  render(App, { backend });
  const user = userEvent.setup();
  await waitFor(() => expect(screen.getByRole("main")).toBeInTheDocument());
  return {
    backend,
    user,
    async ask(question: string) {
      await user.type(await screen.findByLabelText("Your question"), `${question}{Enter}`);
      await waitFor(() => expect(document.querySelector("article[aria-busy='true']")).toBeNull());
      await screen.findAllByRole("group", { name: "This answer" });
    },
    async go(view: string) {
      await user.click(screen.getByRole("button", { name: view }));
      await screen.findByRole("heading", { level: 1, name: view });
    },
  };
}
