/// <reference types="vitest/config" />
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { defineConfig, type Plugin } from "vite";

/** Files that the built page is made of, in a fixed order; `tests/view/test_assets.py` reads the same ones. */
function sources(root: string): string[] {
  const found: string[] = [];
  const walk = (folder: string) => {
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name);
      if (statSync(path).isDirectory()) walk(path);
      else found.push(path);
    }
  };
  walk(join(root, "src"));
  for (const name of ["package-lock.json", "package.json", "vite.config.ts"]) found.push(join(root, name));
  return found.map((path) => relative(root, path).split("\\").join("/")).sort();
}

/** Writes into the built file which sources it was made of, so that a test can tell whether it is up to date. */
function stamp(): Plugin {
  return {
    name: "stamp",
    apply: "build",
    generateBundle(_options, bundle) {
      const hash = createHash("sha256");
      for (const path of sources(import.meta.dirname)) {
        hash.update(path).update("\0").update(readFileSync(join(import.meta.dirname, path))).update("\0");
      }
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === "chunk") chunk.code = `/* duoti viewer, sources ${hash.digest("hex")} */\n${chunk.code}`;
      }
    },
  };
}

export default defineConfig({
  plugins: [stamp()],
  build: {
    outDir: "../src/duoti/view/assets",
    emptyOutDir: false,
    target: "es2022",
    chunkSizeWarningLimit: 2000,
    lib: { entry: "src/main.ts", formats: ["iife"], name: "duotiViewer", fileName: () => "viewer.js" },
  },
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
});
