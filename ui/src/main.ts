import { mount } from "svelte";
import App from "./App.svelte";

const target = document.getElementById("app");
if (!target) {
  throw new Error("index.html has no element with id 'app' to mount the page in");
}

mount(App, { target });
