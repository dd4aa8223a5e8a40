import {
  createTheme,
  type CSSVariablesResolver,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
} from "@mantine/core";
import { t } from "../words/text";

const accent: MantineColorsTuple = [
  "#e8ecff",
  "#d2daff",
  "#b3c0ff",
  "#8ea2ff",
  "#7187f7",
  "#5a72ee",
  "#4961e5",
  "#3b55de",
  "#2f4bd8",
  "#263fc0",
];

const dark: MantineColorsTuple = [
  "#eef1f6",
  "#b4bdcc",
  "#97a1b3",
  "#6f7c92",
  "#3a465c",
  "#263042",
  "#1a2231",
  "#161d2a",
  "#111824",
  "#0e131d",
];

/** Mantine takes every colour from the tokens, so that both themes are one file of CSS. */
export const theme = createTheme({
  primaryColor: "accent",
  primaryShade: { light: 8, dark: 8 },
  colors: { accent, dark },
  fontFamily: "var(--font)",
  fontFamilyMonospace: "var(--mono)",
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "18px" },
  defaultRadius: "6px",
  cursorType: "pointer",
  focusRing: "auto",
  variantColorResolver: (input) => {
    if (input.variant === "filled") {
      const danger = input.color === "red";
      return {
        background: danger ? "var(--bad)" : "var(--accent)",
        hover: danger ? "var(--bad-hover)" : "var(--accent-hover)",
        color: danger ? "var(--surface)" : "var(--accent-ink)",
        border: "1px solid transparent",
      };
    }
    if (input.variant === "subtle") {
      return {
        background: "transparent",
        hover: "var(--sunken)",
        color: "var(--ink-2)",
        border: "1px solid transparent",
      };
    }
    return defaultVariantColorsResolver(input);
  },
  components: {
    Button: { defaultProps: { variant: "default", size: "sm" } },
    PasswordInput: {
      defaultProps: { visibilityToggleButtonProps: { "aria-label": t`Show or hide the password` } },
    },
    // A dialog lies outside all landmarks: its <header> is no banner of the page.
    Modal: {
      defaultProps: {
        attributes: { header: { role: "none" } },
        centered: true,
        radius: "10px",
        overlayProps: { backgroundOpacity: 0.45 },
      },
    },
    Tooltip: { defaultProps: { events: { hover: true, focus: true, touch: true }, openDelay: 200 } },
  },
});

const shared = {
  "--mantine-color-body": "var(--bg)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-dimmed": "var(--ink-3)",
  "--mantine-color-default": "var(--surface)",
  "--mantine-color-default-color": "var(--ink)",
  "--mantine-color-default-hover": "var(--sunken)",
  "--mantine-color-default-border": "var(--line-strong)",
  "--mantine-color-placeholder": "var(--ink-3)",
  "--mantine-color-anchor": "var(--accent)",
  "--mantine-color-error": "var(--bad)",
  "--mantine-primary-color-filled": "var(--accent)",
  "--mantine-primary-color-filled-hover": "var(--accent-hover)",
  "--mantine-primary-color-contrast": "var(--accent-ink)",
  "--mantine-primary-color-light": "var(--accent-soft)",
  "--mantine-color-accent-filled": "var(--accent)",
};

export const variables: CSSVariablesResolver = () => ({ variables: {}, light: shared, dark: shared });
