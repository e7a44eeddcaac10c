/** How the console looks: the colours of the hosted pages, with enough contrast for small text. */
import { type CSSVariablesResolver, createTheme, Fieldset } from '@mantine/core'

export const theme = createTheme({
  primaryColor: 'signet',
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif',
  headings: { sizes: { h1: { fontSize: '1.6rem', lineHeight: '1.3' } } },
  components: {
    Fieldset: Fieldset.extend({ defaultProps: { p: 0, m: 0, miw: 0 } }),
    // What opens at the side of a page is no second header of it. By name, because drawers are no part of the first load.
    DrawerHeader: { defaultProps: { role: 'group' } },
  },
  colors: {
    // Greys with the tint of the hosted pages.
    dark: [
      '#e8ebef',
      '#c3cad3',
      '#a3adb9',
      '#7d8894',
      '#46505d',
      '#333b46',
      '#242b34',
      '#1b2027',
      '#14181d',
      '#0f1216',
    ],
    signet: [
      '#eef4ff',
      '#dbe6fd',
      '#b5cbfa',
      '#8ab4ff',
      '#6596f5',
      '#4b80e6',
      '#3b6fd8',
      '#1f5fd0',
      '#184da9',
      '#123b83',
    ],
  },
})

/** The usual grey and red are too pale for small text (WCAG 1.4.3). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#f6f8fa',
    '--mantine-color-text': '#1c2733',
    '--mantine-color-dimmed': '#56616d',
    '--mantine-color-placeholder': '#6a7682',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-anchor': '#1f5fd0',
    '--signet-surface': '#ffffff',
    '--chart-succeeded': '#1f5fd0',
    '--chart-failed': '#b3261e',
    '--chart-passkey': '#1f5fd0',
    '--chart-password': '#a4590a',
    '--chart-provider': '#0b7a75',
    '--chart-code': '#7a3db8',
    '--chart-bar': '#b5cbfa',
  },
  dark: {
    '--mantine-color-body': '#14181d',
    '--mantine-color-text': '#e8ebef',
    '--mantine-color-dimmed': '#a3adb9',
    '--mantine-color-placeholder': '#8b96a3',
    '--mantine-color-error': '#ff9d96',
    '--mantine-color-anchor': '#8ab4ff',
    '--signet-surface': '#1b2027',
    '--chart-succeeded': '#8ab4ff',
    '--chart-failed': '#ff9d96',
    '--chart-passkey': '#8ab4ff',
    '--chart-password': '#f0a860',
    '--chart-provider': '#5cc8c0',
    '--chart-code': '#c9a3f0',
    '--chart-bar': '#184da9',
  },
})
