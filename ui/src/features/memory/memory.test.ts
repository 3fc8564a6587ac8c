// @vitest-environment jsdom
import { screen, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";
import { openWindow } from "../../testing/window";

describe("curated memory", () => {
  it("of a team library is shown as such, and can be changed by its curators only", async () => {
    const { go } = await openWindow();
    await go("Curated memory");
    const entry = async (title: string) =>
      within((await screen.findByRole("heading", { name: title })).closest("li")!);
    const followed = await entry("The security landscape in one page");
    expect(followed.getByText("Team library")).toBeInTheDocument();
    expect(followed.getByText(/^s3:\/\/records\/team\//)).toBeInTheDocument();
    expect(followed.queryByRole("button", { name: /^(Edit|Delete)/ })).toBeNull();
    const own = await entry("How long do we keep smart meter readings?");
    expect(own.queryByText("Team library")).toBeNull();
    expect(own.getAllByRole("button", { name: /^(Edit|Delete)/ })).toHaveLength(2);
  });
});
