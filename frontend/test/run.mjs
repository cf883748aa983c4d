// Bundles each test with esbuild and runs them all under `node --test`.
import { spawn } from "node:child_process";
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = path.dirname(fileURLToPath(import.meta.url));
const outdir = path.join(here, "../dist/test");
await rm(outdir, { recursive: true, force: true });
await mkdir(outdir, { recursive: true });
const tests = (await readdir(here)).filter((name) => name.endsWith(".test.ts"));
await esbuild.build({
  entryPoints: tests.map((name) => path.join(here, name)),
  outdir,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  sourcemap: "inline",
  packages: "external",
  define: { "import.meta.dirname": JSON.stringify(here) },
  logLevel: "warning",
});
const files = (await readdir(outdir)).map((name) => path.join(outdir, name));
spawn(process.execPath, ["--enable-source-maps", "--test", ...files], { stdio: "inherit" }).on(
  "exit",
  (code) => process.exit(code ?? 1),
);
