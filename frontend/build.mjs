// Builds src/ into tensorboard_memleak/static, and once more as one script for report files. The
// output is committed and must come out byte for byte the same on every machine: CI rebuilds it
// and compares.
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = path.dirname(fileURLToPath(import.meta.url));
const outdir = path.join(here, "../tensorboard_memleak/static");
const onefile = path.join(here, "../tensorboard_memleak/onefile");

/** Styles travel inside the module as text: one request less, and no moment without style. */
const styleText = {
  name: "style-text",
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path: file }) => {
      const result = await esbuild.build({
        entryPoints: [file],
        bundle: true,
        minify: true,
        write: false,
        metafile: true,
        absWorkingDir: here,
      });
      const watchFiles = Object.keys(result.metafile.inputs).map((name) => path.join(here, name));
      return { contents: result.outputFiles[0].text.trim(), loader: "text", watchFiles };
    });
  },
};

const options = {
  absWorkingDir: here,
  entryPoints: { index: "src/index.tsx" },
  outdir,
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  minify: true,
  charset: "utf8",
  legalComments: "none",
  entryNames: "[name]",
  chunkNames: "chunks/[name]-[hash]",
  jsx: "automatic",
  jsxImportSource: "preact",
  plugins: [styleText],
  logLevel: "warning",
};

/** One classic script: a page from disk can fetch nothing, and its policy admits this text alone. */
const inOneFile = {
  ...options,
  entryPoints: { page: "src/onefile.tsx" },
  outdir: onefile,
  splitting: false,
  format: "iife",
};

if (process.argv.includes("--watch")) {
  await (await esbuild.context(options)).watch();
} else {
  for (const folder of [outdir, onefile]) {
    for (const name of await readdir(folder).catch(() => [])) {
      await rm(path.join(folder, name), { recursive: true });
    }
  }
  await Promise.all([esbuild.build(options), esbuild.build(inOneFile)]);
}
