import { mount } from "svelte";
import App from "./App.svelte";
import { chooseBackend } from "./backend/choose";
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/prose.css";

const target = document.getElementById("app");
if (!target) {
  throw new Error("index.html has no element with id 'app' to mount the page in");
}

mount(App, { target, props: { backend: await chooseBackend() } });
