// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import { screen, within } from "@testing-library/svelte";
import { AppContext } from "../../app/context";
import { FakeBackend } from "../../backend/fake/fake";
import { ago } from "../../i18n/i18n.svelte";
import { openWindow } from "../../testing/window";

function open(pace = 0) {
  const backend = new FakeBackend({ pace });
  const app = new AppContext(backend);
  return { app, backend, team: app.team, stop: app.start() };
}

describe("a team library", () => {
  it("is followed from an address, and says which generation is in force and how old it is", async () => {
    const { user, go } = await openWindow();
    await go("Library");
    await user.click(screen.getByRole("button", { name: "Add a team library" }));
    await user.type(screen.getByLabelText("Address"), "s3://records/team");
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Add" }));
    await user.click(await screen.findByRole("tab", { name: /^Team/ }));
    expect(await screen.findByText(/Generation 12, published .*3 days ago/)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Follow no more" }));
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Follow no more" }));
    expect(await screen.findByText("No team library is followed.")).toBeInTheDocument();
  });

  it("is read where it is, for who wants that", async () => {
    const { user, go } = await openWindow();
    await go("Library");
    await user.click(screen.getByRole("button", { name: "Add a team library" }));
    await user.type(screen.getByLabelText("Address"), "s3://records/team");
    expect(screen.getByText(/also without a network/)).toBeInTheDocument();
    await user.click(screen.getByRole("checkbox", { name: /Read it where it is/ }));
    expect(screen.queryByText(/also without a network/), "which it then is not").toBeNull();
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Add" }));
    await user.click(await screen.findByRole("tab", { name: /^Team/ }));
    expect(await screen.findByText("Read in place")).toBeInTheDocument();
  });

  it("is published, and the address is there the next time", async () => {
    const { user, go } = await openWindow();
    await go("Library");
    await user.click(screen.getByRole("button", { name: "Publish" }));
    await user.type(screen.getByLabelText("Address"), "/srv/team");
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Publish" }));
    expect(await screen.findByText(/Generation 1 is published/)).toBeInTheDocument();
    await user.click(screen.getByRole("button", { name: "Publish" }));
    expect(screen.getByLabelText("Address")).toHaveValue("/srv/team");
  });

  it("says in the dialog why an address cannot be used", async () => {
    const { team, stop } = open();
    team.open("follow");
    await team.follow();
    expect(team.problem).toBe("Give the address first.");
    team.address = "http://example.org";
    await team.follow();
    expect(team.problem).toContain("is no address");
    expect([team.dialog, team.busy]).toEqual(["follow", false]);
    stop();
  });

  it("hands keys on once and keeps none", async () => {
    const { team, stop } = open();
    team.open("follow", "s3://records/team");
    expect(team.wantsKeys).toBe(true);
    [team.id, team.secret] = ["reader", "s3cret"];
    await team.follow();
    expect([team.dialog, team.secret]).toEqual([null, ""]);
    team.open("follow", "/srv/team");
    expect(team.wantsKeys, "a folder needs none").toBe(false);
    stop();
  });

  it("can be stopped while it arrives", async () => {
    const { team, app, stop } = open(1);
    team.open("follow", "/srv/team");
    const following = team.follow();
    await expect.poll(() => team.activity?.step.phase).toBe("pulling");
    team.close();
    await following;
    expect([team.dialog, team.activity]).toEqual([null, null]);
    expect(app.library.overview.value?.team.followed ?? []).toEqual([]);
    stop();
  });
});

describe("how long ago", () => {
  it("is told in the largest unit that fits", () => {
    const now = Date.parse("2026-03-10T12:00:00Z");
    expect(ago("2026-03-10T11:59:40Z", now)).toBe("just now");
    expect(ago("2026-03-10T09:00:00Z", now)).toBe("3 hours ago");
    expect(ago("2026-03-09T11:00:00Z", now)).toBe("yesterday");
    expect(ago("no date", now)).toBe("no date");
  });
});
