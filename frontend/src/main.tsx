import "@fontsource-variable/inter/wght.css";
import "@fontsource-variable/jetbrains-mono/wght.css";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@mantine/spotlight/styles.css";
import "./theme/tokens.css";
import "./theme/base.css";
import "./theme/pages.css";
import "./theme/home.css";
import "./theme/sheet.css";
import "./theme/forced.css";

import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { setNonce } from "get-nonce";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app";
import { queries } from "./live/stream";
import { printLight } from "./state/printing";
import { theme, variables } from "./theme/theme";
import { ensureLanguageTag, language } from "./words/language";

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? "";
// Dialogs hold the page still with a style element of their own, which needs the nonce too.
setNonce(nonce);
document.documentElement.lang = language;
ensureLanguageTag(navigator);
printLight(document.documentElement);
if (language !== "en") void import("./words/refresh").then(({ refreshCatalogue }) => refreshCatalogue());
const root = document.getElementById("root");
if (!root) throw new Error("index.html has no #root");

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queries}>
        <App />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
