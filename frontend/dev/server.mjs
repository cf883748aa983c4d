// Serves the built page as TensorBoard would, inside a frame of a page with a dark-mode class,
// with answers from test/golden: to work on the page without Python.
// Open http://127.0.0.1:6007/#leak_finder (add ?dark for the dark theme).
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));
const golden = path.join(here, "../test/golden");
const built = path.join(here, "../../tensorboard_memleak/static");
const ROOT = "/data/plugin/leak_finder/";

const OUTER = (dark) => `<!doctype html><html lang="en"><title>TensorBoard</title>
<style>body{margin:0;background:#f57c00}header{height:64px}iframe{display:block;border:0;width:100%;height:calc(100vh - 64px)}</style>
<body class="${dark ? "dark-mode" : ""}"><header></header>
<iframe src="data/plugin_entry.html?name=leak_finder"></iframe></body></html>`;
const ENTRY = `<!doctype html><head><base href="plugin/leak_finder/"></head><body>
<script type="module">import("./index.js").then((m) => void m.render());</script></body>`;

const FOLDERS = { bert: "leak", bert_fixed: "clean", jax_cpu: "no_events" };

/** The golden file that answers a route. */
function answerFile(route, query) {
  if (route === "sessions") return process.env.EMPTY ? "empty.json" : "sessions.json";
  const folder = FOLDERS[query.get("session")?.split("/")[0]];
  if (!folder) return "unreadable.json";
  const finding = query.get("finding");
  return `${folder}/${route}${route === "site" && finding ? `_${finding}` : ""}.json`;
}

async function respond(url) {
  if (url.pathname === "/") return ["text/html", OUTER(url.searchParams.has("dark"))];
  if (url.pathname === "/data/plugin_entry.html") return ["text/html", ENTRY];
  const route = url.pathname.slice(ROOT.length);
  if (route.endsWith(".js")) return ["text/javascript", await readFile(path.join(built, route))];
  return [
    "application/json",
    await readFile(path.join(golden, answerFile(route, url.searchParams))),
  ];
}

createServer((request, response) => {
  respond(new URL(request.url, "http://localhost")).then(
    ([type, body]) => response.writeHead(200, { "content-type": type }).end(body),
    () => response.writeHead(404, { "content-type": "application/json" }).end("{}"),
  );
}).listen(Number(process.env.PORT ?? 6007), "127.0.0.1");
