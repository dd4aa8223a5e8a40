import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const backend = process.env.SWITCHYARD_URL ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [react()],
  build: { assetsInlineLimit: 0, manifest: true, target: "es2023", chunkSizeWarningLimit: 700 },
  server: {
    // The developer page shows the changelog, which lies beside this folder.
    fs: { allow: [".."] },
    proxy: {
      "/api": backend,
      "/meta": backend,
      "/apis": backend,
      "/healthz": backend,
      "/ws": { target: backend, ws: true },
    },
  },
  test: {
    restoreMocks: true,
    // Files of one worker share the modules they import: to load them anew for each file took most of the time.
    isolate: false,
    // Components are typed into and waited for; a busy machine may take its time.
    testTimeout: 60_000,
    projects: [
      { extends: true, test: { name: "plain", environment: "node", include: ["src/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "pages",
          environment: "jsdom",
          setupFiles: ["src/test/setup.ts"],
          include: ["src/**/*.test.tsx"],
        },
      },
      {
        extends: true,
        test: {
          // Its language is read when modules are loaded: no worker of it runs files of another project.
          name: "pseudo-locale",
          environment: "jsdom",
          setupFiles: ["src/test/pseudo.ts", "src/test/setup.ts"],
          include: ["src/**/*.pseudo.tsx"],
        },
      },
    ],
  },
});
